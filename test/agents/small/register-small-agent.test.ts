// A device publishes its listing at a real hub: openly on a local chain, or for the owner of an API token.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { smallAgent } from '@parley/agents/small'
import { personDid } from '@parley/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readHubAddress, registerSmallAgent } from '../../../agents/src/small/register-small-agent.ts'
import { createExampleMarket, type ExampleMarket } from '../../support/example-market.ts'
import { listing, memoryStorage, shout, skill_id } from './device.ts'

let market: ExampleMarket
beforeAll(async () => {
  market = await createExampleMarket()
})
afterAll(() => market?.[Symbol.asyncDispose]())

const newPayout = () => privateKeyToAccount(generatePrivateKey()).address.toLowerCase()
const listingOf = (handle: string) => ({ ...listing, handle, name: handle, payout: newPayout() })
const options = () => ({ url: market.world.hubUrl, storage: memoryStorage(), skills: { [skill_id]: shout } })

describe('registering', () => {
  it('publishes once, for the payout wallet', async () => {
    const given = { ...options(), listing: listingOf('open-device') }
    const first = await smallAgent(given)
    first.close()
    const second = await smallAgent(given)
    expect([second.agent_id, second.did]).toEqual([first.agent_id, first.did])
    second.close()
    await expect(smallAgent({ ...options(), listing: given.listing })).rejects.toMatchObject({ code: 'listing.handle_taken' })
  })

  it('publishes for the owner of an API token', async () => {
    const key = generatePrivateKey()
    const file = path.join(import.meta.dirname, '../../../agents/examples/sign-in.ts')
    const env = { PARLEY_HUB: market.world.hubUrl, WALLET_KEY: key, SCOPES: 'listings' }
    await using program = market.run({ command: process.execPath, args: [file], env })
    const ownerToken = (await program.printed(/^\S{20,}$/m)).trim()
    const agent = await smallAgent({ ...options(), listing: listingOf('owned-device'), ownerToken })
    agent.close()
    const { db, market: facts } = market.world.system
    const { ownerId } = await db.listing.findUniqueOrThrow({ where: { handle: 'owned-device' } })
    expect(ownerId).toBe(personDid(facts.chainId, privateKeyToAccount(key).address))
  })

  it.each([
    ['a token that is unknown', { ownerToken: 'x' }, {}, 'auth.required'],
    ['a malformed listing', {}, { payout: '0x12' }, 'request.malformed'],
  ])('states what the server refuses: %s', async (_, more, change, code) => {
    await expect(smallAgent({ ...options(), ...more, listing: { ...listingOf('refused'), ...change } })).rejects.toMatchObject({
      name: 'ProblemError',
      code,
    })
  })

  it('states that a server is no hub', async () => {
    await using server = createServer((_, response) => response.writeHead(404).end('<h1>Not found</h1>')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = readHubAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await expect(registerSmallAgent(address, listing)).rejects.toMatchObject({
      code: 'session.hub_unreachable',
      message: expect.stringContaining('HTTP 404'),
    })
  })
})

describe('readHubAddress', () => {
  it.each([
    ['http://localhost:4000', 'http://localhost:4000', 'ws://localhost:4000/v1/ws'],
    ['https://hub.example/', 'https://hub.example', 'wss://hub.example/v1/ws'],
    ['wss://hub.example', 'https://hub.example', 'wss://hub.example/v1/ws'],
  ])('reads %s', (url, http, socket) => {
    expect(readHubAddress(url)).toEqual({ http, socket })
  })
})
