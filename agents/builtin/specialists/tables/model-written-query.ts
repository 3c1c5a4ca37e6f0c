/** The query that a model writes over tables, and its conversion to one that the table tool evaluates. */
import { z } from 'zod'
import { formatList } from '../../format-numbers-and-lists.ts'
import type { Aggregate, Aggregated, Grouping, Measure, TableFilter, TableQuery } from '../../tools/tables/computing/table-query.ts'
import { type DataTable, listColumns, type TableColumn } from '../../tools/tables/reading/table/read-attached-table.ts'

const functions = ['count_rows', 'count_different', 'sum', 'average', 'median', 'min', 'max', 'range', 'deviation'] as const
const tests = [
  'is',
  'is_not',
  'contains',
  'starts_with',
  '>',
  '>=',
  '<',
  '<=',
  '=',
  '!=',
  'year',
  'quarter',
  'month',
  'is_missing',
  'is_present',
] as const

/** Strict schemas have no optional fields, so a missing value is null. */
export const ModelWrittenQuery = z.object({
  why_not: z.string().nullable(),
  table: z.number().int(),
  numbers: z
    .array(
      z.object({
        function: z.enum(functions),
        column: z.string().nullable(),
        operator: z.enum(['+', '-', '*', '/']).nullable(),
        second_column: z.string().nullable(),
      }),
    )
    .max(8),
  group_by: z.array(z.object({ column: z.string(), part: z.enum(['year', 'quarter', 'month', 'weekday', 'day']).nullable() })).max(3),
  filters: z.array(z.object({ column: z.string(), test: z.enum(tests), values: z.array(z.string()).max(50) })).max(12),
  columns: z.array(z.string()).max(12),
  sort: z.object({ column: z.string().nullable(), direction: z.enum(['highest', 'lowest']) }).nullable(),
  limit: z.number().int().min(1).max(1_000).nullable(),
  share: z.boolean(),
})
export type ModelWrittenQuery = z.infer<typeof ModelWrittenQuery>

/** Why a query fits no table. The model reads it and corrects the query. */
export class QueryFault extends Error {
  override readonly name = 'QueryFault'
}

const fault = (sentence: string): never => {
  throw new QueryFault(sentence)
}

/** @throws {QueryFault} */
export function toTableQuery(written: ModelWrittenQuery, tables: readonly DataTable[]): { table: DataTable; query: TableQuery } {
  const table = tables[written.table - 1] ?? fault(`There is no table ${written.table}.`)
  const columnOf = (name: string): TableColumn =>
    table.columns.find((column) => column.name === name) ??
    table.columns.find((column) => column.name.toLowerCase() === name.trim().toLowerCase()) ??
    fault(`There is no column “${name.slice(0, 60)}”. The columns are ${listColumns(table)}.`)
  const filters = written.filters.map((one, at) => filterOf(one, columnOf(one.column), at))
  if (written.numbers.length === 0) return { table, query: rowsQuery(written, filters, columnOf) }
  const numbers = written.numbers.map((one) => aggregatedOf(one, columnOf))
  const groups = written.group_by.map(({ column, part }): Grouping => groupingOf(columnOf(column), part))
  if (groups.length === 0 && (written.sort || written.limit !== null)) return { table, query: extremeQuery(written, { numbers, filters }) }
  const pick = written.sort && { direction: written.sort.direction, count: written.limit ?? 1_000 }
  return { table, query: { kind: 'numbers', numbers, groups, filters, ...(pick && { pick }), ...(written.share && { isShare: true }) } }
}

/** Without groups, only the highest or lowest single row can be chosen. */
function extremeQuery(
  { sort, limit }: ModelWrittenQuery,
  { numbers, filters }: { numbers: readonly Aggregated[]; filters: readonly TableFilter[] },
): TableQuery {
  if (!sort || (limit ?? 1) > 1 || numbers.length > 1) return fault('Numbers over all rows have no order. Group them, or ask for rows.')
  return { kind: 'numbers', numbers, groups: [], filters, pick: { direction: sort.direction, count: 1 } }
}

function rowsQuery(
  { columns, sort, limit }: ModelWrittenQuery,
  filters: readonly TableFilter[],
  columnOf: (name: string) => TableColumn,
): TableQuery {
  const by = sort && (sort.column === null ? fault('Rows are sorted by a column. Name it.') : columnOf(sort.column))
  const order = by && sort && { measure: { kind: 'column', column: by } as const, direction: sort.direction }
  return {
    kind: 'rows',
    columns: columns.map(columnOf),
    filters,
    ...(order && { order }),
    ...(limit !== null && { limit }),
    isDistinct: false,
  }
}

