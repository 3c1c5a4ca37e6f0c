/** A query's filter: the conditions on a listing and on its skills, as bits of what fails. */
import { countSlots, slotsWith } from '../index/filter-index.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { aliveFunction, scoreFunction } from './presence-and-score-functions.ts'
import type { TextPlan } from './score-text.ts'
import { type AttributeKind, attributeKinds, type RankingTerms, type SearchFilters } from './search-query.ts'
import { createSkillScores, type SkillScores } from './skill-scores.ts'

/** A failed condition of each facet, and `other` for conditions without a facet. */
export const failedBits = { skill: 1, output: 2, price: 4, online: 8, other: 16 } as const
const firstAttribute = 32

export function attributeBit(kind: AttributeKind): number {
  return firstAttribute << attributeKinds.indexOf(kind)
}

export type ListingFilter = {
  /** Whether the listing is left out of every search: withdrawn, expired or long unseen. */
  isHidden(slot: number): boolean
  /** The failed conditions on the listing. */
  ofListing(slot: number): number
  /** The failed conditions on one skill. */
  ofSkill(row: number): number
  readonly hasSkillConditions: boolean
  /**
   * The row of the skill whose price counts, -1 if none meets the conditions: of the skills that meet all others, the one that matches the
   * words best, then the cheapest. Where all match alike, any skill may meet the conditions.
   */
  priceRowOf(slot: number): number
  /** Null without words, or if no listing has skills with different prices. */
  readonly skillScores: SkillScores | null
}

const presenceFactors = { online: 1, idle: 0.5, offline: 0 }

/**
 * `now`: the time at which hidden listings are hidden. Those of a search's later pages take the time of its first page for the rest.
 * `plan`: the words of the query.
 */
type Circumstances = { readonly now: number; readonly plan: TextPlan | null }

export function createListingFilter(
  index: ListingIndex,
  filters: SearchFilters,
  terms: RankingTerms,
  { now, plan }: Circumstances,
): ListingFilter {
  const { skills } = index
  const { id, price, exactPrice } = skills
  const onListing = listingConditions(index, filters, terms)
  const skillId = filters.skillId === undefined ? null : (skills.ids.find(filters.skillId) ?? -1)
  const output = filters.outputType === undefined ? null : (skills.types.find(filters.outputType) ?? -1)
  const inputs = filters.inputTypes === undefined ? null : new Set(filters.inputTypes.map((one) => skills.types.find(one)))
  const maxPrice = filters.maxPrice ?? null
  const limit = Number(maxPrice)
  const skillScores = createSkillScores(index, plan)
  const hasSkillConditions = skillId !== null || output !== null || inputs !== null || maxPrice !== null
  const ofSkill = (row: number) => {
    let bits = 0
    if (skillId !== null && id.data[row] !== skillId) bits |= failedBits.skill
    if (output !== null && !hasOutput(index, row, output)) bits |= failedBits.output
    if (maxPrice !== null) {
      const own = price.data[row] as number
      if (own > limit || (own === limit && (exactPrice.data[row] as bigint) > maxPrice)) bits |= failedBits.price
    }
    if (inputs !== null && !hasOnly(index, row, inputs)) bits |= failedBits.other
    return bits
  }
  return {
    isHidden: hiddenCondition(index, now, terms.hiddenAfterMs),
    ofListing: allOf(onListing),
    hasSkillConditions,
    ofSkill,
    skillScores,
    priceRowOf(slot) {
      const scores = skillScores === null ? null : skillScores(slot)
      if (!hasSkillConditions) return bestRow(index, slot, scores, null)
      const row = bestRow(index, slot, scores, (one) => (ofSkill(one) & (scores === null ? -1 : ~failedBits.price)) === 0)
      return row >= 0 && ofSkill(row) === 0 ? row : -1
    },
  }
}

/** Of some rows of a slot, the one with the highest score, then the cheapest; -1 if there is none. `isWanted` null: of all rows. */
export function bestRow(
  { columns, skills: { price, exactPrice } }: ListingIndex,
  slot: number,
  scores: Float32Array | null,
  isWanted: ((row: number) => boolean) | null,
): number {
  const prices = price.data
  const start = columns.skillStart.data[slot] as number
  const end = start + (columns.skillCount.data[slot] as number)
  let [best, highest, lowest] = [-1, -1, Number.POSITIVE_INFINITY]
  for (let row = start; row < end; row++) {
    const score = scores === null ? 0 : (scores[row] as number)
    const own = prices[row] as number
    if (score < highest || (score === highest && own > lowest) || (isWanted !== null && !isWanted(row))) continue
    // Numbers order all prices but the closest.
    if (score === highest && own === lowest && !((exactPrice.data[row] as bigint) < (exactPrice.data[best] as bigint))) continue
    ;[best, highest, lowest] = [row, score, own]
  }
  return best
}

type Condition = (slot: number) => number

function allOf(conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions
  if (first === undefined) return () => 0
  if (others.length === 0) return first
  return (slot) => {
    let bits = 0
    for (const condition of conditions) bits |= condition(slot)
    return bits
  }
}

