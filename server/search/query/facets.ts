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

/** `relevance`: the match of each slot; null for a query without text. */
export function countFacets(index: ListingIndex, query: FacetQuery, relevance: Float32Array | null): FacetCounts {
  const { skills, attributes } = index
  const conditions = compileConditions(index, query, query.terms)
  const alive = aliveFunction(index, query.terms)
  const tallies: Tallies = {
    total: 0,
    online: 0,
    skills: createTally(skills.ids.texts.length),
    types: createTally(skills.types.texts.length),
    attributes: createTally(attributes.texts.length),
    prices: new Uint32Array(query.priceLimits.length),
  }
  const limits = Float64Array.from(query.priceLimits, Number).sort()
  for (let slot = 0; slot < index.slots; slot++) {
    if ((relevance !== null && relevance[slot] === 0) || conditions.isHidden(slot)) continue
    const ofListing = conditions.ofListing(slot)
    // A listing that fails two conditions of its own counts for no facet.
    if ((ofListing & (ofListing - 1)) !== 0) continue
    countListing(index, slot, { conditions, tallies, limits, ofListing, isOnline: alive(slot) === 1 })
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

type Counted = {
  readonly conditions: Conditions
  readonly tallies: Tallies
  readonly limits: Float64Array
  readonly ofListing: number
  readonly isOnline: boolean
}

function countListing(index: ListingIndex, slot: number, { conditions, tallies, limits, ofListing, isOnline }: Counted): void {
  const { columns, skills } = index
  const start = columns.skillStart.data[slot] as number
  let all = -1
  let price = Number.POSITIVE_INFINITY
  for (let row = start; row < start + (columns.skillCount.data[slot] as number); row++) {
    const bits = ofListing | (conditions.hasSkillConditions ? conditions.ofSkill(row) : 0)
    // The fewest failed conditions of any skill: none, or one.
    if ((bits & (bits - 1)) !== 0) continue
    if (all !== 0) all = bits === 0 ? 0 : all === -1 || all === bits ? bits : all
    if ((bits & ~failedBits.skill) === 0) mark(tallies.skills, skills.id.data[row] as number, slot)
    if ((bits & ~failedBits.output) === 0) markTypes(index, row, slot, tallies.types)
    if ((bits & ~failedBits.price) === 0) price = Math.min(price, skills.price.data[row] as number)
  }
  const limit = limits.findIndex((one) => price <= one)
  if (limit >= 0) (tallies.prices[limit] as number)++
  if (all === 0) tallies.total++
  if (isOnline && (all === 0 || all === failedBits.online)) tallies.online++
  if (all === 0 || (all !== -1 && all >= attributeBit('currency'))) markAttributes(index, slot, all, tallies.attributes)
}

function mark({ counts, marks }: Tally, code: number, slot: number): void {
  if (marks[code] === slot + 1) return
  marks[code] = slot + 1
  ;(counts[code] as number)++
}

function markTypes({ skills }: ListingIndex, row: number, slot: number, tally: Tally): void {
  const start = skills.outputStart.data[row] as number
  const types = skills.typeLists.items.data
  for (let i = start; i < start + (skills.outputCount.data[row] as number); i++) mark(tally, types[i] as number, slot)
}

/** A listing that fails the condition on one kind of attribute counts for that kind only. */
function markAttributes({ columns, attributeLists, attributes }: ListingIndex, slot: number, failedBit: number, tally: Tally): void {
  const start = columns.attributeStart.data[slot] as number
  for (let i = start; i < start + (columns.attributeCount.data[slot] as number); i++) {
    const code = attributeLists.items.data[i] as number
    if (failedBit === 0 || kindBit(attributes.texts[code] as string) === failedBit) mark(tally, code, slot)
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
