/** How alike the texts of two listings are: the Jaccard similarity of their terms, in which rare terms weigh more. */
import type { ListingIndex } from '../index/listing-index.ts'
import { impactBits } from '../index/vocabulary.ts'
import { signatureSimilarity, wordsOfSignatures } from '../text/minhash-signature.ts'

/** Less similar signatures, which are estimates, need no comparison of terms. */
const minEstimate = 0.25

/** 0 to 1 for two slots. */
export type TextSimilarity = (a: number, b: number) => number

/** The terms of a listing in ascending order, with their weights. */
type WeightedTerms = { readonly codes: Uint32Array; readonly weights: Float32Array; readonly sum: number }

/** Compares the texts of slots, and keeps their sorted terms for the next comparison. */
export function createTextSimilarity(index: ListingIndex): TextSimilarity {
  const known = new Map<number, WeightedTerms>()
  const termsOf = (slot: number) => {
    const terms = known.get(slot) ?? weightedTerms(index, slot)
    known.set(slot, terms)
    return terms
  }
  const signatures = wordsOfSignatures(index.columns.signature.data)
  return (a, b) => (signatureSimilarity(signatures, a, b) < minEstimate ? 0 : weightedJaccard(termsOf(a), termsOf(b)))
}

/** Terms that no other listing has count at most this share of the others: the author of a copy can add any number of them. */
const maxUniqueShare = 0.4

function weightedTerms({ terms, termStart, termCount, vocabulary, live }: ListingIndex, slot: number): WeightedTerms {
  const start = termStart.data[slot] as number
  const packed = terms.items.data.subarray(start, start + (termCount.data[slot] as number))
  const codes = new Uint32Array(packed.length)
  const weights = new Float32Array(packed.length)
  const frequencies = vocabulary.frequency.data
  let [common, unique] = [0, 0]
  for (let i = 0; i < packed.length; i++) {
    const code = (packed[i] as number) >>> impactBits
    const frequency = frequencies[code] as number
    codes[i] = code
    const weight = Math.log(1 + live / (frequency + 1))
    weights[i] = weight
    if (frequency < 2) unique += weight
    else common += weight
  }
  return { codes, weights, sum: common + Math.min(unique, maxUniqueShare * common) }
}

function weightedJaccard(a: WeightedTerms, b: WeightedTerms): number {
  const [left, right] = [a.codes, b.codes]
  let [i, j, shared] = [0, 0, 0]
  while (i < left.length && j < right.length) {
    const difference = (left[i] as number) - (right[j] as number)
    if (difference === 0) shared += a.weights[i] as number
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  const all = a.sum + b.sum - shared
  return all <= 0 ? 0 : shared / all
}
