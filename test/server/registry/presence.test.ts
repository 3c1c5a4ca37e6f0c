import { describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import {
  areConnectionsCurrent,
  getListing,
  markManyOffline,
  markManyOnline,
  markManySeen,
  markOffline,
  markOnline,
  markSeen,
  publishListing,
} from '../../../server/registry/index.ts'
import { idleAfterMs, offlineAfterMs, presenceAt } from '../../../server/registry/presence.ts'
import { draftOf, openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()
const publish = async () => (await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })).agent_id
const isCurrent = async (ctx: Context, agentId: string, connection: string) =>
  (await areConnectionsCurrent(ctx, [{ agentId, connection }]))[0]
const stateOf = async (agentId: string) => (await getListing(world.ctx, agentId)).presence

describe('presenceAt', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const seen = (msAgo: number, leftAt: Date | null = null) => ({ connection: 'c', seenAt: new Date(now.getTime() - msAgo), leftAt })
  it.each([
    [null, 'offline'],
    [seen(0), 'online'],
    [seen(idleAfterMs), 'online'],
    [seen(idleAfterMs + 1), 'idle'],
    [seen(offlineAfterMs), 'idle'],
    [seen(offlineAfterMs + 1), 'offline'],
    [seen(0, now), 'offline'],
  ] as const)('%j is %s', (row, state) => {
    expect(presenceAt(row, now)).toBe(state)
  })
})

describe('markOnline, markSeen and markOffline', () => {
  it('follow an agent from its coming to its leaving', async () => {
    const agentId = await publish()
    expect(await stateOf(agentId)).toBe('offline')
    await markOnline(world.ctx, agentId, 'c1')
    expect(await stateOf(agentId)).toBe('online')
    world.clock.advance(idleAfterMs + 1)
    expect(await stateOf(agentId)).toBe('idle')
    expect(await markSeen(world.ctx, agentId, 'c1')).toBe(true)
    expect(await stateOf(agentId)).toBe('online')
    await markOffline(world.ctx, agentId, 'c1')
    expect(await stateOf(agentId)).toBe('offline')
    expect(await markSeen(world.ctx, agentId, 'c1')).toBe(false)
  })

  it('fence an older connection off: it is not current, not seen, and its end changes nothing', async () => {
    const agentId = await publish()
    await markOnline(world.ctx, agentId, 'old')
    await markOnline(world.ctx, agentId, 'new')
    expect(await isCurrent(world.ctx, agentId, 'old')).toBe(false)
    expect(await isCurrent(world.ctx, agentId, 'new')).toBe(true)
    expect(await markSeen(world.ctx, agentId, 'old')).toBe(false)
    await markOffline(world.ctx, agentId, 'old')
    expect(await stateOf(agentId)).toBe('online')
  })

  it('take signs of life of many at a time, and give back those that are no longer the agent’s', async () => {
    const agentIds = [await publish(), await publish(), await publish(), await publish()]
    const seen = agentIds.map((agentId, index) => ({ agentId, connection: `s${index}` }))
    for (const { agentId, connection } of seen.slice(0, 3)) await markOnline(world.ctx, agentId, connection)
    await markOnline(world.ctx, agentIds[1] as string, 'newer')
    await markOffline(world.ctx, agentIds[2] as string, 's2')
    world.clock.advance(idleAfterMs + 1)
    expect(await markManySeen(world.ctx, seen)).toEqual(seen.slice(1))
    expect(await Promise.all(agentIds.map(stateOf))).toEqual(['online', 'idle', 'offline', 'offline'])
  })

  it('let one of many connections win: the last one', async () => {
    const agentId = await publish()
    const connections = Array.from({ length: 8 }, (_, index) => `c${index}`)
    await Promise.all(connections.map((connection) => markOnline(world.ctx, agentId, connection)))
    const current = await Promise.all(connections.map((connection) => isCurrent(world.ctx, agentId, connection)))
    expect(current.filter(Boolean)).toHaveLength(1)
  })

  it('take the coming and going of many at a time: the later connection of one stands, and an older one that ends changes nothing', async () => {
    const [first, second] = [await publish(), await publish()]
    const received: string[] = []
    const write = async (_tx: unknown, signals: readonly { id: string; from?: string }[]) =>
      void received.push(...signals.map((one) => `${one.from}`))
    const ctx = { ...world.ctx, ports: { ...world.ctx.ports, signals: { ...world.ctx.ports.signals, write } } }
    await markManyOnline(ctx, [
      { agentId: first, connection: 'older' },
      { agentId: second, connection: 'only' },
      { agentId: first, connection: 'newer' },
    ])
    expect(received).toEqual(['older', 'only', 'newer'])
    expect(await isCurrent(ctx, first, 'newer')).toBe(true)
    await markManyOffline(ctx, [
      { agentId: second, connection: 'only' },
      { agentId: first, connection: 'older' },
    ])
    expect(await Promise.all([first, second].map(stateOf))).toEqual(['online', 'offline'])
  })

  it('know no one before the first connection', async () => {
    expect(await isCurrent(world.ctx, world.ctx.ids.next('agt'), 'c1')).toBe(false)
  })
})
