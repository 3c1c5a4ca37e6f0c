/** Full-text search: answers queries on one index. */
import { type ListingIndex, shortIdOf, standingOf } from '../index/listing-index.ts'
import { countFacets } from './count-facets.ts'
import { diversifyFirstResults, type Head } from './diversify-first-results.ts'
import { candidateSlots, createListingFilter } from './listing-filter.ts'
import { createTermMarks } from './listing-text-similarity.ts'
import { presenceFunction, scoreFunction } from './presence-and-score-functions.ts'
import { explainText, planText, type Scratch, scoreText, type TextPlan } from './score-text.ts'
import { maxShown, type Place, readSearchCursor, writeSearchCursor } from './search-cursor.ts'
import type { FacetCounts, FacetQuery, Hit, Rank, RankingTerms, SearchQuery, SearchResult } from './search-query.ts'
import { type Candidate, createOrder, type Order, reputationWeight, type SlotSelection, selectTopMatches } from './select-top-matches.ts'
import { addSemanticMatch, embedQuery, rescored, type SemanticComparison } from './semantic-match.ts'

/** How many candidates the first results are picked from; more if copies of one listing fill them. */
const headCandidates = 128
/** A flood of more listings may fill the first results. */
const maxHeadCandidates = 16_384

/** A search in progress. `shown`: the slots of earlier results among the first ten. */
type Search = {
  readonly index: ListingIndex
  readonly scratch: Scratch
  readonly query: SearchQuery
  readonly terms: RankingTerms
  readonly plan: TextPlan | null
  /** Null without text or without vectors. */
  readonly meaning: SemanticComparison | null
  readonly place: Place
  readonly order: Order
  readonly selection: Omit<SlotSelection, 'without' | 'after'>
  readonly shown: readonly number[]
  /** The first matches, as far as the exact comparison has found them; otherwise empty. */
  readonly first: readonly Candidate[]
}

export function createScratch(): Scratch {
  return { scores: new Float32Array(0), best: new Float32Array(0), marks: createTermMarks() }
}

const nothing: SearchResult = { hits: [], isLast: true }

/** @throws {CursorProblem} */
export function searchListings(index: ListingIndex, query: SearchQuery, scratch: Scratch): SearchResult {
  const search = openSearch(index, query, scratch)
  return search === null ? nothing : query.sort === 'relevance' ? relevancePage(search) : sortedPage(search)
}

/** Null if no listing can match. */
function openSearch(index: ListingIndex, query: SearchQuery, scratch: Scratch): Search | null {
  const start: Place = { now: query.terms.now, prior: Math.fround(query.terms.prior), weights: [], shown: [], rescored: null, after: null }
  const from = query.after === undefined ? start : readSearchCursor(query, query.after)
  const terms = { ...query.terms, now: from.now, prior: from.prior }
  const plan = hasText(query) ? planText(index, query.text, query.after === undefined ? undefined : from.weights) : null
  const { relevance, meaning } = matchText(index, plan, query, scratch)
  if (plan !== null && plan.sum === 0 && meaning === null) return null
  // Not the cursor's time: its bearer can change that.
  const filter = createListingFilter(index, query, terms, { now: query.terms.now, plan })
  const slots = candidateSlots(index, query)
  const order = createOrder(index, { sort: query.sort, terms, relevance, filter, slots })
  const shown = findSlots(index, from.shown)
  const selection = { order, slots, filter, relevance, known: new Uint8Array(index.slots) }
  const isRescored = meaning?.isEstimated === true && query.sort === 'relevance'
  const { lowest, first } = isRescored ? rescoreFirst(index, selection, meaning, from.rescored) : { lowest: null, first: [] }
  const place = { ...from, weights: plan?.words.map(({ weight }) => weight) ?? [], rescored: lowest }
  return { index, scratch, query, terms, plan, meaning, place, order, selection, shown, first }
}

/** The match of each slot; null for a query without text. */
type Match = { readonly relevance: Float32Array | null; readonly meaning: SemanticComparison | null }

function matchText(index: ListingIndex, plan: TextPlan | null, { vector }: Pick<SearchQuery, 'vector'>, scratch: Scratch): Match {
  if (plan === null) return { relevance: null, meaning: null }
  const relevance = scoreText(index, plan, scratch)
  const embedder = index.vectors?.embedder
  const own = vector ?? (embedder && 'embedTerms' in embedder ? embedQuery(index, plan, embedder) : undefined)
  return { relevance, meaning: own === undefined ? null : addSemanticMatch(index, relevance, { vector: own, words: plan.words.length }) }
}

const maxEstimated = rescored + 48
type RescoredMatches = { readonly lowest: number; readonly first: readonly Candidate[] }

/**
 * Replaces the estimated matches of the first listings by exact ones. Returns the lowest key of them, by estimates. On later pages it is
 * given, so that the same listings are compared exactly.
 */
function rescoreFirst(
  index: ListingIndex,
  selection: Search['selection'],
  meaning: SemanticComparison,
  lowest: number | null,
): RescoredMatches {
  // More than are compared: those that tie with the last one are, too, and some of the others come to stand before them.
  const estimated = selectTopMatches(index, { ...selection, without: new Set(), after: null }, maxEstimated)
  const limit = lowest ?? (estimated[rescored - 1] ?? estimated.at(-1))?.key ?? 0
  const relevance = selection.relevance as Float32Array
  const { order } = selection
  const exact = estimated.map((candidate) => {
    const { slot, key } = candidate
    if (key < limit || (relevance[slot] as number) <= 0) return candidate
    relevance[slot] = meaning.exactMatch(slot)
    return { slot, key: order.keyOf(slot) }
  })
  // Listings behind the last one, which were not selected, may come before those that have fallen behind it.
  const last = estimated.length < maxEstimated ? undefined : estimated.at(-1)
  const first = last === undefined ? exact : exact.filter((candidate) => order.isBefore(candidate, last))
  return { lowest: limit, first: first.sort((a, b) => (order.isBefore(a, b) ? -1 : 1)) }
}

