/** How alike the texts of two listings are: the Jaccard similarity of their terms, in which rare terms weigh more. */
import { createGrowableColumn, createLists, type GrowableColumn, type Lists } from '../index/growable-column.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { impactBits } from '../index/vocabulary.ts'
import { signatureSimilarity, wordsOfSignatures } from '../text/minhash-signature.ts'

/** Less similar signatures, which are estimates, need no comparison of terms. */
const minEstimate = 0.25

/** 0 to 1 for two slots. Fastest if the first one stays the same for many comparisons. */
export type ListingTextSimilarity = (a: number, b: number) => number

/** `from` and `to`: the terms of a listing in `TermMarks.ids`. `sum`: of their weights. */
type WeightedTerms = { readonly from: number; readonly to: number; readonly sum: number }
/**
 * Working memory of the queries. `weights`: by term code, 0 where not computed yet, negative for terms of one listing. They hold for some
 * queries, because they change little with the index. The terms of the compared listings have small ids in one query, so that a comparison
 * fits into the processor's cache. `idOf` is by term code, from 1 on, 0 for other terms; `codes` and `marked` are by id. `marked`: the
 * weight of the terms of one listing; 0 for all others.
 */
export type TermMarks = {
  index: ListingIndex | null
  queries: number
  weights: Float32Array
  idOf: Uint32Array
  readonly codes: Lists
  readonly marked: GrowableColumn<Float32Array>
  readonly ids: Lists
}

const queriesPerWeights = 64

export function createTermMarks(): TermMarks {
  return {
    ...{ index: null, queries: 0, weights: new Float32Array(0), idOf: new Uint32Array(0), codes: createLists() },
    ...{ marked: createGrowableColumn(Float32Array), ids: createLists() },
  }
}

function renewMarks(marks: TermMarks, index: ListingIndex): void {
  const size = index.vocabulary.frequency.data.length
  if (marks.index !== index || marks.weights.length !== size)
    Object.assign(marks, { index, queries: 0, weights: new Float32Array(size), idOf: new Uint32Array(size) })
  else for (let id = 1; id < marks.codes.used; id++) marks.idOf[marks.codes.items.data[id] as number] = 0
  marks.marked.data.fill(0, 0, marks.codes.used)
  marks.codes.used = 1
  marks.ids.used = 0
  if (marks.queries % queriesPerWeights === 0) marks.weights.fill(0)
  marks.queries++
}

/** Compares the texts of slots, and keeps what is known of their terms for the next comparison. */
export function createListingTextSimilarity(index: ListingIndex, marks: TermMarks): ListingTextSimilarity {
  renewMarks(marks, index)
  const known = new Map<number, WeightedTerms>()
  const termsOf = (slot: number) => {
    const found = known.get(slot)
    if (found !== undefined) return found
    const terms = weightedTerms(index, slot, marks)
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
    const shared = sharedWeight(other, marks)
    const all = one.sum + other.sum - shared
    return all <= 0 ? 0 : shared / all
  }
}

function mark({ from, to }: WeightedTerms, { marked, weights, codes, ids }: TermMarks): void {
  marked.data.fill(0, 0, codes.used)
  for (let i = from; i < to; i++) {
    const id = ids.items.data[i] as number
    marked.data[id] = Math.abs(weights[codes.items.data[id] as number] as number)
  }
}

/** The weight of the terms that a listing shares with the marked one. */
function sharedWeight({ from, to }: WeightedTerms, { marked, ids }: TermMarks): number {
  const [weights, terms] = [marked.data, ids.items.data]
  let shared = 0
  for (let i = from; i < to; i++) shared += weights[terms[i] as number] as number
  return shared
}

/** Terms that no other listing has count at most this share of the others: the author of a copy can add any number of them. */
const maxUniqueShare = 0.4

/** Rare terms weigh more. Negative for a term that no other listing has. */
function weightOf(frequency: number, live: number): number {
  const weight = Math.log(1 + live / (frequency + 1))
  return frequency < 2 ? -weight : weight
}

/** Gives the listing's terms ids and, where missing, weights. */
function weightedTerms(index: ListingIndex, slot: number, { weights, idOf, codes, marked, ids }: TermMarks): WeightedTerms {
  const { terms, termStart, termCount, vocabulary, live } = index
  const start = termStart.data[slot] as number
  const count = termCount.data[slot] as number
  const frequencies = vocabulary.frequency.data
  const from = ids.used
  ids.items.ensure(from + count)
  codes.items.ensure(codes.used + count)
  let [common, unique] = [0, 0]
  for (let i = 0; i < count; i++) {
    const code = (terms.items.data[start + i] as number) >>> impactBits
    if (idOf[code] === 0) {
      codes.items.data[codes.used] = code
      idOf[code] = codes.used++
    }
    ids.items.data[from + i] = idOf[code] as number
    if (weights[code] === 0) weights[code] = weightOf(frequencies[code] as number, live)
    const weight = weights[code] as number
    if (weight < 0) unique -= weight
    else common += weight
  }
  ids.used = from + count
  marked.ensure(codes.used)
  return { from, to: from + count, sum: common + Math.min(unique, maxUniqueShare * common) }
}