function groupingOf(column: TableColumn, part: ModelWrittenQuery['group_by'][number]['part']): Grouping {
  if (part !== null && column.kind !== 'time') return fault(`“${column.name}” has no times, so it has no ${part}.`)
  return { column, part: part ?? undefined }
}

function aggregatedOf(
  { function: name, column: first, operator, second_column }: ModelWrittenQuery['numbers'][number],
  columnOf: (name: string) => TableColumn,
): Aggregated {
  if (name === 'count_rows') return { aggregate: 'count', measure: { kind: 'rows', noun: 'rows' } }
  const column = first === null ? fault(`${name} needs a column.`) : columnOf(first)
  if (name === 'count_different') return { aggregate: 'usual', measure: { kind: 'distinct', column } }
  const others = operator === null || second_column === null ? [] : [columnOf(second_column)]
  const text = [column, ...others].find((one) => one.kind !== 'number')
  if (text) return fault(`“${text.name}” has no numbers, so it has no ${name}.`)
  const [other] = others
  const measure: Measure =
    operator && other
      ? { kind: 'combined', name: `${column.name} ${operator} ${other.name}`, operator, left: column, right: other, isPercent: false }
      : { kind: 'column', column }
  return { aggregate: name satisfies Aggregate, measure }
}

const comparisons = ['>', '>=', '<', '<=', '=', '!='] as const

function filterOf({ test, values }: ModelWrittenQuery['filters'][number], column: TableColumn, at: number): TableFilter {
  const { name } = column
  if (test === 'is_missing' || test === 'is_present')
    return {
      kind: 'missing',
      column,
      isNot: test === 'is_present',
      at,
      text: `${name} is ${test === 'is_missing' ? 'missing' : 'present'}`,
    }
  const [first] = values
  if (first === undefined) return fault(`The filter on “${name}” has no value.`)
  const comparison = comparisons.find((one) => one === test)
  if (comparison) {
    const value = Number(first.replace(/[\s,_](?=\d{3}(?!\d))/g, ''))
    if (column.kind !== 'number' || !Number.isFinite(value)) return fault(`“${name} ${test} ${first.slice(0, 40)}” compares no numbers.`)
    return { kind: 'number', column, comparison, value, at, text: `${name} ${comparison} ${value}` }
  }
  if (test === 'year' || test === 'quarter' || test === 'month') {
    if (column.kind !== 'time') return fault(`“${name}” has no times, so it has no ${test}.`)
    const numbers = values.map(Number)
    if (numbers.some((one) => !Number.isInteger(one))) return fault(`The ${test} of “${name}” is a whole number.`)
    return {
      kind: 'time',
      column,
      fields: numbers.map((one) => ({ [test]: one })),
      isNot: false,
      at,
      text: `in the ${test} ${formatList(values)}`,
    }
  }
  if (test === 'contains' || test === 'starts_with')
    return {
      kind: 'contains',
      column,
      part: first.toLowerCase(),
      isStart: test === 'starts_with',
      at,
      text: `${name} ${test === 'contains' ? 'contains' : 'starts with'} “${first}”`,
    }
  return cellFilter(column, values, { isNot: test === 'is_not', at })
}

/** Each value must be a cell of the column: a name that the table does not have is a mistake of the query. */
function cellFilter(column: TableColumn, values: readonly string[], { isNot, at }: { isNot: boolean; at: number }): TableFilter {
  const cells = new Set(column.cells.map((cell) => cell.toLowerCase()))
  const foreign = values.find((value) => !cells.has(value.toLowerCase()))
  if (foreign !== undefined) {
    const some = [...new Set(column.cells)].filter((cell) => cell !== '').slice(0, 20)
    return fault(`No cell of “${column.name}” is “${foreign.slice(0, 60)}”. Its cells are such as ${formatList(some)}.`)
  }
  return { kind: 'values', column, values, isNot, at, text: `${column.name} is ${isNot ? 'not ' : ''}${values.join(' or ')}` }
}

const shownRows = 5

/** What the model sees of a table: columns with their kinds, frequent cells, and some rows. */
export const describeTable = (table: DataTable, number: number) => ({
  table: number,
  name: table.name,
  rows: table.rows,
  columns: table.columns.map(({ name, kind, unit, cells }) => ({
    name,
    kind,
    ...(unit !== '' && { unit }),
    ...(kind === 'text' && {
      cells: [...new Set(cells)]
        .filter((cell) => cell !== '')
        .slice(0, 30)
        .map((cell) => cell.slice(0, 60)),
    }),
  })),
  examples: Array.from({ length: Math.min(shownRows, table.rows) }, (_, row) =>
    table.columns.map(({ cells }) => (cells[row] ?? '').slice(0, 80)),
  ),
})
