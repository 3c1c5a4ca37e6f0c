import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  type Charter,
  charterBinding,
  charterHash,
  escrowDomain,
  type PreparedFunding,
  type SignedQuote,
  termsTypes,
} from '@parley/protocol'
import { hashTypedData } from 'viem'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { readAttachedFiles, toQuoteFile } from '../../../agents/cli/src/ask/attached-files.ts'
import { findFundingFault } from '../../../agents/cli/src/ask/find-funding-fault.ts'
import { toBaseUnits } from '../../../agents/cli/src/market/to-base-units.ts'
import { createWallet, readWallet } from '../../../agents/cli/src/read-wallet.ts'
import { readSettings, requireToken, writeSettings } from '../../../agents/cli/src/settings-store.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

const client = `0x${'c1'.repeat(20)}`
const escrow = `0x${'e5'.repeat(20)}` as `0x${string}`
const payee = `0x${'aa'.repeat(20)}`
const step = {
  step: 1,
  skill_id: 'a.b',
  name: 'Do it',
  agent_id: `agt_${'1'.repeat(32)}`,
  handle: 'doer',
  price: '100',
  payee,
  after: [],
  outputs: [],
}
const quote = {
  outcome: 'planned',
  summary: 'I do it.',
  steps: [step],
  total: '100',
  fee: '3',
  min_budget: '103',
  unused_words: ['blue'],
} as unknown as SignedQuote
const charter = {
  v: '1',
  goal_id: `gol_${'2'.repeat(32)}`,
  version: 0,
  steps: [
    {
      step: 1,
      title: 'Do it',
      skill_id: 'a.b',
      agent_id: step.agent_id,
      payee,
      amount: '100',
      mode: 'sync',
      depends_on: [],
      inputs: [],
      outputs: [],
    },
  ],
} as unknown as Charter

/** What an honest server asks the wallet to sign, with changes. `after`: changes after everything was computed from it. */
async function funding({
  team = charter,
  total = 103n,
  after = {},
}: {
  team?: Charter
  total?: bigint
  after?: object
} = {}): Promise<PreparedFunding> {
  const zero = `0x${'0'.repeat(64)}`
  const fields = Object.fromEntries(
    termsTypes.Terms.map(({ name, type }) => [name, type === 'address' ? `0x${'0'.repeat(40)}` : type === 'bytes32' ? zero : 0n]),
  )
  const terms = { ...fields, client, total, charter: charterBinding(team, await charterHash(team)) } as never
  const nonce = hashTypedData({ domain: escrowDomain(1, escrow), types: termsTypes, primaryType: 'Terms', message: terms })
  return { typedData: { message: { from: client, to: escrow, value: total, nonce, ...after } }, terms, charter: team }
}
const faultOf = async (request: PreparedFunding) => findFundingFault(request, { quote, chainId: 1, escrow, client })

describe('findFundingFault', () => {
  it('finds none in what was quoted', async () => {
    expect(await faultOf(await funding())).toBeNull()
  })

  const changed = (change: object): Charter => ({ ...charter, steps: [{ ...charter.steps[0], ...change }] }) as Charter
  it.each([
    ['another contract', () => funding({ after: { to: payee } }), 'another contract'],
    ['another wallet', () => funding({ after: { from: payee } }), 'another wallet'],
    ['a larger amount', () => funding({ total: 104n }), 'not that of the quote'],
    ['other terms', () => funding({ after: { nonce: `0x${'1'.repeat(64)}` } }), 'other terms'],
    ['another payee', () => funding({ team: changed({ payee: client }) }), 'other agents, payees or amounts'],
    ['another price', () => funding({ team: changed({ amount: '101' }) }), 'other agents, payees or amounts'],
    ['another agent', () => funding({ team: changed({ agent_id: `agt_${'9'.repeat(32)}` }) }), 'other agents, payees or amounts'],
    [
      'a further step',
      () => funding({ team: { ...charter, steps: [...charter.steps, ...charter.steps] } }),
      'other agents, payees or amounts',
    ],
    ['a team beside the terms', async () => ({ ...(await funding()), charter: changed({ title: 'Else' }) }), 'another team'],
    ['no team', async () => ({ ...(await funding()), charter: null }), 'no team'],
  ])('finds %s', async (_, request, fault) => {
    expect(await faultOf(await request())).toContain(fault)
  })
})

describe('toBaseUnits', () => {
  it.each([
    ['2.5', '2500000'],
    ['0', '0'],
    ['10', '10000000'],
    ['0.000001', '1'],
  ])('%s', (amount, units) => expect(toBaseUnits(amount, 6)).toBe(units))

  it.each(['', '-1', '1,5', '1e3', '0.0000001', '.5', '1.'])('refuses %j', (amount) => {
    expect(() => toBaseUnits(amount, 6)).toThrow('is not an amount')
  })
})

describe('attached files', () => {
  it('have the type of their name, and a beginning for the quote', async () => {
    const file = path.join(folder, 'a.csv')
    writeFileSync(file, 'x,y\n1,2\n')
    const [read] = await readAttachedFiles([file])
    expect(read).toEqual({
      name: 'a.csv',
      media_type: 'text/csv',
      artifact_type: 'table.csv',
      content: Buffer.from('x,y\n1,2\n').toString('base64'),
    })
    expect(read && toQuoteFile(read)).toEqual({
      name: 'a.csv',
      media_type: 'text/csv',
      artifact_type: 'table.csv',
      head: 'x,y\n1,2\n',
      is_whole: true,
    })
  })

  it.each([
    ['missing.csv', null, 'cannot be read'],
    ['a.png', 'no picture', 'The content is not image/png'],
    ['program', Buffer.from([0, 1, 2]), 'Accepted types'],
  ])('refuse %s', async (name, content, reason) => {
    const file = path.join(folder, name)
    if (content !== null) writeFileSync(file, content)
    await expect(readAttachedFiles([file])).rejects.toThrow(reason)
  })
})

describe('settings and wallet', () => {
  it('can be read by their owner only, and an ended login is refused', async () => {
    vi.stubEnv('PARLEY_HOME', path.join(folder, 'home'))
    vi.stubEnv('PARLEY_WALLET_KEY', undefined)
    await expect(readWallet()).rejects.toThrow('There is no wallet')
    const wallet = await createWallet()
    expect((await readWallet()).address).toBe(wallet.address)
    await expect(createWallet()).rejects.toThrow('There is a wallet already')
    await writeSettings({ hub: 'h', token: 'secret', expiresAt: '2026-01-01T00:00:00Z' })
    for (const file of ['wallet.key', 'settings.json']) expect(statSync(path.join(folder, 'home', file)).mode & 0o077).toBe(0)
    const settings = await readSettings()
    expect(requireToken(settings, 'h', new Date('2025-12-31'))).toBe('secret')
    expect(() => requireToken(settings, 'h', new Date('2026-01-02'))).toThrow('Your login has ended')
    expect(() => requireToken({}, 'h')).toThrow('parley login')
  })

  it('refuses what is no key', async () => {
    vi.stubEnv('PARLEY_WALLET_KEY', '0x12')
    await expect(readWallet()).rejects.toThrow('64 hexadecimal digits')
  })
})
