/** Counts of all facets in one pass over the listings. */
import { type ListingIndex, labelOf } from '../index/listing-index.ts'
import { maxSkills } from '../index/term-skill-masks.ts'
import { attributeBit, bestRow, createListingFilter, failedBits, hasOutput, type ListingFilter } from './listing-filter.ts'
import { aliveFunction } from './presence-and-score-functions.ts'
import type { TextPlan } from './score-text.ts'
import { attributeKinds, type FacetCount, type FacetCounts, type FacetQuery } from './search-query.ts'

/** Listings per value. A listing counts once per value. */
type Tally = { readonly counts: Uint32Array; readonly marks: Uint32Array }
type Tallies = {
  total: number
  online: number
  readonly values: Tally
  /** For each price limit: the listings whose lowest price fits it, but no lower limit. */
  readonly prices: Uint32Array
}
const createTally = (size: number): Tally => ({ counts: new Uint32Array(size), marks: new Uint32Array(size) })

/** The columns of one moment, which the loop over all listings reads: reading them from the index each time takes longer than counting. */
type Counter = {
  readonly index: ListingIndex
  readonly tallies: Tallies
  readonly filter: ListingFilter
  /** Ascending, with infinite ones at the end: their number is a power of two above that of the limits. */
  readonly limits: Float64Array
  readonly minPrices: Float64Array
  readonly skillCount: Uint8Array
  readonly valueStart: Uint32Array
  readonly attributeCount: Uint8Array
  readonly valueCount: Uint16Array
  readonly values: Uint32Array
  readonly kindOfValue: Uint8Array
  /** By kind of value: the bit of a failed condition on it. */
  readonly kindBits: Int32Array
  /** By slot: 1 if its skills have different prices. */
  readonly hasPrices: Uint8Array
  readonly hasMaxPrice: boolean
}

function createCounter(index: ListingIndex, query: FacetQuery, plan: TextPlan | null): Counter {
  const { columns, values, valueLists, kinds } = index
  return {
    index,
    tallies: {
      total: 0,
      online: 0,
      values: createTally(values.texts.length),
      prices: new Uint32Array(query.priceLimits.length),
    },
    filter: createListingFilter(index, query, query.terms, { now: query.terms.now, plan }),
    hasPrices: columns.hasPrices.data,
    hasMaxPrice: query.maxPrice !== undefined,
    limits: sortedLimits(query.priceLimits),
    ...{
      minPrices: columns.minPrice.data,
      skillCount: columns.skillCount.data,
      valueStart: columns.valueStart.data,
      attributeCount: columns.attributeCount.data,
    },
    ...{ valueCount: columns.valueCount.data, values: valueLists.items.data, kindOfValue: index.kindOfValue.data },
    kindBits: Int32Array.from(kinds.texts, bitOfKind),
  }
}

function sortedLimits(limits: readonly bigint[]): Float64Array {
  const sorted = new Float64Array(2 ** Math.ceil(Math.log2(limits.length + 1))).fill(Number.POSITIVE_INFINITY)
  sorted.set(limits.map(Number))
  return sorted.sort()
}

/** `relevance`: the match of each slot; null for a query without text. */
type MatchedText = { readonly plan: TextPlan | null; readonly relevance: Float32Array | null }

export function countFacets(index: ListingIndex, query: FacetQuery, { plan, relevance }: MatchedText): FacetCounts {
  const counter = createCounter(index, query, plan)
  const { tallies, filter } = counter
  const alive = aliveFunction(index, query.terms)
  const count = filter.hasSkillConditions ? countBySkill : countByListing
  for (let slot = 0; slot < index.slots; slot++) {
    if ((relevance !== null && relevance[slot] === 0) || filter.isHidden(slot)) continue
    const ofListing = filter.ofListing(slot)
    // A listing that fails two conditions of its own counts for no facet.
    if ((ofListing & (ofListing - 1)) === 0) count(counter, slot, ofListing, alive(slot) === 1)
  }
  const { total, online, values, prices } = tallies
  const first = firstValues(index, values.counts, query.maxValues)
  return {
    ...{ total, online, prices: runningSums(prices) },
    skills: first('skill').map((one) => ({ ...one, label: labelOf(index.skills, index.skills.ids.find(one.value) ?? -1) })),
    outputTypes: first('output'),
    attributes: {
      ...{ currency: first('currency'), region: first('region'), protocol: first('protocol') },
      ...{ policy: first('policy'), language: first('language') },
    },
  }
}

