/** Reads the conditions of a question: cells, comparisons with numbers, times, and missing cells. */

import type { Comparison, TableFilter } from '../../computing/table-query.ts'
import { readColumnValueConditions } from '../../read-column-value-conditions.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import { findMistypedValue, type ValueMention } from '../words/find-cell-values.ts'
import { rowNounOf } from '../words/stop-words.ts'
import { findTimes, timeFilters } from './find-times.ts'
import {
  hasPhrase,
  lowerAt,
  markUsed,
  mentionAt,
  numberColumns,
  previousWord,
  type QuestionReading,
  timeColumns,
} from './question-reading.ts'

/** Adds all conditions to the reading. */
export function readFilters(reading: QuestionReading): void {
  readMissing(reading)
  readColumnValueConditions(reading)
  readTimeFilters(reading)
  readContains(reading)
  readComparisons(reading)
  readValueFilters(reading)
}

function readTimeFilters(reading: QuestionReading): void {
  const columns = timeColumns(reading.table)
  const [first] = columns
  if (!first) return
  const isTaken = reading.used.map((one, at) => one || reading.values.some(({ start, end }) => at >= start && at < end))
  const times = findTimes(reading.words, isTaken).filter((mention) => !isAmount(reading, mention.start))
  for (const { filter, start, end } of timeFilters(reading.words, times, first)) {
    const column = columns.length === 1 ? first : nearestTimeColumn(reading, start, columns)
    const limited = withoutNamedYear(reading, { ...filter, column })
    if (limited) reading.filters.push(limited)
    markUsed(reading, start, end)
    takeColumnBefore(reading, start, column)
  }
}

/** Where the table has months without years, and its file the name of the year, all rows are of that year. */
function withoutNamedYear({ table, notes }: QuestionReading, filter: TableFilter): TableFilter | undefined {
  if (filter.kind !== 'time' || filter.isNot || filter.column.times.some((time) => time?.year !== undefined)) return filter
  const years = filter.fields.map(({ year }) => year)
  if (years.some((year) => year === undefined || !table.name.includes(String(year)))) return filter
  notes.push(`The rows have no year; the name of the file says ${[...new Set(years)].join(' and ')}.`)
  const fields = filter.fields.map(({ year: _, ...rest }) => rest)
  return fields.every((one) => Object.keys(one).length > 0) ? { ...filter, fields } : undefined
}

/** "more than 2000 visits" names no year. */
const isAmount = (reading: QuestionReading, at: number): boolean =>
  comparisons.some(([phrase]) => hasPhrase(reading, at - phrase.split(' ').length, phrase)) &&
  !['before', 'after'].includes(lowerAt(reading, at - 1))

function nearestTimeColumn(reading: QuestionReading, at: number, columns: readonly TableColumn[]): TableColumn {
  const before = reading.mentions.filter(({ column, end }) => columns.includes(column) && end <= at).at(-1)
  return before?.column ?? (columns[0] as TableColumn)
}

/** The column right before a condition names its column only: "where the date is after …". */
function takeColumnBefore(reading: QuestionReading, at: number, column: TableColumn): void {
  let place = at - 1
  while (place >= 0 && linkWords.has(lowerAt(reading, place))) place--
  const mention = mentionAt(reading, place)
  const isAsked =
    mention && ['which', 'what', 'by', 'per', 'each', 'every', 'in which'].includes(previousWord(reading, mention.start).lower)
  if (!mention || mention.column !== column || isAsked) return
  markUsed(reading, place, at)
  removeMention(reading, mention.start)
}

const linkWords = new Set('is are was were = equals equal to being has have had the a an : called named like of'.split(' '))

function removeMention({ mentions }: QuestionReading, start: number): void {
  const index = mentions.findIndex((mention) => mention.start === start)
  if (index >= 0) mentions.splice(index, 1)
}

