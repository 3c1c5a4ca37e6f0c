/** All listings of a market, ready for an index. */
import { openSearchConnection } from '../../db/search-connection.ts'
import type { IndexRecord, SourceListing, Standing } from '../index/index-record.ts'
import { type MarketFacts, readAllListings } from './read-listings-for-index.ts'

/** One snapshot of the database. `xmin`: transactions from this one on are not in it. */
export type Loaded<Item> = {
  readonly xmin: string
  /** In chunks, without standings. */
  readonly chunks: AsyncIterable<readonly Item[]>
  /** Of the agents that have a record. It is awaited after the chunks. */
  standings(): Promise<Iterable<readonly [agentId: string, standing: Standing]>>
}

/** Reads all listings as records. `signal`: ends a load that is no longer needed. */
export type ListingRecordSource = (signal: AbortSignal) => Promise<Loaded<IndexRecord>>

/** Reads the listings on connections of its own. They are closed after the standings, or when `signal` aborts. */
export async function openListingLoad(url: string, market: MarketFacts, signal: AbortSignal): Promise<Loaded<SourceListing>> {
  const connections = await Promise.all([openSearchConnection(url, () => undefined), openSearchConnection(url, () => undefined)])
  const close = () => Promise.all(connections.map((one) => one.close()))
  signal.addEventListener('abort', () => void close(), { once: true })
  const { xmin, chunks, standings } = await readAllListings(...connections, market)
  return {
    ...{ xmin, chunks },
    async standings() {
      const found = await standings
      await close()
      return found
    },
  }
}

/** Reads and prepares the records in the calling thread. */
export function createListingRecordSource(
  url: string,
  market: MarketFacts,
  toRecord: (listing: SourceListing) => IndexRecord,
): ListingRecordSource {
  return async (signal) => {
    const { xmin, chunks, standings } = await openListingLoad(url, market, signal)
    return { xmin, chunks: mapChunks(chunks, toRecord), standings }
  }
}

async function* mapChunks<From, To>(chunks: AsyncIterable<readonly From[]>, change: (one: From) => To): AsyncGenerator<To[]> {
  for await (const chunk of chunks) yield chunk.map(change)
}
