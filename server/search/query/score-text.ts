/** Scores the words of a query on all listings: BM25 on precomputed impacts. */

import { findRelated, type RelatedTerm } from '../index/compound-terms.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { findSimilar, impactBits, impactOn, maxImpact, type SimilarTerm, type Vocabulary } from '../index/vocabulary.ts'
import { type QueryWord, queryWords } from '../text/tokenize.ts'
import type { WordMatch } from './search-query.ts'
import type { TermMarks } from './text-similarity.ts'

type FoundTerm = Omit<SimilarTerm, 'kind'> & { readonly kind: WordMatch['kind'] }
/**
 * A word with the terms that stand for it. `weight`: its inverse document frequency, in steps of 1/2048. `related`: terms that add to the
 * match of a listing, and make none.
 */
export type PlannedWord = {
  readonly word: QueryWord
  readonly terms: readonly FoundTerm[]
  readonly related: readonly RelatedTerm[]
  readonly weight: number
}
/** `words` without terms match nothing and count nothing. */
export type TextPlan = { readonly words: readonly PlannedWord[]; readonly sum: number }

export const weightSteps = 2_048
/** A term that is this much more frequent than a similar rare one is probably what the rare one means. */
const typoRatio = 20
const rare = 2
/** How many words of a query may stand for similar terms. Each costs a pass over all terms. */
const maxExpanded = 6

/** `weights`: those of the search's first page, so that its later pages rank the same. */
export function planText(index: ListingIndex, text: string, weights?: readonly number[]): TextPlan {
  let expanded = 0
  const embedder = index.vectors?.embedder
  const isKnown = (term: string) => embedder !== undefined && 'knows' in embedder && embedder.knows(term)
  const queried = queryWords(text)
  // A word of the language is no error. It may be unfinished only at the end, where a person still types.
  const mayStandFor = (kind: WordMatch['kind'], { term }: QueryWord, position: number) =>
    !isKnown(term) || (kind === 'prefix' && position === queried.length - 1)
  const words = queried.map((word, position) => {
    const same = exactTerm(index.vocabulary, word.term)
    const isRare = same === null || (index.vocabulary.frequency.data[same.code] as number) <= rare
    const terms =
      isRare && expanded++ < maxExpanded
        ? expandTerm(index.vocabulary, word.term, same).filter(({ kind }) => kind === 'exact' || mayStandFor(kind, word, position))
        : same === null
          ? []
          : [same]
    const weight = weights?.[position] ?? Math.round(inverseFrequency(index, terms) * weightSteps) / weightSteps
    return { word, terms, related: terms.length === 0 ? [] : relatedTo(index.vocabulary, word.term), weight }
  })
  return { words, sum: words.reduce((sum, { terms, weight }) => sum + (terms.length > 0 ? weight : 0), 0) }
}

function relatedTo({ related, terms, frequency }: Vocabulary, term: string): readonly RelatedTerm[] {
  return findRelated(related, term, (code) => (frequency.data[code] === 0 ? '' : (terms.texts[code] as string)))
}

function exactTerm(vocabulary: Vocabulary, term: string): FoundTerm | null {
  const code = vocabulary.terms.find(term)
  return code === undefined || vocabulary.frequency.data[code] === 0 ? null : { code, closeness: 1, kind: 'exact' }
}

/** The terms for a word that few listings have, or none. */
function expandTerm(vocabulary: Vocabulary, term: string, same: FoundTerm | null): FoundTerm[] {
  const similar = findSimilar(vocabulary, term).filter((one) => one.code !== same?.code)
  if (same === null) return similar
  const frequencies = vocabulary.frequency.data
  const enough = (frequencies[same.code] as number) * typoRatio
  return [same, ...similar.filter((one) => one.kind === 'typo' && (frequencies[one.code] as number) >= enough)]
}

function inverseFrequency({ vocabulary, live }: ListingIndex, terms: readonly FoundTerm[]): number {
  const found = terms.reduce((sum, { code }) => sum + (vocabulary.frequency.data[code] as number), 0)
  if (found === 0) return 0
  const frequency = Math.min(found, live)
  return Math.log(1 + (live - frequency + 0.5) / (frequency + 0.5))
}

/** Working memory of one index, reused by its queries. */
export type Scratch = { scores: Float32Array; best: Float32Array; readonly marks: TermMarks }

/**
 * The match of each slot, from 0 to 1, in an array that the next call overwrites. Uses the scores of the texts' vectors if there are any.
 */
