/** Correlation and regression of two columns of numbers. */

import type { TableColumn } from '../reading/table/read-attached-table.ts'
import type { RowSet } from './aggregate-rows.ts'
import { sumNumbers } from './sum-numbers.ts'

/** `count`: rows with both numbers. Correlation and slope are null where a column does not vary, or with fewer than three rows. */
export type ColumnPairs = {
  readonly count: number
  readonly means: readonly [left: number, right: number]
  readonly correlation: number | null
  /** Of the right column by the left one. */
  readonly slope: number | null
  readonly intercept: number | null
}

export function correlateColumns(left: TableColumn, right: TableColumn, rows: RowSet): ColumnPairs {
  const pairs = rows.flatMap((row) => {
    const [a, b] = [left.numbers[row] ?? null, right.numbers[row] ?? null]
    return a === null || b === null ? [] : [[a, b] as const]
  })
  const count = pairs.length
  if (count < 3) return { count, means: [0, 0], correlation: null, slope: null, intercept: null }
  const [meanA, meanB] = [sumNumbers(pairs.map(([a]) => a)) / count, sumNumbers(pairs.map(([, b]) => b)) / count]
  const covariance = sumNumbers(pairs.map(([a, b]) => (a - meanA) * (b - meanB)))
  const [spreadA, spreadB] = [sumNumbers(pairs.map(([a]) => (a - meanA) ** 2)), sumNumbers(pairs.map(([, b]) => (b - meanB) ** 2))]
  const slope = spreadA === 0 ? null : covariance / spreadA
  return {
    count,
    means: [meanA, meanB],
    correlation: spreadA === 0 || spreadB === 0 ? null : covariance / Math.sqrt(spreadA * spreadB),
    slope,
    intercept: slope === null ? null : meanB - slope * meanA,
  }
}
