import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, connectDatabase } from '../../../../server/db.ts'
import { markOffline, markOnline, markSeen, publishListing, reviseListing, withdrawListing } from '../../../../server/registry/index.ts'
import { createScratch } from '../../../../server/search/query/search-listings.ts'
import type { SearchQuery } from '../../../../server/search/query/search-query.ts'
import { createIndexEngine, type EngineState } from '../../../../server/search/sync/index-engine.ts'
import { type IndexSynchronizer, type SyncEvent, startIndexSynchronizer } from '../../../../server/search/sync/index-synchronizer.ts'
import { draftOf, openRoomWorld } from '../../database-only-world.ts'
import { query } from '../sample-listings.ts'

const world = openRoomWorld()
const events: SyncEvent[] = []
const state: EngineState = { index: null, compaction: null, scratch: createScratch() }
let sync: IndexSynchronizer
let other: Client

function find(change: Partial<SearchQuery> = {}) {
  return sync.engine.search(query({ ...change, terms: { ...query().terms, now: world.clock.now().getTime() } })).hits
}
const ids = (change: Partial<SearchQuery> = {}) => find(change).map((hit) => hit.agentId)

/** Waits for it and returns how long it took, in milliseconds. */
async function until(isTrue: () => boolean, withinMs = 20_000): Promise<number> {
  const begun = performance.now()
  while (!isTrue()) {
    if (performance.now() - begun > withinMs) throw new Error(`It is not so after ${withinMs} ms.`)
    await pause(10)
  }
  return performance.now() - begun
}

let owner: ReturnType<typeof world.person>
async function publish(summary: string): Promise<string> {
  const { agent_id } = await publishListing(owner.ctx, { type: 'listing.publish', listing: draftOf({ summary }) })
  return agent_id
}

beforeAll(async () => {
  owner = world.person()
  other = connectDatabase(world.url, 2)
  await publish('Was here before the index.')
  const report = (event: SyncEvent) => events.push(event)
  sync = startIndexSynchronizer({ url: world.url, market: { asset: 'iso4217:USD' }, engine: createIndexEngine(null, state), report })
  await until(() => sync.engine.isReady())
})
afterAll(async () => {
  await sync.close()
  await other.$disconnect()
})

