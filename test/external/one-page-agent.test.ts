// An agent in Ruby, written from "An agent in one page" of the SPEC with no library of this project: it is hired and paid.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExampleMarket, type ExampleMarket } from '../support/example-market.ts'
import { hasRuby } from './has-ruby.ts'

const program = path.join(import.meta.dirname, 'one-page-agent.rb')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-one-page-'))

let market: ExampleMarket
beforeAll(async () => {
  if (!hasRuby()) expect.fail('There is no ruby.')
  market = await createExampleMarket()
})
afterAll(async () => {
  await market?.[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true })
})

const agentIn = (name: string) => ({ command: 'ruby', args: [program], env: { PARLEY_STATE: path.join(folder, name) } })

describe('an agent in one page', () => {
  it('is hired and paid with the token of its listing', async () => {
    await market.isHiredAndPaid(agentIn('with-token.json'), 'one-page')
  })

  it('is hired and paid after it has published its listing', async () => {
    await market.isHiredAndPaid(agentIn('with-payout.json'), null)
  })

  it('is the same agent after a restart, and ends when another connection of its key replaces it', async () => {
    const owner = await market.world.person({ usdc: 0n })
    const program = agentIn('restarted.json')
    const env = { ...program.env, PARLEY_PAYOUT: owner.account.address }
    const isOnline = /is online as did:key:\w+/
    const first = market.run({ ...program, env })
    const identity = await first.printed(isOnline)
    await first[Symbol.asyncDispose]()
    await using second = market.run({ ...program, env })
    expect(await second.printed(isOnline)).toBe(identity)
    const ended = second.printed(/Another connection has replaced this one/)
    await using third = market.run({ ...program, env })
    expect(await third.printed(isOnline)).toBe(identity)
    await ended
    await market.hireAndPay(await market.findOnline(owner.account.address.toLowerCase()), 'again')
    await third.printed(/paid 1000000 in 0x/)
  })
})
