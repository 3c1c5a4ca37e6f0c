import { randomSeed, signerFromSeed } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { addPeer, listPeers } from '../../../server/federation/index.ts'
import { anonymous, codeOf, openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
const origin = 'https://market.example'
let server_did: string
beforeAll(async () => {
  server_did = (await signerFromSeed(randomSeed())).did
})
const operator = () => world.as({ ...world.person().actor, isOperator: true })
const add = (ctx = operator(), change: { origin?: string; hub_url?: string; server_did?: string } = {}) =>
  addPeer(ctx, { type: 'peer.add', origin, server_did, ...change })

describe('addPeer', () => {
  it('refuses everyone but operators', async () => {
    expect(await codeOf(add(world.as(anonymous)))).toBe('auth.required')
    expect(await codeOf(add(world.person().ctx))).toBe('permission.denied')
    expect(await codeOf(add(world.agent(world.ctx.ids.next('agt'))))).toBe('permission.denied')
    expect(await codeOf(listPeers(world.person().ctx))).toBe('permission.denied')
    expect(await codeOf(listPeers(world.agent(world.ctx.ids.next('agt'))))).toBe('permission.denied')
    expect(await world.db.peer.count()).toBe(0)
  })

  it.each([
    ['this installation itself, by its address', { origin: 'http://localhost:3000' }],
    ['plain http beyond this machine', { origin: 'http://market.example' }],
    ['a hub in plain http beyond this machine', { hub_url: 'http://10.0.0.7' }],
    ['an address with the usual port written out', { origin: 'https://market.example:443' }],
  ])('refuses %s', async (_what, change) => {
    expect(await codeOf(add(undefined, change))).toBe('peer.invalid')
  })

  it('refuses its own key, and plain http to itself where money has value', async () => {
    expect(await codeOf(add(undefined, { server_did: world.ctx.market.serverDid }))).toBe('peer.invalid')
    const ctx = operator()
    const strict = { ...ctx, market: { ...ctx.market, isLocalChain: false } }
    expect(await codeOf(add(ctx, { origin: 'http://localhost:3001' }))).toEqual({ origin: 'http://localhost:3001' })
    expect(await codeOf(add(strict, { origin: 'http://localhost:3002' }))).toBe('peer.invalid')
  })

  it('audits once, wakes the reader once, and the same again changes nothing', async () => {
    await add()
    await add()
    expect(await world.audit(`peer:${origin}`)).toEqual(['peer.add'])
    expect(await world.db.outboxEvent.count({ where: { type: 'peer.added', body: { path: ['origin'], equals: origin } } })).toBe(1)
    expect((await listPeers(world.as(system))).find((peer) => peer.origin === origin)).toMatchObject({
      serverDid: server_did,
      hubUrl: origin,
      readAt: null,
      listings: 0,
    })
  })

  it('starts over under another key', async () => {
    await world.db.peer.update({ where: { origin }, data: { cursor: 9n } })
    const { did } = await signerFromSeed(randomSeed())
    await add(undefined, { server_did: did })
    expect(await world.db.peer.findUnique({ where: { origin } })).toMatchObject({ serverDid: did, cursor: 0n })
    expect(await world.audit(`peer:${origin}`)).toEqual(['peer.add', 'peer.add'])
  })
})
