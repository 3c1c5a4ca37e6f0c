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
/** By term code. `weights`: 0 where not computed yet. `marks`: the number of the listing that was marked last among those with this term. */
type TermWeights = { readonly weights: Float32Array; readonly marks: Uint32Array }

/** Compares the texts of slots, and keeps what is known of their terms for the next comparison. */
export function createTextSimilarity(index: ListingIndex): TextSimilarity {
  const known = new Map<number, WeightedTerms>()
  const ofTerms = createTermWeights(index)
  const termsOf = (slot: number) => {
    const found = known.get(slot)
    if (found !== undefined) return found
    const terms = weightedTerms(index, slot, ofTerms.weights)
    known.set(slot, terms)
    return terms
  }
  const signatures = wordsOfSignatures(index.columns.signature.data)
  let [marked, mark] = [-1, 0]
  return (a, b) => {
    if (signatureSimilarity(signatures, a, b) < minEstimate) return 0
    const [one, other] = [termsOf(a), termsOf(b)]
    if (marked !== a) {
      ;[marked, mark] = [a, mark + 1]
      for (let i = 0; i < one.packed.length; i++) ofTerms.marks[(one.packed[i] as number) >>> impactBits] = mark
    }
    const shared = sharedWeight(other, ofTerms, mark)
    const all = one.sum + other.sum - shared
    return all <= 0 ? 0 : shared / all
  }
}

function createTermWeights({ vocabulary }: ListingIndex): TermWeights {
  const terms = vocabulary.frequency.data.length
  return { weights: new Float32Array(terms), marks: new Uint32Array(terms) }
}

/** The weight of the terms that a listing shares with the marked one. */
function sharedWeight({ packed }: WeightedTerms, { weights, marks }: TermWeights, mark: number): number {
  let shared = 0
  for (let i = 0; i < packed.length; i++) {
    const code = (packed[i] as number) >>> impactBits
    if (marks[code] === mark) shared += weights[code] as number
  }
  return shared
}

/** Terms that no other listing has count at most this share of the others: the author of a copy can add any number of them. */
const maxUniqueShare = 0.4

/** Rare terms weigh more. Writes the `weights` of the listing's terms. */
function weightedTerms(
  { terms, termStart, termCount, vocabulary, live }: ListingIndex,
  slot: number,
  weights: Float32Array,
): WeightedTerms {
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
