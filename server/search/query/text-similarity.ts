/** How alike the texts of two listings are: the Jaccard similarity of their terms, in which rare terms weigh more. */
import type { ListingIndex } from '../index/listing-index.ts'
import { impactBits } from '../index/vocabulary.ts'
import { signatureSimilarity, wordsOfSignatures } from '../text/minhash-signature.ts'

/** Less similar signatures, which are estimates, need no comparison of terms. */
const minEstimate = 0.25

/** 0 to 1 for two slots. Fastest if the first one stays the same for many comparisons. */
export type TextSimilarity = (a: number, b: number) => number

/** `packed`: the terms of a listing with their impacts. `sum`: of their weights. */
type WeightedTerms = { readonly packed: Uint32Array; readonly sum: number }
/**
 * Working memory of the queries. `marked`: by term code, the weight of the terms of one listing; 0 for all others. `terms`: of that
 * listing. `weights`: by term code, 0 where not computed yet. They hold for some queries, because they change little with the index.
 */
export type TermMarks = {
  index: ListingIndex | null
  queries: number
  marked: Float32Array
  terms: Uint32Array
  weights: Float32Array
}

const queriesPerWeights = 64

export function createTermMarks(): TermMarks {
  return { index: null, queries: 0, marked: new Float32Array(0), terms: new Uint32Array(0), weights: new Float32Array(0) }
}

function renewWeights(marks: TermMarks, index: ListingIndex): void {
  const size = index.vocabulary.frequency.data.length
  if (marks.index !== index || marks.marked.length !== size) {
    Object.assign(marks, { ...createTermMarks(), index, marked: new Float32Array(size), weights: new Float32Array(size) })
  } else if (marks.queries % queriesPerWeights === 0) marks.weights.fill(0)
  marks.queries++
}

/** Compares the texts of slots, and keeps what is known of their terms for the next comparison. */
export function createTextSimilarity(index: ListingIndex, marks: TermMarks): TextSimilarity {
  renewWeights(marks, index)
  const known = new Map<number, WeightedTerms>()
  const termsOf = (slot: number) => {
    const found = known.get(slot)
    if (found !== undefined) return found
    const terms = weightedTerms(index, slot, marks.weights)
    known.set(slot, terms)
    return terms
  }
  const signatures = wordsOfSignatures(index.columns.signature.data)
  let marked = -1
  return (a, b) => {
    if (signatureSimilarity(signatures, a, b) < minEstimate) return 0
    const [one, other] = [termsOf(a), termsOf(b)]
    if (marked !== a) mark(one, marks)
    marked = a
    const shared = sharedWeight(other, marks.marked)
    const all = one.sum + other.sum - shared
    return all <= 0 ? 0 : shared / all
  }
}

/** The terms have a weight since their sum was computed. */
function mark({ packed }: WeightedTerms, marks: TermMarks): void {
  const { marked, weights, terms } = marks
  for (let i = 0; i < terms.length; i++) marked[(terms[i] as number) >>> impactBits] = 0
  for (let i = 0; i < packed.length; i++) {
    const code = (packed[i] as number) >>> impactBits
    marked[code] = weights[code] as number
  }
  marks.terms = packed
}

/** The weight of the terms that a listing shares with the marked one. */
function sharedWeight({ packed }: WeightedTerms, marked: Float32Array): number {
  let shared = 0
  for (let i = 0; i < packed.length; i++) shared += marked[(packed[i] as number) >>> impactBits] as number
  return shared
}

/** Terms that no other listing has count at most this share of the others: the author of a copy can add any number of them. */
const maxUniqueShare = 0.4

/** Rare terms weigh more. Writes the missing `weights` of the listing's terms. */
function weightedTerms(index: ListingIndex, slot: number, weights: Float32Array): WeightedTerms {
  const { terms, termStart, termCount, vocabulary, live } = index
  const start = termStart.data[slot] as number
  const packed = terms.items.data.subarray(start, start + (termCount.data[slot] as number))
  const frequencies = vocabulary.frequency.data
  let [common, unique] = [0, 0]
  for (let i = 0; i < packed.length; i++) {
    const code = (packed[i] as number) >>> impactBits
    const frequency = frequencies[code] as number
    if (weights[code] === 0) weights[code] = Math.log(1 + live / (frequency + 1))
    if (frequency < 2) unique += weights[code] as number
    else common += weights[code] as number
  }
  return { packed, sum: common + Math.min(unique, maxUniqueShare * common) }
}
