/** What the index holds of a listing, and how its texts become weighted terms. */
import { normalise, type TermEmbedder } from '../meaning/embedder.ts'
import { minHashSignatureOf } from '../text/minhash-signature.ts'
import { termOf, wordsOf } from '../text/tokenize.ts'
import { maxSkills } from './term-skill-masks.ts'
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
  /** With `unproved:` before it if the owner has not proved its wallet. */
  readonly ownerId: string
  readonly payout: string
  /** Since when it names its payee. */
  readonly payoutSince: number
  readonly publishedAt: number
  /** Since when its text is about the same. */
  readonly textSince: number
  /** For a foreign listing: until when its home's statement holds. */
  readonly expiresAt: number | null
  /** Changes with every change of the row. */
  readonly stamp: string
  /** Values of filters, such as `language:de`. */
  readonly attributes: readonly string[]
  readonly standing: Standing
  readonly presence: PresenceTimes
}
/** `model`: whose vectors it can be compared with. */
export type AdvertisedVector = { readonly model: string; readonly values: Float32Array }
export type SourceListing = IndexedFacts & {
  /** The vector that the agent publishes of itself. */
  readonly advertised?: AdvertisedVector | null
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
  /** `skillMasks[i]`: which skills have `terms[i]`; null if all skills have the same price. */
  readonly skillMasks: Uint16Array | null
  readonly signature: Uint8Array
  /** The meaning of the texts, if it is known. */
  readonly vector: Float32Array | null
  readonly advertised: AdvertisedVector | null
}

export const noStanding: Standing = { ratings: 0, sum: 0, total: 0, judges: 0, paidSteps: 0, payers: 0, failedSteps: 0, latencyMs: null }

/** The weight of one occurrence in each field. */
const weights = { name: 1.5, handle: 1, skill: 1, tag: 0.7, summary: 1, type: 0.7, description: 1, lead: 1.7 }
/** BM25: saturation of repeated terms, and the effect of the length. The root of the length serves listings of one sentence and of many. */
const saturation = 1.5
const lengthEffect = 0.75
/** The weighted length of an average listing. A constant, so that a listing has the same impacts in every process at all times. */
const pivotLength = 40
/** How often a term counts in one text. Further repetitions only make the text longer. */
const maxRepetitions = 4
/** What a term may weigh: about as much as in a listing of average length that has it in all of its fields. Shorter ones have no more. */
const maxShare = 0.8
const maxTerms = 1_024

export function toIndexRecord(listing: SourceListing, embedder: TermEmbedder | null = null): IndexRecord {
  const { skills, handle, name, summary, ...facts } = listing
  const all = countTerms(listing)
  const shares = shareOf(all)
  return {
    ...facts,
    advertised: listing.advertised ? { ...listing.advertised, values: normalise(listing.advertised.values.slice()) } : null,
    vector: embedder?.embedTerms(all.counts) ?? null,
    skills: skills.map(({ id, name, price, inputTypes, outputTypes }) => ({ id, name, price, inputTypes, outputTypes })),
    terms: [...shares.keys()],
    impacts: Uint8Array.from(shares.values(), (share) => Math.max(1, Math.round(maxImpact * share))),
    skillMasks: all.masks && Uint16Array.from(shares.keys(), (term) => all.masks?.get(term) ?? 0),
    signature: minHashSignatureOf(shares.keys()),
  }
}

/** The weight of each term, 0 to 1. */
export function weighTerms(listing: SourceListing): ReadonlyMap<string, number> {
  return shareOf(countTerms(listing))
}

function shareOf({ counts, length }: WeightedCounts): Map<string, number> {
  const norm = saturation * (1 - lengthEffect + lengthEffect * Math.sqrt(length / pivotLength))
  const shares = new Map<string, number>()
  for (const [term, count] of counts) {
    shares.set(term, Math.min(maxShare, count / (count + norm)))
    if (shares.size === maxTerms) break
  }
  return shares
}

/** `counts`: the weighted number of occurrences of each term, the fields with the highest weights first. */
type WeightedCounts = {
  readonly counts: Map<string, number>
  length: number
  /** Which skills have a term, and the bit of the skill that is being counted. Null if all skills have the same price. */
  readonly masks: Map<string, number> | null
  bit: number
}

export function countTerms({ handle, name, summary, skills }: SourceListing): WeightedCounts {
  const hasPrices = skills.some((skill) => skill.price !== skills[0]?.price)
  const all: WeightedCounts = { counts: new Map(), length: 0, masks: hasPrices ? new Map() : null, bit: 0 }
  const ofEachSkill = (count: (skill: SourceListing['skills'][number]) => void) => {
    skills.forEach((skill, position) => {
      all.bit = position < maxSkills ? 1 << position : 0
      count(skill)
    })
    all.bit = 0
  }
  addName(all, name, weights.name)
  addName(all, handle, weights.handle)
  ofEachSkill((skill) => {
    for (const word of new Set(wordsOf(`${skill.name} ${skill.id}`))) addTerm(all, termOf(word), weights.skill)
  })
  ofEachSkill(({ tags }) => addTerms(all, tags.join(' '), weights.tag))
  addTerms(all, summary, weights.summary)
  ofEachSkill(({ inputTypes, outputTypes }) => addTerms(all, `${outputTypes.join(' ')} ${inputTypes.join(' ')}`, weights.type))
  ofEachSkill(({ description }) => {
    const lead = leadOf(description)
    const seen = new Map<string, number>()
    addTerms(all, lead, weights.lead, seen)
    addTerms(all, description.slice(lead.length), weights.description, seen)
  })
  return all
}

const sentenceEnd = /[.:!?](?=\s)/g
const minLead = 20
const maxLead = 300

/** The first sentence, which names what a skill does. Empty if there is only one. */
function leadOf(description: string): string {
  sentenceEnd.lastIndex = minLead
  const end = sentenceEnd.exec(description)
  return end === null || end.index > maxLead ? '' : description.slice(0, end.index + 1)
}

/** Names keep their stop words: "All in one" has no others. */
function addName(all: WeightedCounts, text: string, weight: number): void {
  for (const word of wordsOf(text)) addTerm(all, termOf(word) || word, weight)
}

/** `seen`: how often each term has occurred in the same text. */
function addTerms(all: WeightedCounts, text: string, weight: number, seen = new Map<string, number>()): void {
  for (const word of wordsOf(text)) {
    const term = termOf(word)
    const times = seen.get(term) ?? 0
    seen.set(term, times + 1)
    if (times < maxRepetitions) addTerm(all, term, weight)
    else if (term !== '') all.length += weight
  }
}

function addTerm(all: WeightedCounts, term: string, weight: number): void {
  if (term === '') return
  all.counts.set(term, (all.counts.get(term) ?? 0) + weight)
  all.length += weight
  if (all.masks !== null && all.bit !== 0) all.masks.set(term, (all.masks.get(term) ?? 0) | all.bit)
}
