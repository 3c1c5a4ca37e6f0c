/** Candidates on amounts that no column has: who owes how much, and what is left of income and expenses. */
import { normalizeArithmeticText } from '../number-questions/normalize-arithmetic-text.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import type { DerivedMeasure } from './find-derived-amounts.ts'
import { personHeading, plainName } from './match-words-to-table.ts'
import { hasFilters } from './queries-match-intent.ts'
import type { TableSuggestionContext } from './table-suggestion-context.ts'

const skillId = 'table.question'

export function suggestDerivedAmountReadings(about: TableSuggestionContext, derived: readonly DerivedMeasure[]): ReadingCandidate[] {
  return derived.flatMap((measure) => {
    if (measure.kind === 'debt') return debts(about, measure)
    if (measure.kind === 'balance') return balances(about, measure)
    return measure.kind === 'distance' ? distances(about, measure) : []
  })
}

const cents =
  /(\d+(?:\.\d+)?)\s?(?:cents?|ct|centimes?|céntimos?|p|pence)\s+(?:per|a|each|pro|je|par|por|le|el|al)\s+(?:km|kilomet\p{L}*|miles?|milla|meile)/iu
const rate =
  /(?:[€£$]\s?)?(\d+(?:\.\d+)?)\s?(?:€|£|\$|euros?|eur|pounds?|dollars?)?\s+(?:per|a|each|pro|je|par|por|le|el|al)\s+(?:km|kilomet\p{L}*|miles?|milla|meile)/iu

/** What was driven, and what it is worth where the goal has a rate. */
function distances({ goal, operations, filters }: TableSuggestionContext, { name, words: wording }: DerivedMeasure): ReadingCandidate[] {
  const text = normalizeArithmeticText(goal)
  const inCents = cents.exec(text)?.[1]
  const price = inCents === undefined ? rate.exec(text)?.[1] : String(Number(inCents) / 100)
  const where = filters.length === 0 ? '' : ` where ${filters.map(({ phrase }) => phrase).join(' and ')}`
  const sentences = [
    `What is the total of ${name}${where}?`,
    ...(price === undefined ? [] : [`What is the total of (${name} * ${price})${where}?`]),
  ]
  const matchedWords = plainWords(
    `${wording} ${[...operations.values()].join(' ')} ${filters.map((one) => one.words).join(' ')} ${(text.match(/\d+/g) ?? []).join(' ')} cent euro per pro par por`,
  )
  const matchesIntent: ReadingCandidate['matchesIntent'] = (queries) =>
    queries.length === sentences.length && queries.every((query) => hasFilters(query, filters))
  return [{ texts: [sentences.join(' ')], skillId, matchedWords, bonus: 6, matchesIntent }]
}

/** All who owe something, the largest debt, and the sum. What one pays too much does not reduce the debt of another. */
function debts({ words, operations }: TableSuggestionContext, { name, words: wording }: DerivedMeasure): ReadingCandidate[] {
  const texts = words.table.columns.filter(({ kind }) => kind === 'text')
  const label = texts.find((column) => personHeading.test(column.name.trim())) ?? texts[0]
  if (!label) return []
  const owed = `${name} where ${name} is more than 0`
  const sentences = [
    `List ${plainName(label)}, ${owed}.`,
    `Which ${plainName(label)} has the highest total of ${name}?`,
    `What is the total of ${owed}?`,
  ]
  const matchedWords = plainWords(`${wording} ${[...operations.values()].join(' ')} money pay paid much`)
  return [
    { texts: [sentences.join(' ')], skillId, matchedWords, bonus: 6, matchesIntent: (queries) => queries.length === sentences.length },
  ]
}

/** The balance of all rows, and of each category if there is one. */
function balances({ words, operations, filters }: TableSuggestionContext, { name, words: wording }: DerivedMeasure): ReadingCandidate[] {
  const category = words.table.columns.find(
    ({ kind, cells, name: heading }) => kind === 'text' && (/categor|kategorie|rubri|concept|type|类/iu.test(heading) || isRepeated(cells)),
  )
  const each = category === undefined ? [] : [`What is the total of ${name} per ${plainName(category)}?`]
  const sentences = [`What is the total of ${name}?`, ...each]
  const matchedWords = plainWords(
    `${wording} ${[...operations.values()].join(' ')} ${filters.map((one) => one.words).join(' ')} money bank paid`,
  )
  return [
    { texts: [sentences.join(' ')], skillId, matchedWords, bonus: 6, matchesIntent: (queries) => queries.length === sentences.length },
  ]
}

const isRepeated = (cells: readonly string[]): boolean => new Set(cells.map((cell) => cell.trim().toLowerCase())).size <= cells.length / 2