const comparisons: readonly (readonly [string, Comparison])[] = [
  ['no more than', '<='],
  ['not more than', '<='],
  ['no less than', '>='],
  ['not less than', '>='],
  ['greater than or equal to', '>='],
  ['less than or equal to', '<='],
  ['more than', '>'],
  ['greater than', '>'],
  ['higher than', '>'],
  ['larger than', '>'],
  ['bigger than', '>'],
  ['older than', '>'],
  ['longer than', '>'],
  ['less than', '<'],
  ['fewer than', '<'],
  ['lower than', '<'],
  ['smaller than', '<'],
  ['younger than', '<'],
  ['shorter than', '<'],
  ['cheaper than', '<'],
  ['at least', '>='],
  ['at most', '<='],
  ['up to', '<='],
  ['equal to', '='],
  ['equals', '='],
  ['exactly', '='],
  ['exceeding', '>'],
  ['exceeds', '>'],
  ['exceed', '>'],
  ['exceeded', '>'],
  ['over', '>'],
  ['above', '>'],
  ['under', '<'],
  ['below', '<'],
  ['>=', '>='],
  ['<=', '<='],
  ['!=', '!='],
  ['>', '>'],
  ['<', '<'],
  ['=', '='],
]

function readComparisons(reading: QuestionReading): void {
  for (let at = 0; at < reading.words.length; at++) {
    if (reading.used[at]) continue
    if (readBetween(reading, at) || readAverage(reading, at)) continue
    const limit = limitBehind(reading, at)
    if (limit) {
      addComparison(reading, { at, ...limit })
      continue
    }
    const found = comparisons.find(([phrase]) => hasPhrase(reading, at, phrase))
    if (!found) continue
    const [phrase, comparison] = found
    const length = phrase.split(' ').length
    const number = reading.words[at + length]
    if (number?.kind !== 'number' || Number.isNaN(number.value)) continue
    addComparison(reading, { at, end: at + length + 1, comparison, value: number.value, text: `${phrase} ${number.text}` })
  }
  readEquals(reading)
}

const behind: readonly (readonly [string, Comparison])[] = [
  ...[
    'or more',
    'or over',
    'or above',
    'or higher',
    'or greater',
    'or older',
    'or longer',
    'or later',
    'and over',
    'and above',
    'and up',
  ].map((phrase) => [phrase, '>='] as const),
  ...['or less', 'or fewer', 'or under', 'or below', 'or lower', 'or younger', 'or shorter', 'and under', 'and below', 'and less'].map(
    (phrase) => [phrase, '<='] as const,
  ),
]

/** “140 or more”, also with a unit between. */
export function limitBehind(reading: QuestionReading, at: number): Omit<FoundComparison, 'at'> | undefined {
  const number = reading.words[at]
  if (number?.kind !== 'number' || Number.isNaN(number.value)) return undefined
  for (const start of [at + 1, at + 2]) {
    const found = behind.find(([phrase]) => hasPhrase(reading, start, phrase))
    if (
      found &&
      (start === at + 1 || unitWords.has(lowerAt(reading, at + 1)) || /^(?:mmhg|c|f|°c|°f|cm|mm)$/.test(lowerAt(reading, at + 1)))
    )
      return { end: start + 2, comparison: found[1], value: number.value, text: `${number.text} ${found[0]}` }
  }
  return undefined
}

type FoundComparison = {
  readonly at: number
  readonly end: number
  readonly comparison: Comparison
  readonly value: number
  readonly text: string
}

/** A comparison whose column is open stays for groups: "customers with more than 3 orders". */
function addComparison(reading: QuestionReading, found: FoundComparison): void {
  const column = comparedColumn(reading, found.at, found.end)
  if (!column) return
  const sign = { '>': '>', '>=': '≥', '<': '<', '<=': '≤', '=': '=', '!=': '≠' }[found.comparison]
  markUsed(reading, found.at, found.end)
  markUnit(reading, found.end)
  reading.filters.push({
    kind: 'number',
    column,
    comparison: found.comparison,
    value: found.value,
    at: found.at,
    text: `${column.name} ${sign} ${found.value.toLocaleString('en-US', { maximumFractionDigits: 10 })}`,
  })
}

const unitWords = new Set(
  'usd eur gbp chf euro euros dollar dollars pounds percent % kg km m g years year old units points stars pieces hours minutes days'.split(
    ' ',
  ),
)