/** The current slots of listings that earlier pages have shown. */
function findSlots({ slots, columns }: ListingIndex, shown: readonly number[]): number[] {
  const [known, found] = [new Set(shown), [] as number[]]
  for (let slot = 0; known.size > 0 && slot < slots; slot++)
    if (columns.isLive.data[slot] === 1 && known.has(columns.idTail.data[slot] as number)) found.push(slot)
  return found
}

function hasText(query: { readonly text?: string | undefined }): query is { readonly text: string } {
  return query.text !== undefined && query.text.trim() !== ''
}

/** A page in the order that the caller asked for. */
function sortedPage(search: Search): SearchResult {
  const { index, selection, place, query } = search
  const found = selectTopMatches(index, { ...selection, without: new Set(), after: place.after }, query.limit + 1)
  const hits = found.slice(0, query.limit).map((candidate) => hitOf(search, candidate, tailPlace))
  return { hits, isLast: found.length <= query.limit }
}

/** A page by relevance: the rest of the first ten, which are picked, and all others in order. */
function relevancePage(search: Search): SearchResult {
  const { index, query, selection, place, shown } = search
  const isHead = place.after === null && place.shown.length < maxShown
  const { candidates, picked: all, demoted } = isHead ? pickFirst(search) : noHead
  const picked = all.slice(0, query.limit)
  const before = [...place.shown]
  const highest = candidates.find(({ slot }) => demoted.has(slot))?.key ?? Number.NEGATIVE_INFINITY
  const hits = picked.map((candidate) => {
    before.push(shortIdOf(index.ids[candidate.slot] as string))
    return hitOf(search, candidate, { ...tailPlace, shown: [...before], isHead: true, isBeforeHigher: candidate.key < highest })
  })
  if (picked.length < all.length) return { hits, isLast: false }
  const count = query.limit - picked.length + 1
  const without = new Set([...shown, ...picked.map(({ slot }) => slot)])
  const left = candidates.filter(({ slot }) => !without.has(slot)).slice(0, count)
  const rest = isHead && left.length === count ? left : selectTopMatches(index, { ...selection, without, after: place.after }, count)
  const tail = rest.slice(0, count - 1)
  hits.push(
    ...tail.map((candidate) => hitOf(search, candidate, { ...tailPlace, shown: before, demotedBy: demoted.get(candidate.slot) ?? null })),
  )
  return { hits, isLast: rest.length === tail.length }
}

type FirstResults = Head & { readonly candidates: readonly Candidate[] }
const noHead: FirstResults = { candidates: [], picked: [], demoted: new Map() }

function pickFirst({ index, scratch, selection, place, shown, first }: Search): FirstResults {
  const count = maxShown - place.shown.length
  for (let size = headCandidates; ; size *= 8) {
    // With those that earlier pages showed, so that all pages cluster the same listings.
    const candidates =
      first.length >= size ? first.slice(0, size) : selectTopMatches(index, { ...selection, without: new Set(), after: null }, size)
    const head = diversifyFirstResults(index, candidates, { shown, count, marks: scratch.marks })
    if (head.picked.length === count || candidates.length < size || size >= maxHeadCandidates) return { ...head, candidates }
  }
}

type HitPlace = Pick<Rank, 'demotedBy' | 'isBeforeHigher'> & { readonly shown: readonly number[]; readonly isHead: boolean }
const tailPlace: HitPlace = { shown: [], demotedBy: null, isBeforeHigher: false, isHead: false }

function hitOf(search: Search, candidate: Candidate, { shown, isHead, ...displaced }: HitPlace): Hit {
  const { index, query, place, order } = search
  const agentId = index.ids[candidate.slot] as string
  const after = isHead ? null : { key: order.exactKeyOf(candidate), agentId }
  const cursor = writeSearchCursor(query, { ...place, shown, after })
  return {
    agentId,
    skillId: skillOf(search, candidate.slot),
    rank: { ...rankOf(search, candidate.slot), ...displaced },
    standing: standingOf(index, candidate.slot),
    cursor,
  }
}

/** The skill whose price counts, if the words decide it. */
function skillOf({ index, selection: { filter } }: Search, slot: number): string | null {
  const scores = filter.skillScores?.(slot) ?? null
  const row = scores === null ? -1 : filter.priceRowOf(slot)
  return row < 0 || scores?.[row] === 0 ? null : (index.skills.ids.texts[index.skills.id.data[row] as number] as string)
}

function rankOf({ index, terms, plan, meaning, selection }: Search, slot: number): Omit<Rank, 'demotedBy' | 'isBeforeHigher'> {
  const match = selection.relevance?.[slot] ?? 0
  const text = digits(Math.max(0, match))
  const reputation = digits((reputationWeight * scoreFunction(index, terms)(slot)) / 100)
  const presence = digits(presenceFunction(index, terms)(slot))
  return {
    total: digits(text + reputation + presence),
    text,
    meaning: meaning && digits(meaning.similarityOf(slot)),
    isAdvertised: match < 0,
    reputation,
    presence,
    words: plan === null ? [] : explainText(index, plan, slot),
  }
}

function digits(value: number): number {
  return Math.round(value * 1e4) / 1e4
}

/** The number of matches for each further filter. */
export function facetsOf(index: ListingIndex, query: FacetQuery, scratch: Scratch): FacetCounts {
  const plan = hasText(query) ? planText(index, query.text) : null
  return countFacets(index, query, { plan, relevance: matchText(index, plan, query, scratch).relevance })
}
