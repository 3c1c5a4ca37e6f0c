/** Records of a site, from its pages or its API: names and facts. */

import { stemWord } from '../../stem-word.ts'
import { findBestMatch, isSameText, nameSimilarity } from './name-similarity.ts'
import type { Filter, Selection, Superlative } from './parse-web-task.ts'

export type Value = string | number | boolean | null | readonly string[]
export type SiteRecord = {
  readonly name: string
  readonly facts: { readonly [label: string]: Value }
  /** Reference of its link on the last page. */
  readonly ref?: string
  /** URL of its page. */
  readonly url?: string
}

/** The fact that best matches an attribute of a task. */
export function findFact(item: SiteRecord, attribute: string): { readonly label: string; readonly value: Value } | undefined {
  const label = findBestMatch(Object.keys(item.facts), (one) => nameSimilarity(attribute, one), 0.3)
  const value = label === undefined ? undefined : item.facts[label]
  return label === undefined || value === undefined ? undefined : { label, value }
}

/** The number in a value: "$1,204.50" is 1204.5. */
export function parseNumber(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const digits = /-?\d[\d,]*(?:\.\d+)?/.exec(value)?.[0]
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}

const gone = /\b(?:out of stock|sold out|unavailable|none|no)\b/i

/** Whether a record passes a filter; undefined if it has no such fact. */
export function matchesFilter(item: SiteRecord, filter: Filter): boolean | undefined {
  if (filter.field === undefined) {
    const values = Object.values(item.facts)
    return values.some((value) => equal(value, filter.value)) ? true : values.length > 0 ? false : undefined
  }
  const fact = findFact(item, filter.field)
  if (!fact) return undefined
  if (filter.is === 'equal') return alike(item, filter.field, fact.label).some((value) => equal(value, filter.value))
  const number = typeof fact.value === 'boolean' ? Number(fact.value) : parseNumber(fact.value)
  if (filter.is === 'none' || filter.is === 'some') {
    const isGone = number !== undefined ? number === 0 : typeof fact.value === 'string' && gone.test(fact.value)
    return isGone === (filter.is === 'none')
  }
  if (number === undefined) return undefined
  return filter.is === 'over' ? number > Number(filter.value) : number < Number(filter.value)
}

/** All values of labels with the same meaning, such as `assignee_id` and `assignee`. */
function alike(item: SiteRecord, attribute: string, label: string): Value[] {
  const best = nameSimilarity(attribute, label)
  return Object.entries(item.facts).flatMap(([one, value]) => (nameSimilarity(attribute, one) >= best ? [value] : []))
}

function equal(value: Value, wanted: string): boolean {
  if (typeof value === 'object' && value !== null) return value.some((one) => isSameText(one, wanted))
  const text = String(value)
  return isSameText(text, wanted) || text.split(/,\s*/).some((one) => isSameText(one, wanted))
}

export function hasName(item: SiteRecord, name: string): boolean {
  return (
    isSameText(item.name, name) ||
    Object.values(item.facts).some((value) => (typeof value === 'number' || typeof value === 'string') && isSameText(String(value), name))
  )
}

/** The record with the maximum or minimum of a fact; undefined if one record lacks it. */
export function pickRecord(items: readonly SiteRecord[], { by, isMax: max }: Superlative): SiteRecord | undefined {
  const numbered = items.map((item) => ({ item, number: rankOf(findFact(item, by)?.value) }))
  if (numbered.some(({ number }) => number === undefined)) return undefined
  return numbered.sort((a, b) => ((a.number ?? 0) - (b.number ?? 0)) * (max ? -1 : 1))[0]?.item
}

function rankOf(value: Value | undefined): number | undefined {
  const time = typeof value === 'string' && /^\d{4}-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? parseNumber(value) : time
}

/** The attributes that a selection compares. */
export const listNeededFacts = ({ filters, pick }: Selection): string[] => [
  ...filters.flatMap(({ field }) => (field === undefined ? [] : [field])),
  ...(pick ? [pick.by] : []),
]

/** A value as text. */
export function formatValue(value: Value): string {
  if (Array.isArray(value)) return value.join(', ')
  return String(value)
}

export const isNounOf = (noun: string, word: string): boolean => noun !== '' && stemWord(noun) === stemWord(word)

/** A sum rounded to 12 digits, without binary rounding errors. */
export const sumRounded = (numbers: readonly number[]): number => Number(numbers.reduce((sum, one) => sum + one, 0).toPrecision(12))
