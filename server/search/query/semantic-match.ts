/** Adds the similarity of meaning to the match of words. */
import type { ListingIndex } from '../index/listing-index.ts'
import type { TermEmbedder } from '../meaning/embedder.ts'
import type { VectorStore } from '../meaning/vector-store.ts'
import type { TextPlan } from './score-text.ts'

/** The similarity of meaning counts this much beside the match of words. */
const meaningWeight = 0.75
/** A query of more words often names several needs. Their common vector has the meaning of none, so it counts less. */
const maxFocused = 6
/** A listing without a word of the query matches from this similarity on. Estimates need more: they differ by 0.1 from the similarity. */
export const minSimilarity = 0.25
const minEstimate = 0.35
/** A listing that matches by the estimate stays a match, so that counts and pages agree. */
const minMatch = 1e-6
/** Up to this many listings, all are compared exactly. */
export const maxExact = 10_000
/** Of more listings, so many are compared exactly: the first ones by an estimate from one bit per dimension. */
export const rescored = 160

/** A query's comparison of meanings with the listings of an index. */
export type SemanticComparison = {
  /** Whether the match is an estimate, which `exactMatch` replaces. */
  readonly isEstimated: boolean
  /** The cosine similarity of a listing's text to the query, 0 to 1; that of its advertised vector if only this one matches. */
  similarityOf(slot: number): number
  /** The match of a listing, with the exact similarity. */
  exactMatch(slot: number): number
}

/** The vector of a query. Mistyped words count as the terms that they stand for. */
export function embedQuery({ vocabulary }: ListingIndex, { words }: TextPlan, embedder: TermEmbedder): Float32Array {
  const counts = new Map<string, number>()
  for (const { word, terms, parts } of words) {
    const [first] = terms
    if (parts !== null && first?.kind !== 'exact') {
      for (const code of parts.codes) counts.set(vocabulary.terms.texts[code] as string, 1)
      continue
    }
    const isOther = first !== undefined && first.kind !== 'exact'
    counts.set(isOther ? (vocabulary.terms.texts[first.code] as string) : word.term, 1)
  }
  return embedder.embedTerms(counts)
}

/**
 * Changes `relevance`, the match of the words in the scores of the texts' vectors, into the match of words and meaning. Listings of which
 * only the advertised vector matches get a negative one: they come after all others.
 */
export function addSemanticMatch(
  index: ListingIndex,
  relevance: Float32Array,
  { vector, words: count }: { readonly vector: Float32Array; readonly words: number },
): SemanticComparison | null {
  const { vectors, slots } = index
  if (vectors === null || vector.length !== vectors.embedder.dimensions) return null
  const { ofTexts, advertised, rowOf } = vectors
  ofTexts.setQuery(vector)
  advertised.setQuery(vector)
  const isEstimated = slots > maxExact
  const focus = focusOf(count)
  const estimates = isEstimated ? estimatesByDistance(ofTexts.dimensions) : null
  const compared = estimates === null ? ofTexts.similarities(slots) : addEstimates(ofTexts, slots, estimates, focus)
  const similarityTo = (slot: number) => (estimates === null ? (compared[slot] as number) : (estimates[compared[slot] as number] as number))
  if (estimates === null) blendExactly(relevance, compared as Float32Array, slots, focus)
  addAdvertised(index, relevance)
  return {
    isEstimated,
    similarityOf(slot) {
      const row = (relevance[slot] as number) < 0 ? rowOf.get(slot) : undefined
      return Math.max(0, row === undefined ? ofTexts.similarity(slot) : advertised.similarity(row))
    },
    exactMatch: (slot) =>
      Math.max(minMatch, (relevance[slot] as number) + blend(0, ofTexts.similarity(slot), focus) - blend(0, similarityTo(slot), focus)),
  }
}

function blendExactly(relevance: Float32Array, similarities: Float32Array, slots: number, focus: number): void {
  for (let slot = 0; slot < slots; slot++) {
    const [words, similarity] = [relevance[slot] as number, similarities[slot] as number]
    relevance[slot] = words > 0 || similarity >= minSimilarity ? blend(words, similarity, focus) : 0
  }
}

/**
 * The same for estimates, of which there are few. The part of the meaning is computed once for each distance, for listings without and with
 * a word of the query. Changes the scores of the store.
 */
function addEstimates(texts: VectorStore, slots: number, estimates: Float32Array, focus: number): Uint16Array {
  const size = estimates.length
  const parts = Float64Array.from({ length: 2 * size }, (_, at) => {
    const similarity = estimates[at % size] as number
    return at >= size || similarity >= minEstimate ? blend(0, similarity, focus) : 0
  })
  return texts.addByDistance(slots, blend(1, 0, focus), parts)
}

/** How much the meaning of a query with so many words counts, 0 to 1. */
export function focusOf(words: number): number {
  return Math.min(1, maxFocused / Math.max(1, words)) ** 1.5
}

/** A text of one word is the most similar one to a query of this word, and says the least. More similar texts count as this similar. */
const maxSimilarity = 0.6

/** The match of words and meaning, 0 to 1. A small similarity is chance, so a large one counts more than its share. */
export function blend(words: number, similarity: number, focus: number): number {
  const positive = Math.min(maxSimilarity, Math.max(0, similarity))
  return (words + focus * meaningWeight * positive * Math.sqrt(positive)) / (1 + meaningWeight)
}

/** The cosine similarity that each Hamming distance stands for: the share of different signs estimates the angle. */
function estimatesByDistance(dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions + 1 }, (_, distance) => Math.cos((Math.PI * distance) / dimensions))
}

/** A vector that an agent chose itself never places it before a listing whose text matches. */
function addAdvertised({ vectors, columns }: ListingIndex, relevance: Float32Array): void {
  if (vectors === null || vectors.slots.length === 0) return
  const similarities = vectors.advertised.similarities(vectors.slots.length)
  vectors.slots.forEach((slot, row) => {
    const similarity = similarities[row] as number
    if (columns.isLive.data[slot] === 1 && relevance[slot] === 0 && similarity >= minSimilarity) relevance[slot] = similarity - 2
  })
}
