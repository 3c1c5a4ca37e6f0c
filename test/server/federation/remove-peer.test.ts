import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPeer, listPeers, removePeer, syncPeer } from '../../../server/federation/index.ts'
import { discoverListings, foreignAgentId } from '../../../server/registry/index.ts'
import { anonymous, codeOf, openRoomWorld, system } from '../database-only-world.ts'
import { type FakePeer, startPeer } from './fake-peer.ts'

const world = openRoomWorld()
let peer: FakePeer
beforeAll(async () => {
  peer = await startPeer(() => world.ctx, 'https://market.example')
})
afterAll(() => peer?.[Symbol.asyncDispose]())
const add = () => addPeer(world.as(system), { type: 'peer.add', origin: peer.origin, server_did: peer.signer.did, hub_url: peer.hubUrl })
const remove = (ctx = world.as({ ...world.person().actor, isOperator: true })) =>
  removePeer(ctx, { type: 'peer.remove', origin: peer.origin })
const shown = async () => (await discoverListings(world.as(anonymous), { limit: 100 })).listings.length

describe('removePeer', () => {
  it('finds none where there is none', async () => {
    expect(await codeOf(remove())).toBe('peer.not_found')
  })

  it('refuses everyone but operators', async () => {
    await add()
    expect(await codeOf(remove(world.as(anonymous)))).toBe('auth.required')
    expect(await codeOf(remove(world.person().ctx))).toBe('permission.denied')
    expect(await codeOf(remove(world.agent(world.ctx.ids.next('agt'))))).toBe('permission.denied')
    expect(await listPeers(world.as(system))).toHaveLength(1)
  })

  it('takes its listings off the market at once, keeps their keys, audits once, and reads no more', async () => {
    const statement = await peer.signed()
    peer.setAnswer([statement])
    await syncPeer(world.as(system), peer.origin)
    expect(await shown()).toBe(1)
    await remove()
    await remove()
    expect([await shown(), await listPeers(world.as(system))]).toEqual([0, []])
    expect(await world.db.agentKey.count({ where: { agentId: foreignAgentId(peer.origin, statement.agent_id), revokedAt: null } })).toBe(1)
    expect(await world.audit(`peer:${peer.origin}`)).toEqual(['peer.add', 'peer.remove'])
    world.clock.advance(120_000)
    peer.asked.length = 0
    await syncPeer(world.as(system), peer.origin)
    expect(peer.asked).toEqual([])
  })

  it('named again, its agents are back where they were', async () => {
    await add()
    await syncPeer(world.as(system), peer.origin)
    expect(await shown()).toBe(1)
  })
})