/** Without a condition on skills, all skills of a listing count alike. Its values are in one list. */
function countByListing(counter: Counter, slot: number, failedBit: number, isOnline: boolean): void {
  const { tallies, skillCount, valueStart, valueCount, values } = counter
  // A listing without a skill matches no query.
  if (skillCount[slot] === 0) return
  if (failedBit !== 0) {
    countFailed(counter, slot, failedBit, isOnline)
    return
  }
  const { counts } = tallies.values
  const start = valueStart[slot] as number
  const end = start + (valueCount[slot] as number)
  for (let i = start; i < end; i++) (counts[values[i] as number] as number)++
  countPrice(counter, chosenPrice(counter, slot))
  tallies.total++
  tallies.online += Number(isOnline)
}

/** The price that counts for a listing without conditions on skills. */
function chosenPrice({ filter, hasPrices, minPrices, index }: Counter, slot: number): number {
  if (filter.skillScores === null || hasPrices[slot] === 0) return minPrices[slot] as number
  return index.skills.price.data[filter.priceRowOf(slot)] as number
}

function countFailed(counter: Counter, slot: number, failedBit: number, isOnline: boolean): void {
  if (isOnline && failedBit === failedBits.online) counter.tallies.online++
  if (failedBit >= attributeBit('currency')) markAttributes(counter, slot, failedBit)
}

function countBySkill(counter: Counter, slot: number, ofListing: number, isOnline: boolean): void {
  const scores = counter.hasPrices[slot] === 0 ? null : (counter.filter.skillScores?.(slot) ?? null)
  if (scores !== null) {
    countByScores(counter, slot, { ofListing, isOnline, scores })
    return
  }
  const { tallies, filter, index } = counter
  const { skills, columns } = index
  const start = columns.skillStart.data[slot] as number
  const end = start + (columns.skillCount.data[slot] as number)
  let all = -1
  let price = Number.POSITIVE_INFINITY
  for (let row = start; row < end; row++) {
    const bits = ofListing | filter.ofSkill(row)
    // The fewest failed conditions of any skill: none, or one.
    if ((bits & (bits - 1)) !== 0) continue
    if (all !== 0) all = bits === 0 ? 0 : all === -1 || all === bits ? bits : all
    if ((bits & ~failedBits.skill) === 0) mark(tallies.values, skills.valueOfId.data[skills.id.data[row] as number] as number, slot)
    if ((bits & ~failedBits.output) === 0) markTypes(counter, row, slot)
    if ((bits & ~failedBits.price) === 0) price = Math.min(price, skills.price.data[row] as number)
  }
  countPrice(counter, price)
  if (all === 0) tallies.total++
  if (isOnline && (all === 0 || all === failedBits.online)) tallies.online++
  if (all === 0 || all >= attributeBit('currency')) markAttributes(counter, slot, all)
}

type Scored = { readonly ofListing: number; readonly isOnline: boolean; readonly scores: Float32Array }
const failedOfRows = new Int32Array(maxSkills)

/** The price of the skill that matches the words best counts. Each value of a facet leaves other skills to choose from. */
function countByScores(counter: Counter, slot: number, { ofListing, isOnline, scores }: Scored): void {
  const { tallies, filter, index, hasMaxPrice } = counter
  const { skills, columns } = index
  const { skill, output, price, online } = failedBits
  const start = columns.skillStart.data[slot] as number
  const end = start + (columns.skillCount.data[slot] as number)
  for (let row = start; row < end; row++) failedOfRows[row - start] = filter.ofSkill(row)
  const best = bestRow(index, slot, scores, (row) => ((failedOfRows[row - start] as number) & ~price) === 0)
  const failed = best < 0 ? -1 : ofListing | (failedOfRows[best - start] as number)
  if (failed === 0) tallies.total++
  if (isOnline && (failed === 0 || failed === online)) tallies.online++
  if (failed === 0 || (failed >= attributeBit('currency') && (failed & (failed - 1)) === 0)) markAttributes(counter, slot, failed)
  if (best >= 0 && (failed & ~price) === 0) countPrice(counter, skills.price.data[best] as number)
  for (let row = start; row < end; row++) {
    const bits = ofListing | (failedOfRows[row - start] as number)
    if ((bits & ~skill) === 0) mark(tallies.values, skills.valueOfId.data[skills.id.data[row] as number] as number, slot)
    if ((bits & ~output) !== 0) continue
    if (!hasMaxPrice) markTypes(counter, row, slot)
    else markBestTypes(counter, row, slot, scores)
  }
}

