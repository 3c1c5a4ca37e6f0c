/** Evaluates a query and writes its answer with how it was computed. */
import { formatList } from '../../../format-numbers-and-lists.ts'
import { writeFilters } from '../reading/question/question-reading.ts'
import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'
import { nameOfMeasure, writeMeasured, writeNumber } from '../writing/write-numbers.ts'
import {
  type AggregatedValue,
  aggregateRows,
  changesOf,
  compareNumbers,
  type GroupNumber,
  groupRows,
  numberGroups,
  type RowSet,
  selectRows,
  spellingsOf,
  ungroupedRows,
  usualAggregate,
  valueInRow,
} from './aggregate-rows.ts'
import { answerCorrelation, answerRegression } from './answer-correlation-and-regression.ts'
import { answerTableCheck } from './answer-table-check.ts'
import type { Aggregate, Aggregated, Grouping, Measure, TableFilter, TableQuery } from './table-query.ts'

/** `rows`: a table with its heading, for the file. */
export type TableAnswer = { readonly sentence: string; readonly rows?: readonly (readonly string[])[] }

/** A query for numbers, of all rows or of groups. */
export type NumbersQuery = TableQuery & { readonly kind: 'numbers' }

export function answerQuery(table: DataTable, query: TableQuery): TableAnswer {
  switch (query.kind) {
    case 'numbers':
      return query.groups.length > 0 ? answerGroups(table, query) : answerNumbers(table, query)
    case 'share':
      return answerShare(table, query)
    case 'comparison':
      return answerComparison(table, query)
    case 'correlation':
      return answerCorrelation(table, query)
    case 'regression':
      return answerRegression(table, query)
    case 'check':
      return answerTableCheck(table, query.check)
    case 'rows':
      return answerRows(table, query)
  }
}

const aggregateNames: { readonly [aggregate in Aggregate]: string } = {
  sum: 'sum',
  average: 'average',
  median: 'median',
  min: 'lowest',
  max: 'highest',
  range: 'range',
  deviation: 'standard deviation',
  count: 'number',
  usual: '',
}

const chosen = ({ aggregate, measure }: Aggregated): Aggregate =>
  measure.kind === 'rows' ? 'count' : measure.kind === 'distinct' ? 'usual' : aggregate === 'usual' ? usualAggregate(measure) : aggregate

/** `sum of revenue`, `number of rows`, `different customers`. */
export function nameOfAggregated(number: Aggregated): string {
  const { measure } = number
  if (measure.kind === 'rows') return 'number of rows'
  if (measure.kind === 'distinct') return `different cells of ${measure.column.name}`
  const isRatio = measure.kind === 'combined' && (measure.operator === '/' || measure.isMargin)
  return isRatio && (chosen(number) === 'sum' || chosen(number) === 'average')
    ? nameOfMeasure(measure)
    : `${aggregateNames[chosen(number)]} of ${nameOfMeasure(measure)}`
}

