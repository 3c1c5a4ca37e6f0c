/** Counts of all facets in one pass over the listings. */
import { type ListingIndex, labelOf } from '../index/listing-index.ts'
import { aliveFunction, attributeBit, type Conditions, compileConditions, failedBits } from './compile-conditions.ts'
import { type AttributeKind, attributeKinds, type FacetCount, type FacetCounts, type FacetQuery } from './search-query.ts'

/** Listings per code. A listing counts once per code. */
type Tally = { readonly counts: Uint32Array; readonly marks: Uint32Array }
type Tallies = {
  total: number
  online: number
  readonly skills: Tally
  readonly types: Tally
  readonly attributes: Tally
  /** For each price limit: the listings whose lowest price fits it, but no lower limit. */
  readonly prices: Uint32Array
}
/** The maximum number of values of all kinds that are looked at. */
const maxAttributes = 1_000

const createTally = (size: number): Tally => ({ counts: new Uint32Array(size), marks: new Uint32Array(size) })

/** The columns of one moment, which the loop over all listings reads: reading them from the index each time takes longer than counting. */
type Counter = {
  readonly tallies: Tallies
  readonly conditions: Conditions
  /** Ascending, with infinite ones at the end: their number is a power of two above that of the limits. */
  readonly limits: Float64Array
  readonly skillStart: Uint32Array
  readonly skillCount: Uint8Array
  readonly skillIds: Uint32Array
  readonly skillPrices: Float64Array
  readonly outputStart: Uint32Array
  readonly outputCount: Uint8Array
  readonly types: Uint32Array
  readonly attributeStart: Uint32Array
  readonly attributeCount: Uint8Array
  readonly attributes: Uint32Array
  /** By attribute: the bit of its kind. */
  readonly attributeBits: Int32Array
}

function createCounter(index: ListingIndex, query: FacetQuery): Counter {
  const { columns, skills, attributes } = index
  return {
    tallies: {
      total: 0,
      online: 0,
      skills: createTally(skills.ids.texts.length),
      types: createTally(skills.types.texts.length),
      attributes: createTally(attributes.texts.length),
      prices: new Uint32Array(query.priceLimits.length),
    },
    conditions: compileConditions(index, query, query.terms),
    limits: sortedLimits(query.priceLimits),
    ...{ skillStart: columns.skillStart.data, skillCount: columns.skillCount.data },
    ...{ skillIds: skills.id.data, skillPrices: skills.price.data },
    ...{ outputStart: skills.outputStart.data, outputCount: skills.outputCount.data, types: skills.typeLists.items.data },
    ...{ attributeStart: columns.attributeStart.data, attributeCount: columns.attributeCount.data },
    ...{ attributes: index.attributeLists.items.data, attributeBits: Int32Array.from(attributes.texts, kindBit) },
  }
}

function sortedLimits(limits: readonly bigint[]): Float64Array {
  const sorted = new Float64Array(2 ** Math.ceil(Math.log2(limits.length + 1))).fill(Number.POSITIVE_INFINITY)
  sorted.set(limits.map(Number))
  return sorted.sort()
}

/** `relevance`: the match of each slot; null for a query without text. */
export function countFacets(index: ListingIndex, query: FacetQuery, relevance: Float32Array | null): FacetCounts {
  const { skills } = index
  const counter = createCounter(index, query)
  const { tallies, conditions } = counter
  const alive = aliveFunction(index, query.terms)
  for (let slot = 0; slot < index.slots; slot++) {
    if ((relevance !== null && relevance[slot] === 0) || conditions.isHidden(slot)) continue
    const ofListing = conditions.ofListing(slot)
    // A listing that fails two conditions of its own counts for no facet.
    if ((ofListing & (ofListing - 1)) === 0) countListing(counter, slot, ofListing, alive(slot) === 1)
  }
  const skillFacets = firstCodes(tallies.skills.counts, query.maxValues, skills.ids.texts)
  return {
    total: tallies.total,
    online: tallies.online,
    skills: skillFacets.map(({ code, count }) => ({ value: skills.ids.texts[code] as string, label: labelOf(skills, code), count })),
    outputTypes: firstCodes(tallies.types.counts, query.maxValues, skills.types.texts).map(({ code, count }) =>
      unlabelled(skills.types.texts[code] as string, count),
    ),
    prices: runningSums(tallies.prices),
    attributes: attributeFacets(index, tallies.attributes.counts, query.maxValues),
  }
}

