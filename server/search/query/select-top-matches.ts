/** The order of the results: a key for each listing, and the best of them. */
import type { ListingIndex } from '../index/listing-index.ts'
import type { ListingFilter } from './listing-filter.ts'
import { presenceFunction, presenceWeight, type SlotNumber, scoreFunction } from './presence-and-score-functions.ts'
import type { RankingTerms, Sort } from './search-query.ts'

/** A full score counts this much beside a match of 1. */
export const reputationWeight = 0.1

export type Candidate = { readonly slot: number; readonly key: number }
/** Listings in order of descending key. Ties: the lower price, if prices are compared, then the id. */
export type Order = {
  keyOf(slot: number): number
  /** No key exceeds it. It takes less time than the key, which is rounded. */
  boundOf(slot: number): number
  /** The keys of all slots before rounding, for a search that compares those of nearly all listings. */
  readonly keys: Float64Array | null
  /** No key exceeds the match by more; infinite if keys do not depend on the match. */
  readonly maxBeyondMatch: number
  /** Whether the first comes before the second. */
  isBefore(a: Candidate, b: Candidate): boolean
  /** Whether a listing comes after a place. */
  isAfter(candidate: Candidate, place: Boundary): boolean
  /** The key for a cursor: exact for prices. */
  exactKeyOf(candidate: Candidate): number | bigint
}
export type Boundary = { readonly key: number | bigint; readonly agentId: string }
/** `relevance`: the match of each slot, 0 for none; null for a query without text. */
export type OrderInput = {
  readonly sort: Sort
  readonly terms: RankingTerms
  readonly relevance: Float32Array | null
  readonly filter: ListingFilter
  /** The slots that are looked at; null: all. */
  readonly slots: Uint32Array | null
}

export function createOrder(index: ListingIndex, input: OrderInput): Order {
  const { sort, relevance, slots } = input
  const keys = sort === 'relevance' && relevance === null && slots === null ? keysWithoutText(index, input.terms) : null
  const unrounded = keys === null ? unroundedKey(index, input, (slot) => priceAt(slot).price) : (slot: number) => keys[slot] as number
  const isRounded = sort === 'relevance' || sort === 'score'
  const priceAt = priceFunction(index, sort, input.filter)
  const priceOf = sort === 'price' ? (slot: number) => priceAt(slot).exact : null
  const isEarlierId = (a: number, b: number) => {
    const heads = index.columns.idHead.data
    const [one, other] = [heads[a] as number, heads[b] as number]
    return one === other ? (index.ids[a] as string) < (index.ids[b] as string) : one < other
  }
  return {
    keys,
    keyOf: isRounded ? (slot) => round(unrounded(slot)) : unrounded,
    boundOf: isRounded ? (slot) => unrounded(slot) + 1 / steps : unrounded,
    maxBeyondMatch: sort === 'relevance' && relevance !== null ? reputationWeight + presenceWeight : Number.POSITIVE_INFINITY,
    isBefore(a, b) {
      if (a.key !== b.key) return a.key > b.key
      if (priceOf) {
        const [one, other] = [priceOf(a.slot), priceOf(b.slot)]
        if (one !== other) return one < other
      }
      return isEarlierId(a.slot, b.slot)
    },
    isAfter({ slot, key }, place) {
      const own = priceOf && typeof place.key === 'bigint' ? -priceOf(slot) : key
      if (own !== place.key) return own < place.key
      const head = Number.parseInt(place.agentId.slice(4, 17), 16) || 0
      const ownHead = index.columns.idHead.data[slot] as number
      return ownHead === head ? (index.ids[slot] as string) > place.agentId : ownHead > head
    },
    exactKeyOf: ({ slot, key }) => (priceOf ? -priceOf(slot) : key),
  }
}

/** The formula of `unroundedKey` in one loop without calls. */
function keysWithoutText(index: ListingIndex, terms: RankingTerms): Float64Array {
  const [score, presence] = [scoreFunction(index, terms), presenceFunction(index, terms)]
  const keys = new Float64Array(index.slots)
  for (let slot = 0; slot < keys.length; slot++) keys[slot] = (reputationWeight / 100) * score(slot) + presence(slot)
  return keys
}

function unroundedKey(index: ListingIndex, { sort, terms, relevance }: OrderInput, priceOf: SlotNumber): SlotNumber {
  const [published, paid] = [index.columns.publishedAt.data, index.columns.paidSteps.data]
  const [score, presence] = [scoreFunction(index, terms), presenceFunction(index, terms)]
  switch (sort) {
    case 'relevance':
      return (slot) => (relevance?.[slot] ?? 0) + (reputationWeight / 100) * score(slot) + presence(slot)
    case 'price':
      return (slot) => -priceOf(slot)
    case 'score':
      return score
    case 'newest':
      return (slot) => Math.floor(published[slot] as number)
    case 'paid_steps':
      return (slot) => paid[slot] as number
    default:
      return sort satisfies never
  }
}

const steps = 1e6

function round(value: number): number {
  return Math.round(value * steps) / steps
}

