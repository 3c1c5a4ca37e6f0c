/** The index that answers queries, and its replacement while one is built. */
import { type Compaction, needsCompaction, startCompaction } from '../index/compaction.ts'
import { type IndexRecord, type PresenceTimes, type SourceListing, type Standing, toIndexRecord } from '../index/index-record.ts'
import {
  createListingIndex,
  finishLoading,
  isIntact,
  type ListingIndex,
  putRecord,
  removeListing,
  setPresence,
  setStanding,
} from '../index/listing-index.ts'
import type { Embedder } from '../meaning/embedder.ts'
import type { Scratch } from '../query/score-text.ts'
import { createScratch, facetsOf, searchListings } from '../query/search-listings.ts'
import type { FacetCounts, FacetQuery, SearchQuery, SearchResult } from '../query/search-query.ts'

export type Engine = {
  /** @throws {CursorProblem}; any other error means that the index is damaged */
  search(query: SearchQuery): SearchResult
  countFacets(query: FacetQuery): FacetCounts
  isReady(): boolean
  size(): number
  has(agentId: string): boolean
  stampOf(agentId: string): string | undefined
  ids(): string[]
  put(listing: SourceListing): void
  /** What a loader takes. */
  toRecord(listing: SourceListing): IndexRecord
  remove(agentId: string): void
  setStanding(agentId: string, standing: Standing): void
  setPresence(agentId: string, presence: PresenceTimes): void
  /** Up to so many listings without a vector. */
  withoutVector(limit: number): string[]
  /** Sets the vector of a listing's texts, unless the listing has changed since. */
  setVector(listing: Pick<SourceListing, 'agentId' | 'stamp'>, vector: Float32Array): void
  /** Records a heartbeat. It never brings back an agent that has left. */
  markSeen(agentId: string, seenAt: number): void
  /** Whether the stored terms of a listing are as they were written. */
  isIntact(agentId: string): boolean
  /** A loader for a new index. The current one answers until `finish`. */
  load(): Loader
  /** One step of housekeeping. False if there is nothing to do. */
  compact(): boolean
}
export type Loader = {
  put(record: IndexRecord): void
  /** For a listing that was put; others are ignored. */
  setStanding(agentId: string, standing: Standing): void
  finish(): Iterable<void>
}

/** `compaction`: a copy of the index in the making. */
export type EngineState = { index: ListingIndex | null; compaction: Compaction | null; scratch: Scratch }

/** `embedder`: null if meanings are not compared. */
export function createIndexEngine(
  embedder: Embedder | null = null,
  state: EngineState = { index: null, compaction: null, scratch: createScratch() },
): Engine {
  const own = embedder && 'embedTerms' in embedder ? embedder : null
  const toRecord = (listing: SourceListing) => toIndexRecord(listing, own)
  const current = (): ListingIndex => {
    if (state.index === null) throw new Error('There is no search index.')
    return state.index
  }
  const slotOf = (agentId: string) => state.index?.slotOf.get(agentId)
  return {
    search: (query) => searchListings(current(), query, state.scratch),
    countFacets: (query) => facetsOf(current(), query, state.scratch),
    isReady: () => state.index !== null,
    size: () => state.index?.live ?? 0,
    has: (agentId) => slotOf(agentId) !== undefined,
    stampOf(agentId) {
      const slot = slotOf(agentId)
      return slot === undefined ? undefined : state.index?.stamps[slot]
    },
    ids: () => [...(state.index?.slotOf.keys() ?? [])],
    toRecord,
    put(listing) {
      putRecord(current(), toRecord(listing))
      // The compaction copies the new version at its end.
      if (state.compaction !== null) removeListing(state.compaction.target, listing.agentId)
    },
    remove: (agentId) => change(state, agentId, (index) => removeListing(index, agentId)),
    setStanding: (agentId, standing) => change(state, agentId, (index, slot) => setStanding(index, slot, standing)),
    setPresence: (agentId, presence) => change(state, agentId, (index, slot) => setPresence(index, slot, presence)),
    withoutVector: (limit) => listWithoutVector(state.index, limit),
    setVector: ({ agentId, stamp }, vector) =>
      change(state, agentId, ({ stamps, vectors }, slot) => {
        if (stamps[slot] === stamp) vectors?.ofTexts.put(slot, vector)
      }),
    markSeen: (agentId, seenAt) =>
      change(state, agentId, ({ columns }, slot) => {
        if (!((columns.seenAt.data[slot] as number) > seenAt)) columns.seenAt.data[slot] = seenAt
      }),
    isIntact(agentId) {
      const slot = slotOf(agentId)
      return slot === undefined || isIntact(current(), slot)
    },
    load: () => createLoader(state, embedder),
    compact: () => compactStep(state),
  }
}

function listWithoutVector(index: ListingIndex | null, limit: number): string[] {
  const found: string[] = []
  for (let slot = 0; index?.vectors && slot < index.slots && found.length < limit; slot++)
    if (index.columns.isLive.data[slot] === 1 && !index.vectors.ofTexts.has(slot)) found.push(index.ids[slot] as string)
  return found
}

/** Applies a change to the index, and to its compacted copy. */
function change({ index, compaction }: EngineState, agentId: string, apply: (index: ListingIndex, slot: number) => void): void {
  for (const one of [index, compaction?.target]) {
    const slot = one?.slotOf.get(agentId)
    if (one && slot !== undefined) apply(one, slot)
  }
}

function createLoader(state: EngineState, embedder: Embedder | null): Loader {
  const next = createListingIndex(embedder)
  next.isLoading = true
  return {
    put: (record) => putRecord(next, record),
    setStanding(agentId, standing) {
      const slot = next.slotOf.get(agentId)
      if (slot !== undefined) setStanding(next, slot, standing)
    },
    *finish() {
      yield* finishLoading(next)
      Object.assign(state, { index: next, compaction: null, scratch: createScratch() })
    },
  }
}

function compactStep(state: EngineState): boolean {
  if (state.index === null) return false
  if (state.compaction === null) {
    if (!needsCompaction(state.index)) return false
    state.compaction = startCompaction(state.index)
  }
  if (state.compaction.step()) Object.assign(state, { index: state.compaction.target, compaction: null })
  return true
}