function countListing(counter: Counter, slot: number, ofListing: number, isOnline: boolean): void {
  const { tallies, conditions, skillIds, skillPrices } = counter
  const start = counter.skillStart[slot] as number
  const end = start + (counter.skillCount[slot] as number)
  let all = -1
  let price = Number.POSITIVE_INFINITY
  for (let row = start; row < end; row++) {
    const bits = conditions.hasSkillConditions ? ofListing | conditions.ofSkill(row) : ofListing
    // The fewest failed conditions of any skill: none, or one.
    if ((bits & (bits - 1)) !== 0) continue
    if (all !== 0) all = bits === 0 ? 0 : all === -1 || all === bits ? bits : all
    if ((bits & ~failedBits.skill) === 0) mark(tallies.skills, skillIds[row] as number, slot)
    if ((bits & ~failedBits.output) === 0) markTypes(counter, row, slot)
    if ((bits & ~failedBits.price) === 0) price = Math.min(price, skillPrices[row] as number)
  }
  countPrice(counter, price)
  if (all === 0) tallies.total++
  if (isOnline && (all === 0 || all === failedBits.online)) tallies.online++
  if (all === 0 || all >= attributeBit('currency')) markAttributes(counter, slot, all)
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

function markTypes({ outputStart, outputCount, types, tallies }: Counter, row: number, slot: number): void {
  const start = outputStart[row] as number
  const end = start + (outputCount[row] as number)
  for (let i = start; i < end; i++) mark(tallies.types, types[i] as number, slot)
}

/** A listing that fails the condition on one kind of attribute counts for that kind only. */
function markAttributes(counter: Counter, slot: number, failedBit: number): void {
  const { attributeStart, attributeCount, attributes, attributeBits, tallies } = counter
  const start = attributeStart[slot] as number
  const end = start + (attributeCount[slot] as number)
  for (let i = start; i < end; i++) {
    const code = attributes[i] as number
    if (failedBit === 0 || attributeBits[code] === failedBit) mark(tallies.attributes, code, slot)
  }
}

function kindBit(attribute: string): number {
  const kind = attributeKinds.find((one) => attribute.startsWith(`${one}:`))
  return kind === undefined ? -1 : attributeBit(kind)
}

function runningSums(counts: Uint32Array): number[] {
  let sum = 0
  return Array.from(counts, (count) => {
    sum += count
    return sum
  })
}

type CodeCount = { readonly code: number; readonly count: number }

/** The codes with the highest counts, ties by text. */
function firstCodes(counts: Uint32Array, max: number, texts: readonly string[]): CodeCount[] {
  const first: CodeCount[] = []
  const isBefore = (a: CodeCount, b: CodeCount) =>
    a.count !== b.count ? a.count > b.count : (texts[a.code] as string) < (texts[b.code] as string)
  for (let code = 0; code < counts.length; code++) {
    const one = { code, count: counts[code] as number }
    const last = first.length === max ? first[max - 1] : undefined
    if (one.count === 0 || (last && !isBefore(one, last))) continue
    const at = first.findIndex((other) => isBefore(one, other))
    first.splice(at < 0 ? first.length : at, 0, one)
    if (first.length > max) first.pop()
  }
  return first
}

function attributeFacets({ attributes }: ListingIndex, counts: Uint32Array, max: number): FacetCounts['attributes'] {
  const all = firstCodes(counts, maxAttributes, attributes.texts)
  const of = (kind: string): FacetCount[] =>
    all.flatMap(({ code, count }) => {
      const text = attributes.texts[code] as string
      return text.startsWith(`${kind}:`) ? [unlabelled(text.slice(kind.length + 1), count)] : []
    })
  const first = (kind: AttributeKind) => of(kind).slice(0, max)
  return {
    ...{ currency: first('currency'), region: first('region'), protocol: first('protocol') },
    ...{ policy: first('policy'), language: first('language') },
  }
}

function unlabelled(value: string, count: number): FacetCount {
  return { value, label: value, count }
}
