import { expect, it } from 'vitest'
import { publishListing } from '../../../../server/registry/index.ts'
import { type IndexRecord, toIndexRecord } from '../../../../server/search/index/index-record.ts'
import { readLocalEmbedder } from '../../../../server/search/meaning/local-embedder.ts'
import { createListingRecordSource, type ListingRecordSource } from '../../../../server/search/sync/listing-record-source.ts'
import { createListingLoadThread } from '../../../../server/search/worker/listing-load-thread.ts'
import { draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const asset = 'iso4217:USD'
const embedder = readLocalEmbedder()
const toRecord = (listing: Parameters<typeof toIndexRecord>[0]) => toIndexRecord(listing, embedder)
const threadOn = (url: string) => createListingLoadThread({ url, asset, embedsTexts: true }, toRecord)

async function readAll(source: ListingRecordSource, signal = new AbortController().signal) {
  const { xmin, chunks, standings } = await source(signal)
  const records: IndexRecord[] = []
  for await (const chunk of chunks) records.push(...chunk)
  return { xmin, records: records.sort((a, b) => (a.agentId < b.agentId ? -1 : 1)), standings: [...(await standings())] }
}

it('gives the records that the calling thread would read, whichever thread prepares them', async () => {
  const owner = world.person()
  for (let n = 0; n < 130; n++)
    await publishListing(owner.ctx, { type: 'listing.publish', listing: draftOf({ summary: `Paints portrait number ${n}.` }) })
  const own = await readAll(createListingRecordSource(world.url, { asset }, toRecord))
  const ofThread = await readAll(threadOn(world.url))
  expect(own.records).toHaveLength(130)
  expect(ofThread.records).toEqual(own.records)
  expect(ofThread.standings).toEqual(own.standings)
  expect(BigInt(ofThread.xmin)).toBeGreaterThanOrEqual(BigInt(own.xmin))
})

it('fails if the database cannot be reached', async () => {
  await expect(readAll(threadOn('postgresql://parley@127.0.0.1:1/none'))).rejects.toThrow(/ECONNREFUSED/)
})

it('fails if it is ended before its first message', async () => {
  const ended = new AbortController()
  const reading = readAll(threadOn(world.url), ended.signal)
  ended.abort()
  await expect(reading).rejects.toThrow('ended early')
})