describe('the synchronizer', () => {
  it('loads what is there', () => {
    expect(events).toEqual([{ event: 'loaded', listings: 1, ms: expect.any(Number), reason: 'start' }])
    expect(ids({ text: 'before' })).toHaveLength(1)
    expect(find({ attributes: { currency: ['iso4217:USD'] } })).toHaveLength(1)
  })

  it('knows every committed change when a query follows it', async () => {
    const id = await publish('Paints portraits.')
    await sync.catchUp()
    expect(ids({ text: 'portrait' })).toEqual([id])
    const draft = draftOf({ ...(await draftBefore(id)), summary: 'Paints landscapes.' })
    await reviseListing(owner.ctx, { type: 'listing.revise', agent_id: id, listing: draft })
    await sync.catchUp()
    expect([ids({ text: 'portrait' }), ids({ text: 'landscape' })]).toEqual([[], [id]])
    await withdrawListing(owner.ctx, { type: 'listing.withdraw', agent_id: id })
    await sync.catchUp()
    expect(ids({ text: 'landscape' })).toEqual([])
  })

  it('makes a new listing searchable within a second without a query', async () => {
    await publish('Carves wooden birds.')
    expect(await until(() => ids({ text: 'birds' }).length === 1)).toBeLessThan(1_000)
  })

  it('follows presence and ratings', async () => {
    const id = await publish('Tunes pianos.')
    await markOnline(world.ctx, id, 'c1')
    await sync.catchUp()
    expect(ids({ online: true })).toEqual([id])
    await markOffline(world.ctx, id, 'c1')
    await sync.catchUp()
    expect(ids({ online: true })).toEqual([])
    await rate(id, 100)
    await sync.catchUp()
    expect(ids({ sort: 'score' })[0]).toBe(id)
    expect(ids({ minScore: 71 })).toEqual([id])
  })

  it('misses no change of a transaction that began before others and committed after them', async () => {
    const [early, late] = [await publish('Early bird.'), await publish('Late bird.')]
    await other.$transaction(async (tx) => {
      await tx.presence.create({ data: { agentId: early, connection: 'c', connectedAt: world.clock.now(), seenAt: world.clock.now() } })
      await markOnline(world.ctx, late, 'c2')
      for (let i = 0; i < 3; i++) await sync.catchUp()
      expect(ids({ online: true })).toEqual([late])
    })
    await sync.catchUp()
    expect(ids({ online: true }).sort()).toEqual([early, late].sort())
  })

  it('reads heartbeats, which write no change', async () => {
    const id = await publish('Beats drums.')
    await markOnline(world.ctx, id, 'c3')
    await sync.catchUp()
    world.clock.advance(50_000)
    await markSeen(world.ctx, id, 'c3')
    world.clock.advance(50_000)
    await until(() => ids({ online: true, text: 'drums' }).length === 1)
  })

  it('repairs what differs from the database, and reports it', async () => {
    const id = await publish('Bakes bread.')
    await sync.catchUp()
    await world.db.$executeRaw`alter table "listing" disable trigger "listing_is_searched"`
    await world.db.listing.update({ where: { agentId: id }, data: { summary: 'Bakes cakes.' } })
    await world.db.$executeRaw`alter table "listing" enable trigger "listing_is_searched"`
    await until(() => ids({ text: 'cakes' }).length === 1)
    await until(() => events.some((one) => one.event === 'repaired'))
    expect(events.filter((one) => one.event === 'repaired')).toEqual([{ event: 'repaired', listings: 1 }])
  })

  it('builds a damaged index again, and answers meanwhile', async () => {
    const before = ids()
    sync.rebuild('a test')
    expect(ids()).toEqual(before)
    await until(() => events.some((one) => one.event === 'loaded' && one.reason === 'damaged'))
    expect(events).toContainEqual({ event: 'damaged', message: 'a test' })
    expect(ids()).toEqual(before)
    expect(sync.ageMs()).toBeLessThan(5_000)
  })

  it('finds damaged memory, builds the index again, and answers meanwhile', async () => {
    const loads = () => events.filter((one) => one.event === 'loaded').length
    const [before, loadsBefore, damaged] = [ids(), loads(), state.index]
    const terms = damaged?.terms.items.data ?? new Uint32Array()
    terms[0] = (terms[0] as number) ^ 256
    while (loads() === loadsBefore) {
      expect(ids()).toEqual(before)
      await pause(20)
    }
    expect(state.index).not.toBe(damaged)
    expect(events).toContainEqual({ event: 'damaged', message: 'The terms of a listing are not those that were written.' })
    expect(ids()).toEqual(before)
  })

  it('answers without a database connection, and catches up afterwards', async () => {
    await world.db.$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley search'`
    const id = await publish('Repairs clocks.')
    expect(ids().length).toBeGreaterThan(3)
    await until(() => ids({ text: 'clocks' })[0] === id)
    expect(events.some((one) => one.event === 'connection_lost')).toBe(true)
  })
})

async function draftBefore(agentId: string) {
  const { handle, name, payout } = await world.db.listing.findUniqueOrThrow({ where: { agentId } })
  return { handle, name, payout }
}

async function rate(agentId: string, value: number): Promise<void> {
  const task = { taskId: world.ctx.ids.next('tsk'), goalId: 'gol_1', agentId, amount: 1n }
  await world.db.feedbackInvite.create({ data: { ...task, by: 'did:1', invitedAt: world.clock.now() } })
  await world.db.feedback.create({
    data: { id: world.ctx.ids.next('fbk'), ...task, by: 'did:1', value, text: '', givenAt: world.clock.now() },
  })
}
