/** Computes the rows and numbers that a query asks for. */

import { boundsOf, matchesFields } from '../reading/question/find-times.ts'
import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'
import { partOf } from '../reading/table/time-values.ts'
import { wordsOfName } from '../reading/words/read-question-words.ts'
import { sumNumbers } from './sum-numbers.ts'
import type { Aggregate, Aggregated, Comparison, Grouping, Measure, TableFilter } from './table-query.ts'

/** Indices of rows. */
export type RowSet = readonly number[]

export function compareNumbers(value: number, comparison: Comparison, other: number): boolean {
  switch (comparison) {
    case '>':
      return value > other
    case '>=':
      return value >= other
    case '<':
      return value < other
    case '<=':
      return value <= other
    case '=':
      return Math.abs(value - other) < 1e-9
    case '!=':
      return Math.abs(value - other) >= 1e-9
  }
}

/** The rows that fulfil all filters. */
export function selectRows(table: DataTable, filters: readonly TableFilter[]): RowSet {
  const tests = filters.map((filter) => testOf(filter))
  return Array.from({ length: table.rows }, (_, row) => row).filter((row) => tests.every((test) => test(row)))
}

function testOf(filter: TableFilter): (row: number) => boolean {
  const { column } = filter
  switch (filter.kind) {
    case 'values': {
      const wanted = new Set(filter.values.map((value) => value.toLowerCase()))
      return (row) => wanted.has((column.cells[row] ?? '').toLowerCase()) !== filter.isNot
    }
    case 'contains':
      return (row) => {
        const cell = (column.cells[row] ?? '').toLowerCase()
        return filter.isStart ? cell.startsWith(filter.part) : cell.includes(filter.part)
      }
    case 'number':
      return (row) => {
        const value = column.numbers[row]
        return typeof value === 'number' && compareNumbers(value, filter.comparison, filter.value)
      }
    case 'average': {
      const mean =
        aggregateRows(
          'average',
          { kind: 'column', column },
          column.numbers.map((_, row) => row),
        ).value ?? 0
      return (row) => {
        const value = column.numbers[row]
        return typeof value === 'number' && compareNumbers(value, filter.comparison, mean)
      }
    }
    case 'time':
      return (row) => {
        const time = column.times[row]
        return Boolean(time && filter.fields.some((fields) => matchesFields(time, fields))) !== filter.isNot
      }
    case 'period':
      return (row) => isInPeriod(column, row, filter)
    case 'missing':
      return (row) => isMissingIn(column, row) !== filter.isNot
  }
}

/** A word in a column of numbers is no number. */
const isMissingIn = ({ kind, numbers, cells }: TableColumn, row: number): boolean =>
  kind === 'number' ? (numbers[row] ?? null) === null : cells[row] === ''

/** A month or year lies in a period if all of it does. A column without years compares months only. */
function isInPeriod(column: TableColumn, row: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const time = column.times[row]
  if (!time) return false
  const isYearless = (order: number): boolean => Number.isFinite(order) && order < 372
  const isMonthOnly = isYearless(from) || isYearless(to)
  const year = time.year === undefined || isMonthOnly ? 0 : time.year
  const bounds = boundsOf({
    year,
    ...(time.month !== undefined && (time.period === 'quarter' ? { quarter: Math.ceil(time.month / 3) } : { month: time.month })),
    ...(time.day !== undefined && { day: time.day }),
  })
  const shift = (order: number): number => (Number.isFinite(order) && time.year === undefined ? order % 372 : order)
  return bounds.from >= shift(from) && bounds.to <= shift(to)
}

/** `parts`: the sums of both columns of a combined measure. */
export type AggregatedValue = { readonly value: number | null; readonly count: number; readonly parts?: readonly [number, number] }

/** The quantile of sorted values, interpolated between neighbours. */
export function quantileOf(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return low + (high - low) * (place - Math.floor(place))
}

