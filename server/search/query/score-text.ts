/** Scores the words of a query on all listings: BM25 on precomputed impacts. */

import { findRelated, type RelatedTerm } from '../index/compound-terms.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { findSimilar, impactBits, impactOn, maxImpact, type SimilarTerm, type Vocabulary } from '../index/vocabulary.ts'
import { type QueryWord, queryWords, termOf } from '../text/tokenize.ts'
import { type CompoundParts, findCompoundParts, impactOfParts, partsCloseness } from './compound-parts.ts'
import type { TermMarks } from './listing-text-similarity.ts'
import type { WordMatch } from './search-query.ts'

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
  /** The parts of a compound, which stand for the word in a listing that has all of them; null if there are none. */
  readonly parts: CompoundParts | null
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
    return completeWord(index, { word, terms }, joinedWith(index.vocabulary, queried, position), weights?.[position])
  })
  return { words, sum: words.reduce((sum, one) => sum + (isFindable(one) ? one.weight : 0), 0) }
}

const isFindable = ({ terms, parts }: Pick<PlannedWord, 'terms' | 'parts'>): boolean => terms.length > 0 || parts !== null

type KnownWord = Pick<PlannedWord, 'word' | 'terms'>

/** Adds the compounds of a word. One that nothing else stands for is found by the terms that begin or end it. */
function completeWord(index: ListingIndex, { word, terms }: KnownWord, joined: readonly FoundTerm[], weight?: number): PlannedWord {
  const { vocabulary } = index
  const parts = findCompoundParts(vocabulary, word, terms)
  const related = relatedTo(vocabulary, word.term)
  const isAlone = terms.length === 0 && parts === null
  const found = isAlone ? related.map((one) => ({ ...one, kind: 'related' as const })) : terms
  const rarity = () => inverseFrequency(index, found.length > 0 || parts === null ? found : [], parts?.postings.length)
  return {
    ...{ word, parts, terms: [...found, ...joined] },
    related: terms.length === 0 ? [] : related,
    weight: weight ?? Math.round(rarity() * weightSteps) / weightSteps,
  }
}

const joinedCloseness = 0.9

/** The terms of a word and its neighbours, written as one: "open api" is "openapi". */
function joinedWith(vocabulary: Vocabulary, words: readonly QueryWord[], position: number): FoundTerm[] {
  return [position - 1, position].flatMap((first): FoundTerm[] => {
    const [one, other] = [words[first], words[first + 1]]
    if (one === undefined || other === undefined) return []
    const found = exactTerm(vocabulary, termOf(one.text + other.text))
    return found === null ? [] : [{ code: found.code, closeness: joinedCloseness, kind: 'related' }]
  })
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

/** `others`: in how many more listings the word is found. */
function inverseFrequency({ vocabulary, live }: ListingIndex, terms: readonly FoundTerm[], others = 0): number {
  const found = terms.reduce((sum, { code }) => sum + (vocabulary.frequency.data[code] as number), others)
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
  for (const { terms, weight, parts } of words) {
    const scale = weight / (maxImpact * sum)
    if (terms.length === 1 && parts === null) addTerm(index.vocabulary, terms[0] as FoundTerm, scale, scratch.scores)
    else addBestTerm(listsOf(index.vocabulary, { terms, parts }, scale), scratch)
  }
  for (const { terms, related, parts, weight } of words)
    if (related.length > 0) addRelated(index.vocabulary, { terms, related, parts }, weight / (maxImpact * sum), scratch)
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
function addBestTerm(lists: readonly PostingList[], { scores, best }: Scratch): void {
  for (const list of lists) clearBest(list, best)
  for (const list of lists) raiseToBest(list, best, scores)
}

type PostingList = { readonly postings: Uint32Array; readonly factor: number }

function listsOf(vocabulary: Vocabulary, { terms, parts }: Pick<PlannedWord, 'terms' | 'parts'>, scale: number): PostingList[] {
  const lists = terms.map((term) => readPostings(vocabulary, term, scale))
  return parts === null ? lists : [...lists, { postings: parts.postings, factor: scale * partsCloseness }]
}

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

type OneWord = Pick<PlannedWord, 'terms' | 'related' | 'parts'>

/** Only listings that match a word of the query gain: a part of a word alone is no match. */
function addRelated(vocabulary: Vocabulary, { terms, related, parts }: OneWord, scale: number, { scores, best }: Scratch): void {
  const exact = listsOf(vocabulary, { terms, parts }, scale)
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
  const { vocabulary } = index
  return words.flatMap(({ word, terms, related, parts }): WordMatch[] => {
    const shown = [...terms, ...related.map((term) => ({ ...term, kind: 'related' as const }))].map(({ code, closeness, kind }) => {
      return { kind, as: vocabulary.terms.texts[code] as string, value: closeness * impactOn(vocabulary, code, slot) }
    })
    if (parts !== null) shown.push({ kind: 'related', as: parts.text, value: partsCloseness * impactOfParts(vocabulary, parts, slot) })
    const found = shown.sort((a, b) => b.value - a.value)[0]
    if (!found || found.value === 0) return []
    return [{ word: word.text, kind: found.kind, ...(found.kind !== 'exact' && { as: found.as }) }]
  })
}
