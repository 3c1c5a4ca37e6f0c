import type { IndexRecord, SourceListing, Standing } from '../index/index-record.ts'
import type { EmbeddingEndpoint } from '../meaning/endpoint-embedder.ts'
import type { FacetCounts, FacetQuery, SearchQuery, SearchResult } from '../query/search-query.ts'
import type { SyncEvent } from '../sync/index-synchronizer.ts'

/** What the thread of the index is given at its start. `embedding`: the embedder; undefined for the local one. */
export type WorkerSettings = { readonly url: string; readonly asset: string; readonly embedding?: EmbeddingEndpoint | undefined }

export type SearchRequest = { readonly id: number } & (
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'facets'; readonly query: FacetQuery }
  | { readonly kind: 'status' }
  | { readonly kind: 'close' }
)
/** `ageMs`: how long ago the index had all changes; null before the first load. */
export type IndexStatus = { readonly listings: number; readonly ageMs: number | null; readonly heapBytes: number }
export type SearchAnswer = { readonly id: number } & (
  | { readonly kind: 'search'; readonly result: SearchResult }
  | { readonly kind: 'facets'; readonly counts: FacetCounts }
  | { readonly kind: 'status'; readonly status: IndexStatus }
  | { readonly kind: 'closed' }
  /** `unready`: there is no index yet, or it is damaged. `cursor`: the cursor was not made for this query. */
  | { readonly kind: 'failed'; readonly reason: 'unready' | 'cursor' }
)
export type WorkerMessage = { readonly answer: SearchAnswer } | { readonly report: SyncEvent | EmbeddingFailure }
/** The listings without a vector are found by words only, until a later attempt succeeds. */
export type EmbeddingFailure = { readonly event: 'embedding_failed'; readonly message: string }

/** What the thread of a load is given at its start. `embedsTexts`: with the local embedder. */
export type LoadSettings = { readonly url: string; readonly asset: string; readonly embedsTexts: boolean }
/** In this order: the snapshot, the listings, their standings. `listings`: those that the receiver prepares, because it waits for work. */
export type LoadMessage =
  | { readonly xmin: string }
  | { readonly records: readonly IndexRecord[] }
  | { readonly listings: readonly SourceListing[] }
  | { readonly standings: readonly (readonly [agentId: string, standing: Standing])[] }
