/** Writes answers on how two columns of numbers go together. */

import { writeFilters } from '../reading/question/question-reading.ts'
import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'
import { writeNumber } from '../writing/write-numbers.ts'
import { selectRows } from './aggregate-rows.ts'
import { correlateColumns } from './correlate-columns.ts'
import type { TableQuery } from './table-query.ts'

const where = ({ filters }: TableQuery & { readonly kind: 'correlation' | 'regression' }): string =>
  filters.length === 0 ? '' : ` where ${writeFilters(filters)}`
const counted = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'row' : 'rows'}`
/** Rows that have one of both numbers only, or none. */
const leftOut = (all: number, used: number): string => (all > used ? `, ${counted(all - used)} without both numbers left out` : '')
const mean = (column: TableColumn, value: number): string => `mean ${column.name} ${writeNumber(value, column.decimals + 2)}`

export function answerCorrelation(table: DataTable, query: TableQuery & { readonly kind: 'correlation' }): { readonly sentence: string } {
  const { left, right } = query
  const rows = selectRows(table, query.filters)
  const { correlation: value, count, means } = correlateColumns(left, right, rows)
  if (value === null)
    return { sentence: `The correlation of ${left.name} and ${right.name} needs at least three rows with different numbers.` }
  const size = Math.abs(value) >= 0.7 ? 'strong' : Math.abs(value) >= 0.4 ? 'moderate' : Math.abs(value) >= 0.2 ? 'weak' : 'almost no'
  const sign = Math.abs(value) < 0.2 ? '' : value > 0 ? ' positive' : ' negative'
  return {
    sentence:
      `${writeNumber(value, 3)}: ${size}${sign} correlation of ${left.name} and ${right.name} (Pearson, ${counted(count)}${where(query)}${leftOut(rows.length, count)}; r² ${writeNumber(value * value, 3)}; ${mean(left, means[0])}, ${mean(right, means[1])}).` +
      ' A correlation alone does not prove a cause.',
  }
}

export function answerRegression(table: DataTable, query: TableQuery & { readonly kind: 'regression' }): { readonly sentence: string } {
  const { cause, outcome } = query
  const rows = selectRows(table, query.filters)
  const { slope, intercept, count } = correlateColumns(cause, outcome, rows)
  if (slope === null || intercept === null)
    return { sentence: `A slope of ${outcome.name} by ${cause.name} needs at least three rows with different numbers.` }
  const digits = Math.max(2, outcome.decimals + 1)
  return {
    sentence: `${writeNumber(slope, digits)} ${outcome.name} for each additional ${cause.name} (straight line by least squares: ${outcome.name} = ${writeNumber(intercept, digits)} ${slope < 0 ? '−' : '+'} ${writeNumber(Math.abs(slope), digits)} × ${cause.name}; ${counted(count)}${where(query)}${leftOut(rows.length, count)}).`,
  }
}