/** The price of the skill whose price counts. Computed once for each slot of a query, because all comparisons ask for it. */
function priceFunction(
  { skills, slots }: ListingIndex,
  sort: Sort,
  filter: ListingFilter,
): (slot: number) => { price: number; exact: bigint } {
  const rows = sort !== 'price' || filter.skillScores === null ? null : new Int32Array(slots)
  const rowOf = (slot: number) => {
    if (rows === null) return filter.priceRowOf(slot)
    // 0: not computed yet.
    if (rows[slot] === 0) rows[slot] = filter.priceRowOf(slot) + 2
    return (rows[slot] as number) - 2
  }
  return (slot) => {
    const row = rowOf(slot)
    return row < 0
      ? { price: Number.POSITIVE_INFINITY, exact: 0n }
      : { price: skills.price.data[row] as number, exact: skills.exactPrice.data[row] as bigint }
  }
}

/** Whether the listing and one of its skills meet all conditions. */
export function isMatch(index: ListingIndex, slot: number, filter: ListingFilter): boolean {
  if (filter.isHidden(slot) || filter.ofListing(slot) !== 0) return false
  if (!filter.hasSkillConditions) return index.columns.skillCount.data[slot] !== 0
  if (filter.skillScores !== null && index.columns.hasPrices.data[slot] === 1) return filter.priceRowOf(slot) >= 0
  const start = index.columns.skillStart.data[slot] as number
  for (let row = start; row < start + (index.columns.skillCount.data[slot] as number); row++) if (filter.ofSkill(row) === 0) return true
  return false
}

export type SlotSelection = {
  readonly order: Order
  /** Those that are looked at, ascending; null: all. */
  readonly slots: Uint32Array | null
  readonly filter: ListingFilter
  readonly relevance: Float32Array | null
  /** By slot: what is known of the conditions. It serves all selections of one query. */
  readonly known: Uint8Array
  /** Left out, by slot. */
  readonly without: ReadonlySet<number>
  readonly after: Boundary | null
}

/** Values of `known`; 0 if the conditions were not tested. */
const [fulfilled, failed] = [1, 2]

/** The first `count` matches in order. */
export function selectTopMatches(
  index: ListingIndex,
  { order, slots, filter, relevance, known, without, after }: SlotSelection,
  count: number,
): Candidate[] {
  const heap: Candidate[] = []
  const isLive = index.columns.isLive.data
  const isFulfilled = (slot: number) => {
    if (known[slot] === 0) known[slot] = isMatch(index, slot, filter) ? fulfilled : failed
    return known[slot] === fulfilled
  }
  // Most listings cannot enter a full heap: compare bounds before keys, and keys before conditions, which cost most. Until it is full,
  // no key excludes a listing, so its conditions are tested first.
  let minMatch = Number.NEGATIVE_INFINITY
  let minKey = Number.NEGATIVE_INFINITY
  const { keys } = order
  const end = slots?.length ?? index.slots
  const scanned = slots === null ? relevance : null
  for (let at = 0; at < end; at++) {
    if (scanned !== null) at = nextAbove(scanned, at, end, minMatch)
    if (at === end) break
    const slot = slots === null ? at : (slots[at] as number)
    if (keys !== null && (keys[slot] as number) < minKey) continue
    const match = relevance === null ? 1 : (relevance[slot] as number)
    if (match <= minMatch || match === 0 || known[slot] === failed || isLive[slot] === 0) continue
    const lowest = heap.length === count ? (heap[0] as Candidate) : null
    if (lowest === null && !isFulfilled(slot)) continue
    if (lowest !== null && (order.boundOf(slot) < lowest.key || !isFulfilled(slot))) continue
    const key = order.keyOf(slot)
    if (without.size > 0 && without.has(slot)) continue
    const candidate = { slot, key }
    if (after !== null && !order.isAfter(candidate, after)) continue
    if (lowest === null) push(heap, candidate, order)
    else if (order.isBefore(candidate, lowest)) replaceLowest(heap, candidate, order)
    if (heap.length === count) {
      minKey = (heap[0] as Candidate).key - 1 / steps
      minMatch = minKey - order.maxBeyondMatch - 1e-5
    }
  }
  return heap.sort((a, b) => (order.isBefore(a, b) ? -1 : 1))
}

/** The next slot with a higher match, or the end. Nearly all listings are skipped here. */
function nextAbove(relevance: Float32Array, from: number, end: number, minMatch: number): number {
  let at = from
  while (at < end && (relevance[at] as number) <= minMatch) at++
  return at
}

/** A heap with the last candidate at its root. */
function push(heap: Candidate[], candidate: Candidate, order: Order): void {
  let at = heap.length
  heap.push(candidate)
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!order.isBefore(heap[parent] as Candidate, candidate)) break
    heap[at] = heap[parent] as Candidate
    at = parent
  }
  heap[at] = candidate
}

function replaceLowest(heap: Candidate[], candidate: Candidate, order: Order): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && order.isBefore(heap[child] as Candidate, heap[child + 1] as Candidate)) child++
    if (!order.isBefore(candidate, heap[child] as Candidate)) break
    heap[at] = heap[child] as Candidate
    at = child
  }
  heap[at] = candidate
}
