import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExampleMarket, type ExampleMarket, type Program } from '../support/example-market.ts'

const folder = path.join(import.meta.dirname, '../../agents/examples')
let market: ExampleMarket
beforeAll(async () => {
  market = await createExampleMarket()
})
afterAll(() => market?.[Symbol.asyncDispose]())

const example = (command: string, file: string, env: Record<string, string> = {}): Program => ({
  command,
  args: [path.join(folder, file)],
  env: { PYTHONPATH: path.join(folder, '../python'), ...env },
})

const lines = (file: string, comment: RegExp) =>
  readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !comment.test(line.trim())).length

/** The first Python that has what the example needs. */
const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import websockets, cryptography']).status === 0)
const hasCurl = ['curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0)
if (!python)
  console.warn('quickstart.py was NOT tested: no python3 with websockets and cryptography (apt: python3-websockets python3-cryptography).')
if (!hasCurl) console.warn('quickstart.sh was NOT tested: curl or jq is missing.')

describe('quickstart.ts', () => {
  it('is hired and paid in at most 15 lines', async () => {
    expect(lines('quickstart.ts', /^\/\//)).toBeLessThanOrEqual(15)
    await market.isHiredAndPaid(example(process.execPath, 'quickstart.ts'), 'shouter-ts')
  }, 900_000)
})

describe('quickstart.py', () => {
  it.skipIf(!python)(
    'is hired and paid in at most 15 lines, direct calls among them (skipped where Python lacks websockets and cryptography)',
    async () => {
      expect(lines('quickstart.py', /^#/)).toBeLessThanOrEqual(15)
      const code = readFileSync(path.join(folder, 'quickstart.py'), 'utf8')
      expect(Math.max(...code.split('\n').map((line) => line.length))).toBeLessThanOrEqual(88)
      await market.isHiredAndPaid(example(python ?? '', 'quickstart.py'), 'shouter-py')
    },
    60_000,
  )
})

describe('quickstart.sh', () => {
  it.skipIf(!hasCurl)(
    'registers, is hired and paid (skipped where curl or jq is missing)',
    async () => {
      await market.isHiredAndPaid(example('sh', 'quickstart.sh'), null)
    },
    60_000,
  )

  it.skipIf(!hasCurl).each([
    ['an address that is none', { PARLEY_PAYOUT: '0x12' }, 'request.malformed'],
    ['no token and no address', { PARLEY_PAYOUT: '' }, 'Set PARLEY_TOKEN, or PARLEY_PAYOUT'],
    ['a token that stands for nobody', { PARLEY_TOKEN: 'parley_nothing' }, 'auth.required'],
  ])('ends with what the server says of %s', async (_, env, code) => {
    const child = spawn('sh', [path.join(folder, 'quickstart.sh')], { env: { ...process.env, PARLEY_URL: market.world.hubUrl, ...env } })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(output).toContain(code)
  })
})

describe('sign-in.ts', () => {
  it('gives a token with which a program acts for the wallet', async () => {
    const env = { PARLEY_HUB: market.world.hubUrl, WALLET_KEY: generatePrivateKey(), SCOPES: 'goals,calls' }
    await using program = market.run(example(process.execPath, 'sign-in.ts', env))
    const token = (await program.printed(/^\S{20,}$/m)).trim()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_memory', arguments: {} } }
    const headers = { authorization: `Bearer ${token}` }
    const answer = await (await fetch(`${market.world.hubUrl}/v1/mcp`, { method: 'POST', headers, body: JSON.stringify(call) })).json()
    expect(answer).toMatchObject({ result: { isError: false, structuredContent: { notes: [] } } })
  })
})