const where = (filters: readonly TableFilter[]): string => (filters.length === 0 ? '' : ` where ${writeFilters(filters)}`)
const counted = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'row' : 'rows'}`

const isMeanLike = (number: Aggregated): boolean =>
  ['average', 'median', 'deviation'].includes(chosen(number)) || (number.measure.kind === 'combined' && number.measure.operator === '/')

/** The value with its unit, or `no value`. */
export const valueText = (number: Aggregated, { value }: AggregatedValue): string =>
  value === null ? 'no value' : writeMeasured(number.measure, value, isMeanLike(number))

/** `signups 310 − churned 105`, or an empty text. */
function partsText({ measure }: Aggregated, { parts }: AggregatedValue): string {
  if (measure.kind !== 'combined' || !parts) return ''
  const [left, right] = [measure.left, measure.right].map(
    (column, index) => `${column.name} ${writeNumber(parts[index] ?? 0, column.decimals)}`,
  )
  if (measure.isMargin) return `(${left} − ${right}) ÷ ${left}`
  const sign = { '-': '−', '+': '+', '*': '×', '/': '÷' }[measure.operator]
  return `${left} ${sign} ${right}`
}

function answerNumbers(table: DataTable, query: NumbersQuery): TableAnswer {
  const rows = selectRows(table, query.filters)
  if (rows.length === 0 && query.numbers.some(({ measure }) => measure.kind === 'column' || measure.kind === 'combined'))
    return { sentence: `No row fulfils the condition${where(query.filters).replace(' where', ':')}.` }
  if (query.pick) return answerExtreme(table, query, rows)
  const numbers = query.numbers.map((number) => ({ number, result: aggregateRows(number.aggregate, number.measure, rows) }))
  const [first] = numbers
  if (numbers.length === 1 && first) return { sentence: oneNumber(table, { ...first, rows, filters: query.filters }) }
  const texts = numbers.map(({ number, result }) => `${nameOfAggregated(number)} ${valueText(number, result)}`)
  const sentence = `${capital(formatList(texts))} (${counted(rows.length)}${where(query.filters)}).`
  return {
    sentence,
    rows: [['Number', 'Value'], ...numbers.map(({ number, result }) => [capital(nameOfAggregated(number)), valueText(number, result)])],
  }
}

/** The text with a capital at its start. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type OneNumber = {
  readonly number: Aggregated
  readonly result: AggregatedValue
  readonly rows: RowSet
  readonly filters: readonly TableFilter[]
}

function oneNumber(table: DataTable, { number, result, rows, filters }: OneNumber): string {
  const { measure } = number
  if (measure.kind === 'rows') {
    const noun = ['row', 'rows', 'record', 'records'].includes(measure.noun) ? '' : `, one for each of the ${measure.noun}`
    return `${counted(rows.length)}${where(filters)}${filters.length === 0 ? ' in the table' : ''}${noun}.`
  }
  if (measure.kind === 'distinct') {
    const isAll = result.value === rows.length
    return `${(result.value ?? 0).toLocaleString('en-US')} different cells in “${measure.column.name}”${where(filters)}${isAll ? '' : ` (${counted(rows.length)})`}.`
  }
  const parts = partsText(number, result)
  const extreme = chosen(number) === 'max' || chosen(number) === 'min' ? ` ${labelOfExtreme(table, number, result, rows)}` : ''
  if (rows.length === 1 && number.aggregate === 'usual')
    return `${valueText(number, result)} (${parts === '' ? nameOfMeasure(measure) : parts}${where(filters)}).`
  const missing = rows.length - result.count
  const note = missing > 0 ? `, ${counted(missing)} without a number` : ''
  const how = parts === '' ? nameOfAggregated(number) : `${nameOfAggregated(number)}: ${parts}`
  return `${valueText(number, result)}${extreme.trimEnd()} (${how} over ${counted(result.count)}${where(filters)}${note}).`
}

/** `in June`, where the highest or lowest value stands. */
function labelOfExtreme(table: DataTable, { measure }: Aggregated, { value }: AggregatedValue, rows: RowSet): string {
  const label = labelColumn(table)
  const found = rows.filter((row) => valueInRow(measure, row) === value)
  if (!label || found.length === 0) return ''
  const names = [...new Set(found.map((row) => label.cells[row] ?? ''))].filter((name) => name !== '')
  if (names.length === 0) return ''
  return names.length > 3 ? `in ${counted(found.length)}` : `for ${formatList(names)}`
}

/** The column that names a row: a time, or else the first text. */
export function labelColumn(table: DataTable): TableColumn | undefined {
  const unique = (column: TableColumn): boolean => new Set(column.cells).size === table.rows
  const texts = table.columns.filter(({ kind }) => kind === 'text')
  const time = table.columns.find(({ kind }) => kind === 'time')
  return time && unique(time)
    ? time
    : (texts.find((column) => unique(column) && !/\bid\b/i.test(column.name)) ?? texts.find(unique) ?? texts[0] ?? time)
}

/** The highest or lowest value of all rows, with the row that has it. */
function answerExtreme(table: DataTable, query: NumbersQuery, rows: RowSet): TableAnswer {
  const [number] = query.numbers
  if (!number || !query.pick) return { sentence: 'Nothing to compute.' }
  const { measure } = number
  const isHighest = query.pick.direction === 'highest'
  const valued = rows.flatMap((row) => {
    const value = valueInRow(measure, row)
    return value === null ? [] : [{ row, value }]
  })
  const sorted = valued.sort((a, b) => (isHighest ? b.value - a.value : a.value - b.value))
  const place = query.pick.isOrdinal
    ? nthDistinct(
        sorted.map(({ value }) => value),
        query.pick.count,
      )
    : sorted[0]?.value
  if (place === undefined) return { sentence: `No row has a number for ${nameOfMeasure(measure)}${where(query.filters)}.` }
  const best = sorted.filter(({ value }) => value === place)
  const label = labelColumn(table)
  const names = label ? [...new Set(best.map(({ row }) => label.cells[row] ?? ''))].filter((name) => name !== '') : []
  const whose = names.length === 0 ? '' : names.length > 3 ? ` (${counted(best.length)})` : ` (${formatList(names)})`
  const first = best[0]
  const parts =
    first && measure.kind === 'combined'
      ? partsText(number, { value: place, count: 1, parts: [measure.left.numbers[first.row] ?? 0, measure.right.numbers[first.row] ?? 0] })
      : ''
  const title = `${query.pick.isOrdinal ? `${ordinal(query.pick.count)} ` : ''}${query.pick.direction} ${nameOfMeasure(measure)}`
  return {
    sentence: `${capital(title)}${where(query.filters)}: ${writeMeasured(measure, place, false)}${whose}${parts === '' ? '' : `: ${parts}`}.`,
  }
}

const ordinal = (n: number): string => ({ 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth' })[n] ?? `${n}th`
const nthDistinct = (sorted: readonly number[], n: number): number | undefined => [...new Set(sorted)][n - 1]

function answerGroups(table: DataTable, query: NumbersQuery): TableAnswer {
  const rows = selectRows(table, query.filters)
  const groups = groupRows(query.groups, rows)
  const [first] = query.numbers
  if (groups.length === 0 || !first) return { sentence: `No row fulfils the condition${where(query.filters).replace(' where', ':')}.` }
  const all = query.numbers.map((number) => (query.isChange ? changesOf(numberGroups(groups, number)) : numberGroups(groups, number)))
  const [numbers = []] = all
  const kept = query.having
    ? numbers.filter(
        ({ number }) => number.value !== null && compareNumbers(number.value, query.having?.comparison ?? '>', query.having?.value ?? 0),
      )
    : numbers
  const total = aggregateRows(first.aggregate, first.measure, rows).value ?? 0
  const ranked = rankGroups(kept, query)
  const header = [
    nameOfGroups(query.groups),
    ...query.numbers.map((number) => capital(query.isChange ? `change of ${nameOfAggregated(number)}` : nameOfAggregated(number))),
    ...(query.isShare ? ['Share'] : []),
  ]
  const cells = ranked.map((entry): string[] => [
    entry.group.name,
    ...all.map((list, index) => {
      const found = list.find(({ group }) => group === entry.group)
      const number = query.numbers[index]
      return found && number ? valueText(number, found.number) : ''
    }),
    ...(query.isShare ? [shareText(entry.number.value ?? 0, total)] : []),
  ])
  const shown: GroupSentence = { query, first, ranked, groups, all, total }
  const isPick = query.pick && query.pick.count <= 1_000 && !query.isShare
  const sentence = isPick ? pickSentence(shown) : `${listSentence(shown)}${noteOnGroups(query, rows)}`
  return { sentence, rows: [header, ...cells] }
}

/** Rows without a name for their group, and names that are taken as one. */
export function noteOnGroups(query: NumbersQuery, rows: RowSet): string {
  const nameless = ungroupedRows(query.groups, rows)
  const spellings = spellingsOf(query.groups, rows)
  const [first] = query.numbers
  const number = first && aggregateRows(first.aggregate, first.measure, nameless)
  const rest =
    nameless.length > 0 && first && number && !query.isChange
      ? ` ${counted(nameless.length)} without ${formatList(query.groups.map(({ column }) => column.name))}${first.measure.kind === 'rows' || number.value === null ? '' : `: ${valueText(first, number)}`}.`
      : ''
  return `${rest}${spellings.length > 0 ? ` Read ${formatList(spellings)}.` : ''}`
}

const shareText = (value: number, total: number): string => (total === 0 ? '–' : `${writeNumber((value / total) * 100, 1)}%`)

type GroupSentence = {
  readonly query: NumbersQuery
  readonly first: Aggregated
  readonly ranked: readonly GroupNumber[]
  readonly groups: readonly { readonly rows: RowSet }[]
  readonly all: readonly (readonly GroupNumber[])[]
  readonly total: number
}

/** Sorted by the first number; in the given order without a pick. */
export function rankGroups(numbers: readonly GroupNumber[], { pick, groups }: NumbersQuery): readonly GroupNumber[] {
  const valued = numbers.filter(({ number }) => number.value !== null)
  const isOrdered = groups[0]?.column.kind === 'time' || groups[0]?.column.kind === 'number'
  if (!pick) return isOrdered ? numbers : [...valued].sort((a, b) => (b.number.value ?? 0) - (a.number.value ?? 0))
  const sign = pick.direction === 'highest' ? -1 : 1
  return [...valued].sort((a, b) => sign * ((a.number.value ?? 0) - (b.number.value ?? 0)))
}

/** `product`, or `Month of Date`. */
export const nameOfGroups = (groups: readonly Grouping[]): string =>
  groups.map(({ column, part }) => (part === undefined ? column.name : `${capital(part)} of ${column.name}`)).join(', ')

/** `Highest: June, 205 (signups 310 − churned 105).` */
function pickSentence({ query, first, ranked, groups, all }: GroupSentence): string {
  const pick = query.pick ?? { direction: 'highest', count: 1 }
  const [best] = ranked
  if (!best) return `No row has a number for ${nameOfMeasure(first.measure)}${where(query.filters)}.`
  const hasSingleRows = groups.every(({ rows }) => rows.length === 1)
  const base = query.isChange
    ? changeName(first, hasSingleRows)
    : hasSingleRows && first.measure.kind === 'column'
      ? first.measure.column.name
      : nameOfAggregated(first)
  if (pick.count > 1 && !pick.isOrdinal) {
    const names = ranked.slice(0, pick.count).map((entry) => `${entry.group.name} ${valueText(first, entry.number)}`)
    return `${capital(pick.direction)} ${names.length}: ${shorten(names)} (${base}${where(query.filters)}).`
  }
  const value = pick.isOrdinal
    ? nthDistinct(
        ranked.map(({ number }) => number.value ?? 0),
        pick.count,
      )
    : best.number.value
  const winners = ranked.filter(({ number }) => number.value === value)
  const [winner] = winners
  if (!winner) return `There are fewer than ${pick.count} different values of ${base}.`
  const names = winners.length > 4 ? `${winners.length} of ${ranked.length} groups` : formatList(winners.map(({ group }) => group.name))
  const parts = query.isChange ? changeParts(first, winner) : partsText(first, winner.number)
  const others = query.numbers
    .slice(1)
    .map(
      (number, index) =>
        `${nameOfAggregated(number)} ${valueText(number, all[index + 1]?.find(({ group }) => group === winner.group)?.number ?? { value: null, count: 0 })}`,
    )
  const how = [parts === '' ? base : parts, ...others].join('; ')
  const rows =
    !hasSingleRows && !query.isChange && winners.length === 1 && first.measure.kind !== 'rows'
      ? `, ${counted(winner.group.rows.length)}`
      : ''
  const title = pick.isOrdinal ? `${capital(ordinal(pick.count))} ${pick.direction}` : capital(pick.direction)
  return `${title}: ${names}, ${valueText(first, winner.number)} (${how}${rows}${where(query.filters)}).`
}

const changeName = (number: Aggregated, isSingle: boolean): string =>
  `change of ${isSingle ? nameOfMeasure(number.measure) : nameOfAggregated(number)} from the one before`
const changeParts = ({ measure }: Aggregated, { number }: GroupNumber): string =>
  number.parts
    ? `${nameOfMeasure(measure)} from ${writeMeasured(measure, number.parts[1], false)} to ${writeMeasured(measure, number.parts[0], false)}`
    : ''

function shorten(texts: readonly string[], separator = ', '): string {
  const max = 220
  let [length, shown] = [0, 0]
  while (shown < texts.length && length + (texts[shown]?.length ?? 0) + 2 <= max) length += (texts[shown++]?.length ?? 0) + 2
  return shown === texts.length
    ? texts.join(separator)
    : `${texts.slice(0, Math.max(shown, 1)).join(separator)} and ${texts.length - Math.max(shown, 1)} more`
}

const otherText = (list: readonly GroupNumber[], number: Aggregated, wanted: GroupNumber['group']): string => {
  const found = list.find(({ group }) => group === wanted)
  return found ? valueText(number, found.number) : 'no value'
}

function listSentence({ query, first, ranked, all, total }: GroupSentence): string {
  if (ranked.length === 0) return `No group fulfils the condition${where(query.filters)}.`
  const isShort = query.numbers.length > 1 && query.numbers.length <= 4 && !query.isChange
  const texts = ranked.map(({ group, number }) => {
    const others = isShort ? all.slice(1).map((list, index) => otherText(list, query.numbers[index + 1] as Aggregated, group)) : []
    const values = [valueText(first, number), ...others].join(' / ')
    return `${group.name} ${values}${query.isShare ? ` (${shareText(number.value ?? 0, total)})` : ''}`
  })
  const having = query.having ? ` ${query.having.comparison} ${writeNumber(query.having.value, 4)}` : ''
  const missing =
    first.measure.kind === 'column' && !query.isChange
      ? ranked.reduce((sum, { group, number }) => sum + group.rows.length - number.count, 0)
      : 0
  const note = missing > 0 && first.aggregate !== 'count' ? `; ${counted(missing)} without a number` : ''
  const more = query.numbers.length > 1 && !isShort ? `; ${formatList(query.numbers.slice(1).map(nameOfAggregated))} in the file` : ''
  const isSingle = ranked.every(({ group }) => group.rows.length === 1)
  const single = query.isChange ? changeName(first, isSingle) : nameOfAggregated(first)
  const name = isShort ? query.numbers.map(nameOfAggregated).join(' / ') : single
  return `${capital(name)}${having} by ${nameOfGroups(query.groups)}${where(query.filters)}: ${shorten(texts)}${more}${note}.`
}

function answerShare(table: DataTable, query: TableQuery & { readonly kind: 'share' }): TableAnswer {
  const base = selectRows(table, query.base)
  const part = selectRows(table, [...query.base, ...query.filters])
  const { aggregate, measure } = query.number
  const [top, bottom] = [aggregateRows(aggregate, measure, part).value ?? 0, aggregateRows(aggregate, measure, base).value ?? 0]
  if (bottom === 0) return { sentence: `The whole is 0${where(query.base)}, so there is no share.` }
  const [a, b] = [writeMeasured(measure, top, false), writeMeasured(measure, bottom, false)]
  return {
    sentence: `${writeNumber((top / bottom) * 100, 1)}% (${nameOfAggregated(query.number)}: ${a} of ${b}${where([...query.base, ...query.filters])}).`,
  }
}

function answerComparison(table: DataTable, query: TableQuery & { readonly kind: 'comparison' }): TableAnswer {
  const { number, first, second } = query
  const values = [first, second].map((filter) =>
    aggregateRows(number.aggregate, number.measure, selectRows(table, [...query.filters, filter])),
  )
  const [a, b] = values.map(({ value, count }) => (count === 0 && number.measure.kind !== 'rows' ? null : value))
  if (a === null || b === null || a === undefined || b === undefined) {
    const missing = [first, second].filter((_, index) => [a, b][index] === null).map((filter) => filter.text)
    return { sentence: `No row has a number for ${formatList(missing)}, so there is nothing to compare.` }
  }
  const difference = a - b
  const isMean = isMeanLike(number)
  const size = writeMeasured(number.measure, Math.abs(difference), isMean)
  const relation =
    difference === 0 ? 'No difference' : `${size} ${difference > 0 ? 'more' : 'less'} for ${first.text} than for ${second.text}`
  const percent = b === 0 || difference === 0 ? '' : `, ${difference > 0 ? '+' : '−'}${writeNumber(Math.abs(difference / b) * 100, 1)}%`
  const [left, right] = [a, b].map((value) => writeMeasured(number.measure, value, isMean))
  return {
    sentence: `${relation} (${nameOfAggregated(number)}: ${first.text} ${left}, ${second.text} ${right}${percent}${where(query.filters)}).`,
  }
}

/** Rows in the file. */
const maxRowsShown = 500

function answerRows(table: DataTable, query: TableQuery & { readonly kind: 'rows' }): TableAnswer {
  let rows = [...selectRows(table, query.filters)]
  const { order } = query
  if (order)
    rows = rows
      .filter((row) => keyOf(order.measure, row) !== null)
      .sort((a, b) => compareKeys(keyOf(order.measure, a), keyOf(order.measure, b)) * (order.direction === 'highest' ? -1 : 1))
  const tied = order ? tiedRows(rows, order.measure, query.limit) : 0
  if (query.limit !== undefined) rows = rows.slice(0, query.limit === 1 ? 1 + tied : query.limit)
  if (rows.length === 0) return { sentence: `No row fulfils the condition${where(query.filters).replace(' where', ':')}.` }
  const columns = columnsShown(table, query)
  const lines = rows.map((row) => columns.map((column) => column.cells[row] ?? ''))
  const unique = query.isDistinct
    ? [...new Map(lines.map((line) => [line.join('\u0000').toLowerCase(), line])).values()].filter((line) =>
        line.some((cell) => cell !== ''),
      )
    : lines
  const texts = unique.map((line) => line.filter((cell) => cell !== '').join(', '))
  const what =
    query.isDistinct && query.columns[0]
      ? `${unique.length.toLocaleString('en-US')} different ${unique.length === 1 ? 'cell' : 'cells'} in “${query.columns[0].name}”`
      : counted(rows.length)
  const by = order ? `, ${order.direction} ${nameOfMeasure(order.measure)} first` : ''
  const shown =
    unique.length > maxRowsShown
      ? [...unique.slice(0, maxRowsShown), [`… and ${unique.length - maxRowsShown} more`, ...columns.slice(1).map(() => '')]]
      : unique
  const sentence =
    unique.length === 1 && query.columns.length > 0
      ? `${texts[0]} (${columns.map(({ name }) => name).join(', ')}${where(query.filters)}).`
      : `${what}${where(query.filters)}${by}: ${shorten(texts, columns.length > 1 ? '; ' : ', ')}.${tied > 0 && query.limit !== 1 ? ` ${counted(tied)} more ${tied === 1 ? 'has' : 'have'} the same value as the last one.` : ''}`
  return { sentence, rows: [columns.map(({ name }) => name), ...shown] }
}

/** The columns that are asked for, with the one that orders them; else all, at most 12. */
function columnsShown(table: DataTable, { columns, order }: TableQuery & { readonly kind: 'rows' }): readonly TableColumn[] {
  const by = order?.measure.kind === 'column' ? [order.measure.column] : []
  if (columns.length === 0) return [...new Set([...table.columns.slice(0, 12), ...by])]
  const label = columns.every((column) => by.includes(column)) ? labelColumn(table) : undefined
  return [...new Set([...(label ? [label] : []), ...columns, ...by])]
}

/** Rows beyond the limit with the same value as the last one within it. */
function tiedRows(rows: readonly number[], measure: Measure, limit = rows.length): number {
  const last = rows[limit - 1]
  const key = last === undefined ? null : keyOf(measure, last)
  return key === null ? 0 : rows.slice(limit).filter((row) => keyOf(measure, row) === key).length
}

type SortKey = number | string | null
function keyOf(measure: Measure, row: number): SortKey {
  if (measure.kind !== 'column') return valueInRow(measure, row)
  const { column } = measure
  if (column.kind === 'number') return column.numbers[row] ?? null
  if (column.kind === 'time') return column.times[row]?.order ?? null
  return column.cells[row] === '' ? null : (column.cells[row] ?? null)
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en')
}
