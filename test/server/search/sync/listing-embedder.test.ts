import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../../../server/log.ts'
import { publishListing } from '../../../../server/registry/index.ts'
import { createListingSearch, type ListingSearch } from '../../../../server/search/listing-search.ts'
import type { SearchResult } from '../../../../server/search/query/search-query.ts'
import { draftOf, openRoomWorld } from '../../database-only-world.ts'
import { query } from '../sample-listings.ts'

const world = openRoomWorld()
const asked: string[] = []
const searches: ListingSearch[] = []
let isDown = true
let server: Server
let agentId: string

/** An endpoint with two meanings: water, and everything else. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { input } = JSON.parse(body) as { input: string[] }
    asked.push(...input)
    const data = input.map((text, index) => ({
      index,
      embedding: Array.from({ length: 8 }, (_, at) => (at === (/river|brook/i.test(text) ? 0 : 1) ? 1 : 0)),
    }))
    response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const draft = draftOf({ summary: 'Writes sonnets about rivers.' })
  agentId = (await publishListing(world.person().ctx, { type: 'listing.publish', listing: draft })).agent_id
})
afterAll(async () => {
  await Promise.all(searches.map((one) => one.close()))
  server.close()
})

function openSearch(): ListingSearch {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const search = createListingSearch({
    ...{ url: world.url, asset: 'iso4217:USD', log: createLog('test', 'silent'), startWaitMs: 60_000 },
    embedding: { url, model: 'fake', dimensions: 8 },
  })
  searches.push(search)
  return search
}

async function find(search: ListingSearch, text: string): Promise<string[]> {
  const answer = await search.search(query({ text, terms: { ...query().terms, now: world.clock.now().getTime() } }))
  return (answer as SearchResult).hits.map((hit) => hit.agentId)
}

async function untilFound(search: ListingSearch, text: string): Promise<void> {
  for (let attempt = 0; attempt < 200 && !(await find(search, text)).includes(agentId); attempt++) await pause(100)
  expect(await find(search, text)).toEqual([agentId])
}

describe('an embedder outside of the process', () => {
  it('is not needed for words', async () => {
    const search = openSearch()
    expect(await find(search, 'sonnets')).toEqual([agentId])
    expect(await find(search, 'brooks')).toEqual([])
  })

  it('gives listings a meaning after a failure', async () => {
    isDown = false
    await untilFound(searches[0] as ListingSearch, 'small brooks')
    const rows = await world.db.listingVector.findMany()
    expect(rows).toMatchObject([{ agentId, model: 'fake/8' }])
  })

  it('embeds a listing once for all processes', async () => {
    const before = asked.filter((text) => text.includes('sonnets about rivers')).length
    await untilFound(openSearch(), 'another brook')
    expect(asked.filter((text) => text.includes('sonnets about rivers'))).toHaveLength(before)
  })
})
