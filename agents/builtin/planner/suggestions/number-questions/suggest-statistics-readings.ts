/** Candidates for statistics of numbers that stand in the goal. */

import type { RequestedOperation } from '../find-requested-operations.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

const names: readonly (readonly [RequestedOperation, string])[] = [
  ['total', 'sum'],
  ['average', 'mean'],
  ['median', 'median'],
  ['mode', 'mode'],
  ['minimum', 'minimum'],
  ['maximum', 'maximum'],
  ['range', 'range'],
  ['deviation', 'standard deviation'],
]
const minNumbers = 3
const maxNumbers = 60
/** At least three numbers in a row, between which only commas, semicolons, spaces or “and” stand. */
const run = /(?<![\d.,:/-])-?\d+(?:[.,]\d+)?(?:(?:\s*[;\n]\s*|\s*,\s+|\s+(?:and|und|et|y)\s+|\s+)-?\d+(?:[.,]\d+)?(?![\d:/])){2,}/giu

export function suggestStatisticsReadings(
  { request, english, material, language }: GoalParts,
  operations: ReadonlyMap<RequestedOperation, string>,
): ReadingCandidate[] {
  const wanted = names.filter(([operation]) => operations.has(operation))
  const list = longestRun(`${request}\n${material ?? ''}`, language !== 'en')
  if (wanted.length === 0 || list.length < minNumbers || list.length > maxNumbers || list.every(isYear)) return []
  const named = names.map(([, name]) => name).filter((name) => wanted.some(([, one]) => one === name))
  const all = named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '')
  const matchedWords = [
    ...wanted.flatMap(([operation]) => plainWords(operations.get(operation) ?? '')),
    ...plainWords(list.join(' ')),
    ...numbersIn(`${request} ${english}`),
  ]
  return [
    { texts: [`What ${named.length > 1 ? 'are' : 'is'} the ${all} of ${list.join(', ')}?`], skillId: 'number.calculation', matchedWords },
  ]
}

/** A list of years has no sum that means anything. */
const isYear = (value: string): boolean => /^(?:19|20)\d\d$/.test(value)

const numbersIn = (text: string): string[] => text.match(/\d+/g) ?? []

/** The longest list of numbers, as English writes them. */
function longestRun(text: string, hasDecimalCommas: boolean): string[] {
  const runs = [...text.matchAll(run)].map(([list]) => list.match(/-?\d+(?:[.,]\d+)?/g) ?? [])
  const longest = runs.reduce((best, one) => (one.length > best.length ? one : best), [] as string[])
  const isComma = hasDecimalCommas || longest.every((one) => !one.includes('.'))
  return longest.map((one) => (isComma ? one.replace(',', '.') : one))
}