function markUnit(reading: QuestionReading, at: number): void {
  if (!reading.used[at] && unitWords.has(lowerAt(reading, at))) {
    markUsed(reading, at, at + 1)
    if (lowerAt(reading, at + 1) === 'old' || lowerAt(reading, at + 1) === 'of') markUsed(reading, at + 1, at + 2)
  }
}

/** The number column of a comparison: right before it, right after it, or the only one. */
function comparedColumn(reading: QuestionReading, at: number, end: number): TableColumn | undefined {
  let place = at - 1
  while (
    place >= 0 &&
    (linkWords.has(lowerAt(reading, place)) || ['that', 'which', 'who', 'cost', 'costs'].includes(lowerAt(reading, place))) &&
    !mentionAt(reading, place)
  )
    place--
  const before = mentionAt(reading, place)
  if (before?.column.kind === 'number') {
    takeMention(reading, before.start)
    return before.column
  }
  let next = end
  while (['of', 'in', 'usd', 'eur', 'euros', 'dollars', 'percent'].includes(lowerAt(reading, next))) next++
  const after = mentionAt(reading, next)
  if (after?.column.kind === 'number') {
    markUsed(reading, end, next)
    takeMention(reading, after.start)
    return after.column
  }
  if (after || countsRows(reading, end)) return undefined
  const word = lowerAt(reading, at)
  const age = /^(?:older|younger)$/.test(word)
    ? reading.table.columns.find((column) => column.kind === 'number' && /\bage\b/i.test(column.name))
    : undefined
  const price =
    /^cheaper$/.test(word) || /^(?:cost|costs|costing)$/.test(lowerAt(reading, at - 1))
      ? reading.table.columns.find((column) => column.kind === 'number' && /price|cost/i.test(column.name))
      : undefined
  const numbers = numberColumns(reading.table)
  const named = reading.mentions.filter(({ column }) => column.kind === 'number')
  return age ?? price ?? (named.length === 1 ? named[0]?.column : numbers.length === 1 ? numbers[0] : moneyColumn(numbers))
}

/** “Customers with more than 2 orders”: a number of rows for each customer, and no amount. */
function countsRows(reading: QuestionReading, end: number): boolean {
  const noun = lowerAt(reading, end)
  const isOfRows = rowNounOf(noun, reading.table.name) !== undefined || noun === 'times'
  return isOfRows && reading.mentions.some(({ column, end: before }) => column.kind === 'text' && before <= end)
}

/** The one column that holds amounts of money, as in "orders over 100". */
export function moneyColumn(columns: readonly TableColumn[]): TableColumn | undefined {
  const money = columns.filter(
    ({ name, unit }) =>
      /amount|revenue|sales|takings|total|turnover|income|ventas|ventes|betrag|umsatz|summe|importe|monto|montant|金额|总额|销售额/i.test(
        name,
      ) || /^[A-Z]{3}$/.test(unit),
  )
  const totals = money.filter(({ name }) => !/price|tax|discount|shipping|fee/i.test(name))
  return totals.length === 1 ? totals[0] : money.length === 1 ? money[0] : undefined
}

/** The mention stays a measure if the question asks for it elsewhere, too. */
function takeMention(reading: QuestionReading, start: number): void {
  removeMention(reading, start)
}

function readBetween(reading: QuestionReading, at: number): boolean {
  const [low, and, high] = [reading.words[at + 1], lowerAt(reading, at + 2), reading.words[at + 3]]
  if (
    !['between', 'from'].includes(lowerAt(reading, at)) ||
    low?.kind !== 'number' ||
    high?.kind !== 'number' ||
    !['and', 'to', '-'].includes(and)
  )
    return false
  const column = comparedColumn(reading, at, at + 4)
  if (!column) return false
  const [min, max] = [Math.min(low.value, high.value), Math.max(low.value, high.value)]
  markUsed(reading, at, at + 4)
  markUnit(reading, at + 4)
  reading.filters.push({
    kind: 'number',
    column,
    comparison: '>=',
    value: min,
    at,
    text: `${column.name} ≥ ${min.toLocaleString('en-US')}`,
  })
  reading.filters.push({
    kind: 'number',
    column,
    comparison: '<=',
    value: max,
    at,
    text: `${column.name} ≤ ${max.toLocaleString('en-US')}`,
  })
  return true
}

