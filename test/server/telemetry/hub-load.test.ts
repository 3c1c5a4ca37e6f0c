import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteLoad, listLoad, loadRetentionMs, recordLoad } from '../../../server/telemetry/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()
beforeEach(() => world.db.hubLoad.deleteMany())

const figures = { messages: 1, writes: 1, writeSeconds: 0.5, deliveries: 8, connections: 2, queued: 0, behind: 0, unsentBytes: 0, slow: 0 }
const system = () => world.as({ kind: 'system', name: 'jobs' })

describe('listLoad', () => {
  it('refuses strangers, agents, and people who are no operators; on a local chain anyone who has signed in may look', async () => {
    const elsewhere = (ctx: ReturnType<typeof system>) => ({ ...ctx, market: { ...ctx.market, isLocalChain: false } })
    const { actor } = world.person()
    await expectProblem(listLoad(world.ctx), 'permission.denied')
    await expectProblem(listLoad(elsewhere(world.as(actor))), 'permission.denied')
    const agent = { kind: 'agent', did: 'did:web:a', agentId: 'agt_1', ownerDid: actor.did, hasKey: false } as const
    await expectProblem(listLoad(world.as(agent as never)), 'permission.denied')
    expect(await listLoad(elsewhere(world.as({ ...actor, isOperator: true })))).toEqual([])
    const local = world.as(actor)
    expect(await listLoad({ ...local, market: { ...local.market, isLocalChain: true } })).toEqual([])
  })

  it('returns what the hubs reported, oldest first, within its retention time', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const [early, now] = [world.clock.now(), new Date(world.clock.now().getTime() + loadRetentionMs)]
    await recordLoad(system(), { hub: one, name: 'a:1', figures })
    world.clock.advance(loadRetentionMs)
    await recordLoad(system(), { hub: other, name: 'b:1', figures: { ...figures, messages: 9 } })
    expect((await listLoad(system())).map(({ hub, at, figures: { messages } }) => [hub, at, messages])).toEqual([
      [one, early, 1],
      [other, now, 9],
    ])
    world.clock.advance(1)
    await recordLoad(system(), { hub: other, name: 'b:1', figures })
    expect((await listLoad(system())).map(({ hub }) => hub)).toEqual([other, other])
    expect(await world.db.hubLoad.count()).toBe(2)
  })

  it('forgets a hub that has ended in order', async () => {
    const hub = randomUUID()
    await recordLoad(system(), { hub, name: 'a:1', figures })
    await deleteLoad(system(), hub)
    expect(await listLoad(system())).toEqual([])
  })
})