function hiddenCondition({ columns }: ListingIndex, now: number, hiddenAfterMs: number): (slot: number) => boolean {
  const isLive = columns.isLive.data
  const [expires, seen, published] = [columns.expiresAt.data, columns.seenAt.data, columns.publishedAt.data]
  const since = now - hiddenAfterMs
  return (slot) => {
    if (isLive[slot] !== 1) return true
    const expiresAt = expires[slot] as number
    if (!Number.isNaN(expiresAt)) return expiresAt <= now
    const seenAt = seen[slot] as number
    return (Number.isNaN(seenAt) ? (published[slot] as number) : seenAt) < since
  }
}

function listingConditions(index: ListingIndex, filters: SearchFilters, terms: RankingTerms): Condition[] {
  const { columns } = index
  const { minSuccessRate, maxLatencyMs, minScore } = filters
  const [alive, score] = [aliveFunction(index, terms), scoreFunction(index, terms)]
  const conditions: Condition[] = []
  const add = (bit: number, isMet: (slot: number) => boolean) => conditions.push((slot) => (isMet(slot) ? 0 : bit))
  if (filters.online) add(failedBits.online, (slot) => alive(slot) === 1)
  if (filters.state !== undefined) {
    const wanted = presenceFactors[filters.state]
    add(failedBits.other, (slot) => alive(slot) === wanted)
  }
  if (minSuccessRate !== undefined)
    add(failedBits.other, (slot) => {
      const paid = columns.paidSteps.data[slot] as number
      return paid / (paid + (columns.failedSteps.data[slot] as number)) >= minSuccessRate
    })
  // Comparisons with NaN are false: an unknown latency does not match.
  if (maxLatencyMs !== undefined) add(failedBits.other, (slot) => (columns.latencyMs.data[slot] as number) <= maxLatencyMs)
  // The score of an agent without judgements is an assumption.
  if (minScore !== undefined) add(failedBits.other, (slot) => (columns.judges.data[slot] as number) > 0 && score(slot) >= minScore)
  for (const kind of attributeKinds)
    for (const value of filters.attributes?.[kind] ?? []) {
      conditions.push(attributeCondition(index, attributeCodes(index, kind, value), attributeBit(kind)))
    }
  return conditions
}

export function hasOutput(index: ListingIndex, row: number, type: number): boolean {
  const { outputStart, outputCount } = index.skills
  return hasType(index, outputStart.data[row] as number, outputCount.data[row] as number, type)
}

function hasType({ skills }: ListingIndex, start: number, count: number, code: number): boolean {
  const types = skills.typeLists.items.data
  for (let i = start; i < start + count; i++) if (types[i] === code) return true
  return false
}

function hasOnly({ skills }: ListingIndex, row: number, allowed: ReadonlySet<number | undefined>): boolean {
  const start = skills.inputStart.data[row] as number
  const types = skills.typeLists.items.data
  for (let i = start; i < start + (skills.inputCount.data[row] as number); i++) if (!allowed.has(types[i])) return false
  return true
}

/** The codes that meet a value. A language includes its regional forms, and a regional form its language: `pt` and `pt-br` find each other. */
function attributeCodes({ values, languages }: ListingIndex, kind: AttributeKind, value: string): readonly number[] {
  const wanted = `${kind}:${value}`
  if (kind !== 'language') return [values.find(wanted) ?? -1]
  return languages.filter((code) => {
    const text = values.texts[code] as string
    return text === wanted || text.startsWith(`${wanted}-`) || wanted.startsWith(`${text}-`)
  })
}

function attributeCondition({ columns, valueLists }: ListingIndex, wanted: readonly number[], bit: number): Condition {
  const [only = -1] = wanted.length === 1 ? wanted : []
  const isWanted = new Uint8Array(Math.max(0, ...wanted) + 1)
  for (const code of wanted) if (code >= 0) isWanted[code] = 1
  const [starts, counts, codes] = [columns.valueStart.data, columns.attributeCount.data, valueLists.items.data]
  return (slot) => {
    const start = starts[slot] as number
    const end = start + (counts[slot] as number)
    for (let i = start; i < end; i++) if (codes[i] === only || isWanted[codes[i] as number] === 1) return 0
    return bit
  }
}

/** Shorter lists of slots are worth reading instead of all slots. */
const maxListShare = 0.5

/** The slots among which all matches are, ascending; null: all slots. The exact filter that the fewest listings meet decides. */
export function candidateSlots(index: ListingIndex, filters: SearchFilters): Uint32Array | null {
  const { values, slotsByValue, slots } = index
  const wanted = [
    ...(filters.skillId === undefined ? [] : [[values.find(`skill:${filters.skillId}`) ?? -1]]),
    ...(filters.outputType === undefined ? [] : [[values.find(`output:${filters.outputType}`) ?? -1]]),
    ...attributeKinds.flatMap((kind) => (filters.attributes?.[kind] ?? []).map((value) => attributeCodes(index, kind, value))),
  ]
  const counted = wanted.map((codes) => ({ codes, count: codes.reduce((sum, code) => sum + countSlots(slotsByValue, code), 0) }))
  const fewest = counted.sort((a, b) => a.count - b.count)[0]
  if (fewest === undefined || fewest.count > slots * maxListShare) return null
  const [first = -1, ...others] = fewest.codes
  if (others.length === 0) return slotsWith(slotsByValue, first)
  return Uint32Array.from(new Set(fewest.codes.flatMap((code) => [...slotsWith(slotsByValue, code)]))).sort()
}