/** "above the average", "higher than average". */
function readAverage(reading: QuestionReading, at: number): boolean {
  const found = (['above', 'over', 'below', 'under', 'more than', 'higher than', 'less than', 'lower than', 'greater than'] as const).find(
    (phrase) => hasPhrase(reading, at, phrase),
  )
  if (!found) return false
  let place = at + found.split(' ').length
  if (lowerAt(reading, place) === 'the') place++
  if (!['average', 'mean'].includes(lowerAt(reading, place))) return false
  const column = comparedColumn(reading, at, place + 1)
  if (!column) return false
  markUsed(reading, at, place + 1)
  const comparison = /above|over|more|higher|greater/.test(found) ? '>' : '<'
  reading.filters.push({
    kind: 'average',
    column,
    comparison,
    at,
    text: `${column.name} is ${comparison === '>' ? 'above' : 'below'} its average`,
  })
  return true
}

/** "rating is 5", "year = 2023" where the number directly follows its column. */
function readEquals(reading: QuestionReading): void {
  for (const mention of [...reading.mentions]) {
    if (mention.column.kind !== 'number') continue
    let at = mention.end
    const isLinked = ['is', 'of', '=', 'equals', 'was'].includes(lowerAt(reading, at))
    while (['is', 'of', '=', 'equals', 'was', 'equal', 'to'].includes(lowerAt(reading, at))) at++
    const number = reading.words[at]
    if (!isLinked || number?.kind !== 'number' || reading.used[at]) continue
    markUsed(reading, mention.start, at + 1)
    removeMention(reading, mention.start)
    reading.filters.push({
      kind: 'number',
      column: mention.column,
      comparison: '=',
      value: number.value,
      at: mention.start,
      text: `${mention.column.name} = ${number.text}`,
    })
  }
}

const missingWords = new Set('without missing no empty blank lacking lack lacks null'.split(' '))

/** "without an email", "where the phone is missing". */
function readMissing(reading: QuestionReading): void {
  for (const mention of [...reading.mentions]) {
    const { start, end, column } = mention
    const previous = previousWord(reading, start)
    const isBefore = missingWords.has(previous.lower) || (previous.lower === 'no' && column.cells.some((cell) => cell === ''))
    const place = ['is', 'are', 'was', 'were', 'cell', 'cells'].includes(lowerAt(reading, end)) ? end + 1 : end
    const isNot = lowerAt(reading, place) === 'not'
    const after = isNot ? place + 1 : place
    const isAfter = ['missing', 'empty', 'blank', 'null'].includes(lowerAt(reading, after))
    if (!isBefore && !isAfter) continue
    markUsed(reading, isAfter ? start : previous.at, isAfter ? after + 1 : end)
    removeMention(reading, start)
    reading.filters.push({ kind: 'missing', column, isNot, at: start, text: `${column.name} is ${isNot ? 'not ' : ''}missing` })
  }
}

/** "name contains Ltd", "starting with A". */
function readContains(reading: QuestionReading): void {
  for (let at = 0; at < reading.words.length; at++) {
    const phrase = (
      [
        'contains',
        'contain',
        'containing',
        'starts with',
        'start with',
        'starting with',
        'begins with',
        'begin with',
        'beginning with',
      ] as const
    ).find((one) => hasPhrase(reading, at, one))
    const first = phrase ? at + phrase.split(' ').length : at
    const start = ['a', 'an', 'the'].includes(lowerAt(reading, first)) ? first + 1 : first
    const value = phrase && reading.words[start]
    if (!phrase || !value || value.kind === 'mark') continue
    const mention = reading.mentions.filter(({ end, column }) => end <= at && column.kind === 'text').at(-1)
    // "orders that contain Tea": a whole cell of another column is meant.
    const isCell = reading.values.some((cell) => cell.start === start && !cell.columns.some((one) => one === mention?.column))
    if (!mention || isCell) continue
    const end = start + 1
    markUsed(reading, at, end)
    dropValues(reading, at, end)
    if (reading.mentions.length > 1) removeMention(reading, mention.start)
    const isStart = !phrase.startsWith('contain')
    reading.filters.push({
      kind: 'contains',
      column: mention.column,
      part: value.lower,
      isStart,
      at,
      text: `${mention.column.name} ${isStart ? 'starts with' : 'contains'} “${value.text}”`,
    })
  }
}