/** Counts a type of a skill for which no better one with the same type exceeds the price. */
function markBestTypes({ index, tallies }: Counter, row: number, slot: number, scores: Float32Array): void {
  const { outputStart, outputCount, typeLists, valueOfOutput } = index.skills
  const first = index.columns.skillStart.data[slot] as number
  const failedOf = (one: number) => failedOfRows[one - first] as number
  const isOpen = (one: number) => (failedOf(one) & ~failedBits.output & ~failedBits.price) === 0
  const start = outputStart.data[row] as number
  for (let i = start; i < start + (outputCount.data[row] as number); i++) {
    const type = typeLists.items.data[i] as number
    const best = bestRow(index, slot, scores, (one) => isOpen(one) && hasOutput(index, one, type))
    if ((failedOf(best) & failedBits.price) === 0) mark(tallies.values, valueOfOutput.data[type] as number, slot)
  }
}

/** Binary search without a branch, which a processor would predict badly. The number of limits is a power of two. */
function countPrice({ limits, tallies }: Counter, price: number): void {
  let limit = 0
  for (let step = limits.length >>> 1; step > 0; step >>>= 1) limit += step * Number(price > (limits[limit + step - 1] as number))
  if (limit < tallies.prices.length) (tallies.prices[limit] as number)++
}

function mark({ counts, marks }: Tally, code: number, slot: number): void {
  if (marks[code] === slot + 1) return
  marks[code] = slot + 1
  ;(counts[code] as number)++
}

function markTypes({ index, tallies }: Counter, row: number, slot: number): void {
  const { outputStart, outputCount, typeLists, valueOfOutput } = index.skills
  const start = outputStart.data[row] as number
  const end = start + (outputCount.data[row] as number)
  for (let i = start; i < end; i++) mark(tallies.values, valueOfOutput.data[typeLists.items.data[i] as number] as number, slot)
}

/** A listing that fails the condition on one kind of attribute counts for that kind only. */
function markAttributes(counter: Counter, slot: number, failedBit: number): void {
  const { valueStart, attributeCount, values, kindOfValue, kindBits, tallies } = counter
  const start = valueStart[slot] as number
  const end = start + (attributeCount[slot] as number)
  for (let i = start; i < end; i++) {
    const code = values[i] as number
    if (failedBit === 0 || kindBits[kindOfValue[code] as number] === failedBit) mark(tallies.values, code, slot)
  }
}

function bitOfKind(kind: string): number {
  const found = attributeKinds.find((one) => one === kind)
  return found === undefined ? -1 : attributeBit(found)
}

function runningSums(counts: Uint32Array): number[] {
  let sum = 0
  return Array.from(counts, (count) => {
    sum += count
    return sum
  })
}

type ValueCount = { readonly text: string; readonly count: number }

/** The values of a kind with the highest counts, ties by text. */
function firstValues({ values, kinds, kindOfValue }: ListingIndex, counts: Uint32Array, max: number): (kind: string) => FacetCount[] {
  const first = kinds.texts.map((): ValueCount[] => [])
  const isBefore = (a: ValueCount, b: ValueCount) => (a.count === b.count ? a.text < b.text : a.count > b.count)
  for (let code = 0; code < counts.length; code++) {
    const count = counts[code] as number
    if (count === 0) continue
    const ofKind = first[kindOfValue.data[code] as number] as ValueCount[]
    const last = ofKind.length === max ? (ofKind[max - 1] as ValueCount) : null
    if (last !== null && last.count > count) continue
    const one = { text: values.texts[code] as string, count }
    if (last !== null && !isBefore(one, last)) continue
    const at = ofKind.findIndex((other) => isBefore(one, other))
    ofKind.splice(at < 0 ? ofKind.length : at, 0, one)
    if (ofKind.length > max) ofKind.pop()
  }
  return (kind) =>
    (first[kinds.find(kind) ?? -1] ?? []).map(({ text, count }) => {
      const value = text.slice(kind.length + 1)
      return { value, label: value, count }
    })
}