/** The sample standard deviation, or null for fewer than two values. */
export function deviationOf(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const mean = sumNumbers(values) / values.length
  return Math.sqrt(sumNumbers(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
}

/** Names of measures that are no amounts, so that their sum means nothing. */
const rateWords = new Set(
  'pace tempo price prices rate rates ratio percent percentage pct share avg average mean median score rating stars age temp temperature margin index grade height weight speed salary wage level balance stock inventory latitude longitude size days duration length year years % per'.split(
    ' ',
  ),
)

/** True if the sum of the column is an amount itself. */
export function isAdditive(column: TableColumn): boolean {
  if (column.isAmount !== undefined) return column.isAmount
  const words = wordsOfName(column.name)
  const isUnitCost = words.includes('unit') && words.includes('cost')
  return column.unit !== '%' && !isUnitCost && !words.some((word) => rateWords.has(word))
}

const isAdditiveMeasure = (measure: Measure): boolean =>
  measure.kind === 'column'
    ? isAdditive(measure.column)
    : measure.kind !== 'combined' || ((measure.operator === '-' || measure.operator === '+') && !measure.isMargin)

/** What "usual" stands for: the sum of amounts, the average of rates. */
export const usualAggregate = (measure: Measure): Aggregate => (isAdditiveMeasure(measure) ? 'sum' : 'average')

/** The value of the measure in one row. */
export function valueInRow(measure: Measure, row: number): number | null {
  if (measure.kind === 'rows' || measure.kind === 'distinct') return 1
  if (measure.kind === 'column') return measure.column.numbers[row] ?? null
  const [left, right] = [measure.left.numbers[row] ?? null, measure.right.numbers[row] ?? null]
  return left === null || right === null ? null : combine(measure, left, right)
}

function combine(measure: Measure & { readonly kind: 'combined' }, left: number, right: number): number | null {
  const percent = measure.isPercent ? 100 : 1
  if (measure.isMargin) return left === 0 ? null : ((left - right) / left) * percent
  switch (measure.operator) {
    case '-':
      return left - right
    case '+':
      return left + right
    case '*':
      return left * right
    case '/':
      return right === 0 ? null : (left / right) * percent
  }
}

export function aggregateRows(aggregate: Aggregate, measure: Measure, rows: RowSet): AggregatedValue {
  if (measure.kind === 'rows' || aggregate === 'count') return { value: rows.length, count: rows.length }
  if (measure.kind === 'distinct') {
    const cells = new Set(rows.map((row) => (measure.column.cells[row] ?? '').toLowerCase()).filter((cell) => cell !== ''))
    return { value: cells.size, count: rows.length }
  }
  const chosen = aggregate === 'usual' ? usualAggregate(measure) : aggregate
  if (measure.kind === 'combined' && (chosen === 'sum' || chosen === 'average')) return combineSums(measure, rows, chosen)
  const values = rows.map((row) => valueInRow(measure, row)).filter((value) => value !== null)
  // A sum of nothing is no 0: cells may be missing.
  return { value: values.length === 0 ? null : aggregateValues(chosen, values), count: values.length }
}

/** A ratio of several rows is the ratio of their sums. */
function combineSums(measure: Measure & { readonly kind: 'combined' }, rows: RowSet, aggregate: 'sum' | 'average'): AggregatedValue {
  const complete = rows.filter(
    (row) =>
      valueInRow({ kind: 'column', column: measure.left }, row) !== null &&
      valueInRow({ kind: 'column', column: measure.right }, row) !== null,
  )
  const left = sumNumbers(complete.map((row) => measure.left.numbers[row] ?? 0))
  const right = sumNumbers(complete.map((row) => measure.right.numbers[row] ?? 0))
  if (complete.length === 0) return { value: null, count: 0 }
  if (measure.operator === '*')
    return {
      value: aggregateValues(
        aggregate,
        complete.map((row) => valueInRow(measure, row) ?? 0),
      ),
      count: complete.length,
    }
  const value = combine(measure, left, right)
  const isMean = aggregate === 'average' && (measure.operator === '-' || measure.operator === '+') && !measure.isMargin
  return { value: isMean && value !== null ? value / complete.length : value, count: complete.length, parts: [left, right] }
}

function aggregateValues(aggregate: Aggregate, values: readonly number[]): number | null {
  if (aggregate === 'sum') return sumNumbers(values)
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  switch (aggregate) {
    case 'median':
      return quantileOf(sorted, 0.5)
    case 'min':
      return sorted[0] ?? null
    case 'max':
      return sorted[sorted.length - 1] ?? null
    case 'range':
      return (sorted[sorted.length - 1] ?? 0) - (sorted[0] ?? 0)
    case 'deviation':
      return deviationOf(values)
    default:
      return sumNumbers(values) / values.length
  }
}

export type RowGroup = { readonly name: string; readonly order: number; readonly rows: RowSet }

/** The groups of rows: in time order, or in the order in which they first occur. Rows without a name are left out. */
export function groupRows(groups: readonly Grouping[], rows: RowSet): RowGroup[] {
  const found = new Map<string, { name: string; order: number; rows: number[] }>()
  for (const row of rows) {
    const keys = groups.map((group) => groupOf(group, row))
    if (keys.some((key) => key === undefined)) continue
    const name = keys.map((key) => key?.name ?? '').join(', ')
    const id = name.toLowerCase()
    const group = found.get(id)
    if (group) group.rows.push(row)
    else found.set(id, { name, order: keys[0]?.order ?? 0, rows: [row] })
  }
  const isOrdered = groups[0]?.column.kind === 'time' || groups[0]?.column.kind === 'number'
  return isOrdered ? [...found.values()].sort((a, b) => a.order - b.order) : [...found.values()]
}

function groupOf({ column, part }: Grouping, row: number): { readonly name: string; readonly order: number } | undefined {
  const cell = column.cells[row] ?? ''
  const time = column.times[row]
  if (part !== undefined) return time ? partOf(time, part) : undefined
  if (cell === '') return undefined
  return { name: cell, order: column.kind === 'time' ? (time?.order ?? 0) : column.kind === 'number' ? (column.numbers[row] ?? 0) : 0 }
}

/** Rows that stand in no group, because a cell is empty. */
export const ungroupedRows = (groups: readonly Grouping[], rows: RowSet): RowSet =>
  rows.filter((row) => groups.some((group) => groupOf(group, row) === undefined))

/** Other spellings of the names of groups, which differ by capitals only: `comida` for Comida. */
export function spellingsOf(groups: readonly Grouping[], rows: RowSet): readonly string[] {
  const first = new Map<string, string>()
  const found = new Set<string>()
  for (const { column, part } of groups) {
    if (part !== undefined || column.kind !== 'text') continue
    for (const row of rows) {
      const cell = column.cells[row] ?? ''
      const name = first.get(cell.toLowerCase())
      if (name === undefined) first.set(cell.toLowerCase(), cell)
      else if (name !== cell) found.add(`“${cell}” as “${name}”`)
    }
  }
  return [...found].slice(0, 5)
}

export type GroupNumber = { readonly group: RowGroup; readonly number: AggregatedValue }

/** The number of each group. */
export const numberGroups = (groups: readonly RowGroup[], { aggregate, measure }: Aggregated): GroupNumber[] =>
  groups.map((group) => ({ group, number: aggregateRows(aggregate, measure, group.rows) }))

/** The change of each number from the one before. */
export function changesOf(numbers: readonly GroupNumber[]): GroupNumber[] {
  return numbers.slice(1).map(({ group, number }, index): GroupNumber => {
    const before = numbers[index]?.number.value ?? null
    const value = before === null || number.value === null ? null : number.value - before
    return {
      group,
      number: { value, count: number.count, ...(before !== null && number.value !== null && { parts: [number.value, before] as const }) },
    }
  })
}
