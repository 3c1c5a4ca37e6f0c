/** How well the skills of a listing match the words of a query. It decides whose price counts, where the prices differ. */
import type { ListingIndex } from '../index/listing-index.ts'
import { impactBits, maskOn } from '../index/vocabulary.ts'
import { partsCloseness } from './compound-parts.ts'
import type { TextPlan } from './score-text.ts'

/**
 * By the row of a skill, the weights of the words that it has. The array is shared: only the rows of the slot hold, until the next call.
 * Null if all skills of the slot have the same price.
 */
export type SkillScores = (slot: number) => Float32Array | null

/** A term of the query. Of several terms for one word, each skill counts the one with the highest value. */
type WantedTerm = { readonly code: number; readonly word: number; readonly value: number }

/** A word stands for the terms that make a listing match. Those that only add to a match are left out. In order of descending values. */
function wantedTerms({ words }: TextPlan): WantedTerm[] {
  const terms = words.flatMap(({ terms: all, weight }, word) =>
    all.map(({ code, closeness }) => ({ code, word, value: weight * closeness })),
  )
  const parts = words.flatMap(({ parts, weight }, position) =>
    (parts?.codes ?? []).map((code, part, { length }) => {
      return { code, word: words.length + position * maxPartsOfWord + part, value: (weight * partsCloseness) / length }
    }),
  )
  return [...terms, ...parts].sort((a, b) => b.value - a.value)
}

/** A word has fewer parts. */
const maxPartsOfWord = 8

/** Working memory, reused by all queries of a thread. They run one after the other. */
let buffer = new Float32Array(0)

/** A query that asks for more slots than this computes the scores of all of them at once. */
const minBulk = 64

export function createSkillScores(index: ListingIndex, plan: TextPlan | null): SkillScores | null {
  const wanted = plan === null ? [] : wantedTerms(plan)
  if (wanted.length === 0) return null
  const hasPrices = index.columns.hasPrices.data
  if (buffer.length < index.skills.used) buffer = new Float32Array(Math.ceil(index.skills.used * 1.25))
  const scores = buffer
  let calls = 0
  return (slot) => {
    if (hasPrices[slot] === 0) return null
    if (calls === minBulk) scoreAll(index, wanted, scores.fill(0))
    else if (calls < minBulk) scoreOne(index, wanted, { slot, scores })
    calls++
    return scores
  }
}

/** Of one slot: searches each list of postings for it. */
function scoreOne(index: ListingIndex, wanted: readonly WantedTerm[], { slot, scores }: { slot: number; scores: Float32Array }): void {
  const start = index.columns.skillStart.data[slot] as number
  scores.fill(0, start, start + (index.columns.skillCount.data[slot] as number))
  const counted = new Map<number, number>()
  for (const { code, word, value } of wanted) {
    const known = counted.get(word) ?? 0
    const mask = maskOn(index.vocabulary, code, slot)
    counted.set(word, known | mask)
    addTo(scores, start, mask & ~known, value)
  }
}

/** Of all slots: reads each list of postings once. */
function scoreAll({ vocabulary, columns, skills }: ListingIndex, wanted: readonly WantedTerm[], scores: Float32Array): void {
  const { start, length, postings, masks } = vocabulary
  const skillStart = columns.skillStart.data
  const perWord = new Map<number, number>()
  for (const { word } of wanted) perWord.set(word, (perWord.get(word) ?? 0) + 1)
  /** By row, the words with several terms that are counted, as bits. */
  const counted = wanted.length === perWord.size ? null : new Uint32Array(skills.used)
  for (const { code, word, value } of wanted) {
    const from = start.data[code] as number
    const to = from + (length.data[code] as number)
    const bit = counted === null || perWord.get(word) === 1 ? 0 : 1 << (word % 32)
    for (let at = from; at < to; at++) {
      const mask = masks.data[at] as number
      if (mask === 0) continue
      const first = skillStart[(postings.data[at] as number) >>> impactBits] as number
      addTo(scores, first, bit === 0 ? mask : takeNew(counted as Uint32Array, first, mask, bit), value)
    }
  }
}

function addTo(scores: Float32Array, first: number, mask: number, value: number): void {
  for (let row = first, bits = mask; bits !== 0; row++, bits >>>= 1) if ((bits & 1) === 1) (scores[row] as number) += value
}

/** The skills of a mask for which a word is not counted yet. They are counted from now on. */
function takeNew(counted: Uint32Array, first: number, mask: number, bit: number): number {
  let fresh = 0
  for (let skill = 0, bits = mask; bits !== 0; skill++, bits >>>= 1) {
    if ((bits & 1) === 0 || ((counted[first + skill] as number) & bit) !== 0) continue
    ;(counted[first + skill] as number) |= bit
    fresh |= 1 << skill
  }
  return fresh
}