function dropValues({ values }: QuestionReading, start: number, end: number): void {
  for (let index = values.length - 1; index >= 0; index--) {
    const value = values[index]
    if (value && value.start < end && value.end > start) values.splice(index, 1)
  }
}

function readValueFilters(reading: QuestionReading): void {
  addMistypedValues(reading)
  const open = reading.values.filter(({ start, end }) => !reading.used.slice(start, end).some((one) => one))
  let last: { readonly filter: TableFilter & { readonly kind: 'values' }; readonly end: number } | undefined
  for (const mention of open) {
    const column = columnOfValue(reading, mention)
    const isNot = isNegated(reading, mention)
    markUsed(reading, mention.start, mention.end)
    takeColumnBefore(reading, mention.start, column)
    takeColumnAfter(reading, mention.end, column)
    const between = last ? reading.words.slice(last.end, mention.start).map((word) => word.lower) : []
    const isJoined = between.length > 0 && between.every((word) => ['and', 'or', ',', 'vs', 'versus', 'nor', '/'].includes(word))
    const previous = last?.filter
    if (previous && isJoined && previous.column === column) {
      const filter = { ...previous, values: [...previous.values, mention.value] }
      reading.filters[reading.filters.indexOf(previous)] = filter
      last = { filter, end: mention.end }
    } else {
      const filter = { kind: 'values' as const, column, values: [mention.value], isNot, at: mention.start, text: mention.value }
      reading.filters.push(filter)
      last = { filter, end: mention.end }
    }
  }
}

/** "North region", "the Berlin office". */
function takeColumnAfter(reading: QuestionReading, end: number, column: TableColumn): void {
  const mention = mentionAt(reading, end)
  if (mention?.column === column) removeMention(reading, mention.start)
}

/** Where several columns hold the cell, the column that is named decides. */
function columnOfValue(reading: QuestionReading, { columns }: ValueMention): TableColumn {
  const named = columns.find((column) => reading.mentions.some((mention) => mention.column === column))
  const [first] = columns
  const chosen = named ?? (first as TableColumn)
  if (columns.length > 1 && !named) reading.notes.push(`The value stands in several columns; I take “${chosen.name}”.`)
  return chosen
}

const negations = new Set(['not', 'except', 'excluding', 'without', "isn't", "aren't", "wasn't", "weren't", 'non'])

function isNegated(reading: QuestionReading, { start }: ValueMention): boolean {
  const previous = previousWord(reading, start)
  const isOther = previous.lower === 'than' && lowerAt(reading, previous.at - 1) === 'other'
  const second = lowerAt(reading, previous.at - 1)
  const isNot =
    negations.has(previous.lower) || isOther || (['in', 'from', 'for', 'is', 'are'].includes(previous.lower) && negations.has(second))
  if (isNot) markUsed(reading, isOther || negations.has(second) ? previous.at - 1 : previous.at, start)
  return isNot
}

/** A misspelled cell where a condition stands: after "in", "from", "for", "is" and the like, or with a capital. */
function addMistypedValues(reading: QuestionReading): void {
  for (let at = 0; at < reading.words.length; at++) {
    const word = reading.words[at]
    const isOpen = word && !reading.used[at] && !reading.values.some(({ start, end }) => at >= start && at < end)
    if (
      !isOpen ||
      !['in', 'from', 'for', 'is', 'are', 'of', 'by', 'with', 'at', 'to', 'was', 'were', 'not', 'and', 'or'].includes(
        previousWord(reading, at).lower,
      )
    )
      continue
    const found = findMistypedValue(word, reading.cells)
    if (!found) continue
    reading.values.push({ start: at, end: at + 1, ...found })
    reading.notes.push(`“${word.text}” is read as “${found.value}”.`)
  }
  reading.values.sort((a, b) => a.start - b.start)
}
