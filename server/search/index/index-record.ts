/** What the index holds of a listing, and how its texts become weighted terms. */
import { signatureOf } from '../text/signature.ts'
import { termOf, wordsOf } from '../text/tokenize.ts'
import { maxImpact } from './vocabulary.ts'

export type IndexedSkill = {
  readonly id: string
  readonly name: string
  readonly price: bigint
  /** The types of required inputs. */
  readonly inputTypes: readonly string[]
  readonly outputTypes: readonly string[]
}
/**
 * The record of an agent. `ratings`: how many there are, with their `sum`. `total`: the sum over `judges` raters of their mean rating.
 * `latencyMs`: null if unknown.
 */
export type Standing = {
  readonly ratings: number
  readonly sum: number
  readonly total: number
  readonly judges: number
  readonly paidSteps: number
  readonly payers: number
  readonly failedSteps: number
  readonly latencyMs: number | null
}
/** Unix milliseconds; `seenAt` null: never connected. */
export type PresenceTimes = { readonly seenAt: number | null; readonly hasLeft: boolean }

/** The facts of a listing beside its texts. Times in Unix milliseconds. */
export type IndexedFacts = {
  readonly agentId: string
  readonly ownerId: string
  readonly payout: string
  readonly publishedAt: number
  /** For a foreign listing: until when its home's statement holds. */
  readonly expiresAt: number | null
  /** Changes with every change of the row. */
  readonly stamp: string
  /** Values of filters, such as `language:de`. */
  readonly attributes: readonly string[]
  readonly standing: Standing
  readonly presence: PresenceTimes
}
export type SourceListing = IndexedFacts & {
  readonly handle: string
  readonly name: string
  readonly summary: string
  readonly skills: readonly (IndexedSkill & { readonly description: string; readonly tags: readonly string[] })[]
}
/** A listing as the index stores it: `impacts[i]` is the weight of `terms[i]`, 1 to 255. */
export type IndexRecord = IndexedFacts & {
  readonly skills: readonly IndexedSkill[]
  readonly terms: readonly string[]
  readonly impacts: Uint8Array
  readonly signature: Uint8Array
}

export const noStanding: Standing = { ratings: 0, sum: 0, total: 0, judges: 0, paidSteps: 0, payers: 0, failedSteps: 0, latencyMs: null }

/** The weight of one occurrence in each field. */
const weights = { name: 4, handle: 3, skill: 2.5, tag: 2, summary: 2, type: 1, description: 1 }
/** BM25: saturation of repeated terms, and the effect of the length. */
const saturation = 1.2
const lengthEffect = 0.75
/** The weighted length of an average listing. A constant, so that a listing has the same impacts in every process at all times. */
const pivotLength = 60
const maxTerms = 1_024

export function toIndexRecord(listing: SourceListing): IndexRecord {
  const { skills, handle, name, summary, ...facts } = listing
  const shares = weighTerms(listing)
  return {
    ...facts,
    skills: skills.map(({ id, name, price, inputTypes, outputTypes }) => ({ id, name, price, inputTypes, outputTypes })),
    terms: [...shares.keys()],
    impacts: Uint8Array.from(shares.values(), (share) => Math.max(1, Math.round(maxImpact * share))),
    signature: signatureOf(shares.keys()),
  }
}

/** The weight of each term, 0 to 1. */
export function weighTerms(listing: SourceListing): ReadonlyMap<string, number> {
  const { counts, length } = countTerms(listing)
  const norm = saturation * (1 - lengthEffect + (lengthEffect * length) / pivotLength)
  const shares = new Map<string, number>()
  for (const [term, count] of counts) {
    shares.set(term, count / (count + norm))
    if (shares.size === maxTerms) break
  }
  return shares
}

/** `counts`: the weighted number of occurrences of each term, the fields with the highest weights first. */
type TermCounts = { readonly counts: Map<string, number>; length: number }

function countTerms({ handle, name, summary, skills }: SourceListing): TermCounts {
  const all: TermCounts = { counts: new Map(), length: 0 }
  addName(all, name, weights.name)
  addName(all, handle, weights.handle)
  for (const skill of skills) for (const word of new Set(wordsOf(`${skill.name} ${skill.id}`))) addTerm(all, termOf(word), weights.skill)
  for (const { tags } of skills) addTerms(all, tags.join(' '), weights.tag)
  addTerms(all, summary, weights.summary)
  for (const { inputTypes, outputTypes } of skills) addTerms(all, `${outputTypes.join(' ')} ${inputTypes.join(' ')}`, weights.type)
  for (const { description } of skills) addTerms(all, description, weights.description)
  return all
}

/** Names keep their stop words: "All in one" has no others. */
function addName(all: TermCounts, text: string, weight: number): void {
  for (const word of wordsOf(text)) addTerm(all, termOf(word) || word, weight)
}

function addTerms(all: TermCounts, text: string, weight: number): void {
  for (const word of wordsOf(text)) addTerm(all, termOf(word), weight)
}

function addTerm(all: TermCounts, term: string, weight: number): void {
  if (term === '') return
  all.counts.set(term, (all.counts.get(term) ?? 0) + weight)
  all.length += weight
}
