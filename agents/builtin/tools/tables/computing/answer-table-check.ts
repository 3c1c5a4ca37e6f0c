/** Answers questions on outliers, missing cells and duplicate rows. */
import { formatList } from '../../../format-numbers-and-lists.ts'
import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'
import { writeMeasured, writeNumber } from '../writing/write-numbers.ts'
import { aggregateRows, quantileOf } from './aggregate-rows.ts'
import type { Measure, TableCheck } from './table-query.ts'

type CheckAnswer = { readonly sentence: string; readonly rows?: readonly (readonly string[])[] }

export function answerTableCheck(table: DataTable, check: TableCheck): CheckAnswer {
  switch (check.kind) {
    case 'outliers':
      return answerOutliers(table, check)
    case 'missing':
      return answerMissing(table, check.columns)
    case 'duplicates':
      return answerDuplicates(table, check.columns)
  }
}

const counted = (n: number, one: string, many: string): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`
const maxShown = 5
/** Rows in the file. */
const maxRows = 500

/** `row 3 (02.02.2026, Meier GmbH)`: the number of the row, and its first cells. */
function nameOfRow(table: DataTable, row: number): string {
  const cells = table.columns
    .filter(({ kind }) => kind !== 'number')
    .map((column) => column.cells[row] ?? '')
    .filter((cell) => cell !== '')
    .slice(0, 2)
  return `row ${row + 1}${cells.length > 0 ? ` (${cells.map((cell) => cell.slice(0, 40)).join(', ')})` : ''}`
}

const shorten = (texts: readonly string[]): string =>
  texts.length <= maxShown ? formatList(texts) : `${texts.slice(0, maxShown).join(', ')} and ${texts.length - maxShown} more`

type Outliers = { readonly column: TableColumn; readonly low: number; readonly high: number; readonly rows: readonly number[] }
const minValues = 4

/** The rows whose value lies more than 1.5 interquartile ranges outside the quartiles. */
function findOutliers(column: TableColumn): Outliers | undefined {
  const sorted = column.numbers.filter((value) => value !== null).toSorted((a, b) => a - b)
  if (sorted.length < minValues) return undefined
  const [first, third] = [quantileOf(sorted, 0.25), quantileOf(sorted, 0.75)]
  const [low, high] = [first - 1.5 * (third - first), third + 1.5 * (third - first)]
  const rows = column.numbers.flatMap((value, row) => (value !== null && (value < low || value > high) ? [row] : []))
  return { column, low, high, rows }
}

function answerOutliers(table: DataTable, check: TableCheck & { readonly kind: 'outliers' }): CheckAnswer {
  const found = check.columns.map((column) => ({ column, outliers: findOutliers(column) }))
  const sentences = found.map(({ column, outliers }) => {
    if (!outliers) return `“${column.name}” has fewer than ${minValues} numbers, too few to tell outliers.`
    return check.aggregates.length > 0 ? aggregateSentence(check, outliers) : outlierSentence(table, outliers)
  })
  const rows = found.flatMap(({ column, outliers }) =>
    (outliers?.rows ?? []).map((row) => [column.name, String(row + 1), column.cells[row] ?? '', nameOfRow(table, row)]),
  )
  return {
    sentence: sentences.join(' '),
    ...(rows.length > 0 && { rows: [['Column', 'Row', 'Outlier', 'Where'], ...rows.slice(0, maxRows)] }),
  }
}

function outlierSentence(table: DataTable, { column, low, high, rows }: Outliers): string {
  const write = (value: number): string => writeNumber(value, column.decimals + 2)
  const rule = `1.5 interquartile ranges: below ${write(low)} or above ${write(high)}`
  if (rows.length === 0) return `No outliers in “${column.name}” (${rule}).`
  const texts = rows.map(
    (row) => `${writeMeasured({ kind: 'column', column }, column.numbers[row] ?? 0, false)} in ${nameOfRow(table, row)}`,
  )
  return `${counted(rows.length, 'outlier', 'outliers')} in “${column.name}”: ${shorten(texts)} (${rule}).`
}

function aggregateSentence(check: TableCheck & { readonly kind: 'outliers' }, { column, rows }: Outliers): string {
  const measure: Measure = { kind: 'column', column }
  const all = column.numbers.map((_, row) => row)
  const outside = new Set(rows)
  const write = (aggregate: (typeof check.aggregates)[number], chosen: readonly number[]): string => {
    const { value, count } = aggregateRows(aggregate, measure, chosen)
    return value === null ? 'no value' : `${writeMeasured(measure, value, true)} (${counted(count, 'row', 'rows')})`
  }
  const texts = check.aggregates.map((aggregate) => {
    const withAll = check.isWith ? [`with all values ${write(aggregate, all)}`] : []
    const without = check.isWithout
      ? [
          `without ${counted(rows.length, 'outlier', 'outliers')} ${write(
            aggregate,
            all.filter((row) => !outside.has(row)),
          )}`,
        ]
      : []
    return `${aggregate === 'average' ? 'Average' : 'Median'} of ${column.name}: ${[...withAll, ...without].join(', ')}.`
  })
  const rule = check.isWithout ? ' Outliers lie more than 1.5 interquartile ranges outside the quartiles.' : ''
  return `${texts.join(' ')}${rule}`
}

function answerMissing(table: DataTable, named: readonly TableColumn[]): CheckAnswer {
  const columns = named.length > 0 ? named : table.columns
  const found = columns
    .map((column) => ({
      column,
      rows: Array.from({ length: table.rows }, (_, row) => row).filter(
        (row) => column.cells[row] === '' || (column.kind === 'number' && column.numbers[row] === null),
      ),
    }))
    .filter(({ rows }) => rows.length > 0)
  const where =
    named.length > 0 ? `in ${formatList(named.map(({ name }) => `“${name}”`))}` : `in ${counted(columns.length, 'column', 'columns')}`
  if (found.length === 0) return { sentence: `No cell is missing ${where} (${counted(table.rows, 'row', 'rows')}).` }
  const total = found.reduce((sum, { rows }) => sum + rows.length, 0)
  const texts = found.map(({ column, rows }) => {
    const places = shorten(rows.map((row) => nameOfRow(table, row)))
    return `${column.name} in ${places}`
  })
  return {
    sentence: `${counted(total, 'cell is', 'cells are')} missing: ${texts.join('; ')}.`,
    rows: [
      ['Column', 'Missing', 'Rows'],
      ...found.map(({ column, rows }) => [
        column.name,
        String(rows.length),
        `${rows
          .slice(0, maxRows)
          .map((row) => row + 1)
          .join(', ')}${rows.length > maxRows ? ', …' : ''}`,
      ]),
    ],
  }
}

function answerDuplicates(table: DataTable, named: readonly TableColumn[]): CheckAnswer {
  const columns = named.length > 0 ? named : table.columns
  const groups = new Map<string, { readonly name: string; readonly rows: number[] }>()
  for (let row = 0; row < table.rows; row++) {
    const cells = columns.map((column) => column.cells[row] ?? '')
    if (cells.every((cell) => cell === '')) continue
    const key = JSON.stringify(named.length > 0 ? cells.map((cell) => cell.toLowerCase()) : cells)
    const group = groups.get(key)
    if (group) group.rows.push(row)
    else groups.set(key, { name: cells.filter((cell) => cell !== '').join(', '), rows: [row] })
  }
  const repeated = [...groups.values()].filter(({ rows }) => rows.length > 1)
  const what = named.length > 0 ? formatList(named.map(({ name }) => `“${name}”`)) : ''
  if (repeated.length === 0)
    return {
      sentence:
        named.length > 0
          ? `No cell of ${what} occurs more than once (${counted(table.rows, 'row', 'rows')}).`
          : `No row is a duplicate of another (${counted(table.rows, 'row', 'rows')}).`,
    }
  const extra = repeated.reduce((sum, { rows }) => sum + rows.length - 1, 0)
  const texts = repeated.map(
    ({ name, rows }) => `${name.slice(0, 60)} in rows ${formatList(rows.slice(0, 10).map((row) => String(row + 1)))}`,
  )
  const title =
    named.length > 0
      ? `${counted(repeated.length, 'entry', 'entries')} of ${what} ${repeated.length === 1 ? 'occurs' : 'occur'} more than once`
      : `${counted(extra, 'row repeats', 'rows repeat')} an earlier one`
  return {
    sentence: `${title}: ${shorten(texts)}.`,
    rows: [
      ['Repeated', 'Times', 'Rows'],
      ...repeated.slice(0, maxRows).map(({ name, rows }) => [
        name,
        String(rows.length),
        rows
          .slice(0, 50)
          .map((row) => row + 1)
          .join(', '),
      ]),
    ],
  }
}