export function scoreText(index: ListingIndex, { words, sum }: TextPlan, scratch: Scratch): Float32Array {
  if (scratch.best.length < index.slots) scratch.best = new Float32Array(Math.ceil(index.slots * 1.25))
  if (index.vectors !== null) scratch.scores = index.vectors.ofTexts.scores(index.slots)
  else if (scratch.scores.length < index.slots) scratch.scores = new Float32Array(scratch.best.length)
  scratch.scores.fill(0, 0, index.slots)
  if (sum === 0) return scratch.scores
  for (const { terms, weight } of words) {
    const scale = weight / (maxImpact * sum)
    if (terms.length === 1) addTerm(index.vocabulary, terms[0] as FoundTerm, scale, scratch.scores)
    else if (terms.length > 1) addBestTerm(index.vocabulary, terms, scale, scratch)
  }
  for (const { terms, related, weight } of words)
    if (related.length > 0) addRelated(index.vocabulary, { terms, related }, weight / (maxImpact * sum), scratch)
  return scratch.scores
}

function addTerm({ start, length, postings }: Vocabulary, { code, closeness }: FoundTerm, scale: number, scores: Float32Array): void {
  const from = start.data[code] as number
  const to = from + (length.data[code] as number)
  const data = postings.data
  const factor = scale * closeness
  for (let i = from; i < to; i++) {
    const posting = data[i] as number
    ;(scores[posting >>> impactBits] as number) += factor * (posting & maxImpact)
  }
}

/** Of several terms for one word, each listing counts its best one. */
function addBestTerm(vocabulary: Vocabulary, terms: readonly FoundTerm[], scale: number, { scores, best }: Scratch): void {
  const lists = terms.map((term) => readPostings(vocabulary, term, scale))
  for (const list of lists) clearBest(list, best)
  for (const list of lists) raiseToBest(list, best, scores)
}

type PostingList = { readonly postings: Uint32Array; readonly factor: number }

function readPostings({ start, length, postings }: Vocabulary, { code, closeness }: RelatedTerm, scale: number): PostingList {
  const from = start.data[code] as number
  return { postings: postings.data.subarray(from, from + (length.data[code] as number)), factor: scale * closeness }
}

function clearBest({ postings }: PostingList, best: Float32Array): void {
  for (let i = 0; i < postings.length; i++) best[(postings[i] as number) >>> impactBits] = 0
}

function raiseToBest({ postings, factor }: PostingList, best: Float32Array, scores: Float32Array): void {
  for (let i = 0; i < postings.length; i++) {
    const posting = postings[i] as number
    const slot = posting >>> impactBits
    const gain = factor * (posting & maxImpact) - (best[slot] as number)
    if (gain <= 0) continue
    ;(best[slot] as number) += gain
    ;(scores[slot] as number) += gain
  }
}

type OneWord = Pick<PlannedWord, 'terms' | 'related'>

/** Only listings that match a word of the query gain: a part of a word alone is no match. */
function addRelated(vocabulary: Vocabulary, { terms, related }: OneWord, scale: number, { scores, best }: Scratch): void {
  const exact = terms.map((term) => readPostings(vocabulary, term, scale))
  const lists = related.map((term) => readPostings(vocabulary, term, scale))
  for (const list of [...exact, ...lists]) clearBest(list, best)
  for (const { postings, factor } of exact)
    for (let i = 0; i < postings.length; i++) {
      const slot = (postings[i] as number) >>> impactBits
      best[slot] = Math.max(best[slot] as number, factor * ((postings[i] as number) & maxImpact))
    }
  for (const { postings, factor } of lists)
    for (let i = 0; i < postings.length; i++) {
      const slot = (postings[i] as number) >>> impactBits
      const gain = factor * ((postings[i] as number) & maxImpact) - (best[slot] as number)
      if (gain <= 0 || scores[slot] === 0) continue
      ;(best[slot] as number) += gain
      ;(scores[slot] as number) += gain
    }
}

/** Which words a listing matches, and by which terms. */
export function explainText(index: ListingIndex, { words }: TextPlan, slot: number): WordMatch[] {
  return words.flatMap(({ word, terms, related }): WordMatch[] => {
    const found = [...terms, ...related.map((term) => ({ ...term, kind: 'related' as const }))]
      .map((term) => ({ ...term, value: term.closeness * impactOn(index.vocabulary, term.code, slot) }))
      .sort((a, b) => b.value - a.value)[0]
    if (!found || found.value === 0) return []
    if (found.kind === 'exact') return [{ word: word.text, kind: found.kind }]
    return [{ word: word.text, kind: found.kind, as: index.vocabulary.terms.texts[found.code] as string }]
  })
}
