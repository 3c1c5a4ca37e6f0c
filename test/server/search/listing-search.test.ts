import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../../server/log.ts'
import { discoverListings, listFacets, publishListing, withdrawListing } from '../../../server/registry/index.ts'
import { createListingSearch, type ListingSearch } from '../../../server/search/listing-search.ts'
import { nullSearch } from '../../support/null-search.ts'
import { codeOf, draftOf, openRoomWorld } from '../database-only-world.ts'
import { query } from './sample-listings.ts'

const world = openRoomWorld()
let search: ListingSearch
let agentId: string

beforeAll(async () => {
  const draft = draftOf({ summary: 'Writes sonnets about rivers.' })
  agentId = (await publishListing(world.person().ctx, { type: 'listing.publish', listing: draft })).agent_id
  search = createListingSearch({ url: world.url, asset: 'iso4217:USD', log: createLog('test', 'silent'), startWaitMs: 60_000 })
})
afterAll(() => search.close())

const asked = () => query({ text: 'sonnets', terms: { ...query().terms, now: world.clock.now().getTime() } })

describe('the search of a process', () => {
  it('answers from its thread, and counts', async () => {
    expect(await search.search(asked())).toMatchObject({ hits: [{ agentId }], isLast: true })
    expect(await search.countFacets({ ...asked(), priceLimits: [], maxValues: 9 })).toMatchObject({ total: 1 })
    expect(await search.search({ ...asked(), after: 'x' })).toBe('cursor')
    const { listings, ageMs, seconds, unanswered } = await search.metrics()
    expect({ listings, count: seconds.count, unanswered }).toEqual({ listings: 1, count: 3, unanswered: 0 })
    expect(ageMs).toBeLessThan(5_000)
  })

  it('leaves a query unanswered if the database cannot be reached, and PostgreSQL answers it', async () => {
    const lost = createListingSearch({ url: 'postgres://127.0.0.1:1/none', asset: '', log: createLog('test', 'silent'), startWaitMs: 50 })
    expect(await lost.search(asked())).toBe('unready')
    expect((await lost.metrics()).unanswered).toBe(1)
    await lost.close()
  })
})

describe('the thread of a search', () => {
  it('is started again when it is killed, and PostgreSQL answers meanwhile', async () => {
    const threads: Worker[] = []
    const note = (thread: Worker) => threads.push(thread)
    process.on('worker', note)
    const killed = createListingSearch({ url: world.url, asset: '', log: createLog('test', 'silent'), startWaitMs: 60_000 })
    expect(await killed.search(asked())).toMatchObject({ hits: [{ agentId }] })
    // A query that is open when the thread dies is unanswered, and does not wait.
    const open = Promise.all([killed.search(asked()), threads[0]?.terminate()])
    expect(['unready', 'object']).toContain(typeof (await open)[0] === 'object' ? 'object' : (await open)[0])
    const ctx = { ...world.ctx, ports: { ...world.ctx.ports, search: { ...killed, search: async () => 'unready' as const } } }
    expect((await discoverListings(ctx, { text: 'sonnets', limit: 5 })).listings.map((one) => one.agent_id)).toEqual([agentId])
    expect(await killed.search(asked())).toMatchObject({ hits: [{ agentId }] })
    expect(threads).toHaveLength(2)
    const ended = threads.map((thread) => new Promise((resolve) => thread.once('exit', resolve)))
    await killed.close()
    await ended[1]
    expect(await killed.search(asked())).toBe('unready')
    expect(threads).toHaveLength(2)
    process.off('worker', note)
  })
})

describe('without an index', () => {
  const ctx = () => ({ ...world.ctx, ports: { ...world.ctx.ports, search: nullSearch } })

  it('PostgreSQL finds by words, and continues its own pages', async () => {
    expect((await discoverListings(ctx(), { text: 'sonnet river', limit: 5 })).listings.map((one) => one.agent_id)).toEqual([agentId])
    expect((await listFacets(ctx(), { text: 'sonnet', limit: 5 })).total).toBe(1)
    const person = world.person()
    const published = await publishListing(person.ctx, { type: 'listing.publish', listing: draftOf({ summary: 'Writes sonnets.' }) })
    const first = await discoverListings(ctx(), { text: 'sonnets', limit: 1 })
    const second = await discoverListings(world.ctx, { text: 'sonnets', limit: 1, after: first.next ?? '' })
    expect(new Set([...first.listings, ...second.listings].map((one) => one.agent_id)).size).toBe(2)
    expect([first.ranks, second.next]).toEqual([[], null])
    await withdrawListing(person.ctx, { type: 'listing.withdraw', agent_id: published.agent_id })
    expect((await discoverListings(ctx(), { text: 'sonnets', limit: 5 })).listings).toHaveLength(1)
  })

  it('a filter that only the index knows is refused for the moment', async () => {
    expect(await codeOf(discoverListings(ctx(), { language: 'de', limit: 5 }))).toBe('server.unavailable')
  })
})
