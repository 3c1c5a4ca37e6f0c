/** A question over a table in a form that can be evaluated. */
import type { TableColumn } from '../reading/table/read-attached-table.ts'
import type { TimePart } from '../reading/table/time-values.ts'

export type Comparison = '>' | '>=' | '<' | '<=' | '=' | '!='

/** Parts of a time that all must match. `weekday`: 0 is Monday. */
export type TimeFields = {
  readonly year?: number
  readonly quarter?: number
  readonly month?: number
  readonly day?: number
  readonly weekday?: number
  readonly half?: number
}

/** A condition on rows. `text` is how an answer names it, and `at` the place of its words. */
export type TableFilter = { readonly text: string; readonly at: number } & (
  | { readonly kind: 'values'; readonly column: TableColumn; readonly values: readonly string[]; readonly isNot: boolean }
  | { readonly kind: 'contains'; readonly column: TableColumn; readonly part: string; readonly isStart: boolean }
  | { readonly kind: 'number'; readonly column: TableColumn; readonly comparison: Comparison; readonly value: number }
  | { readonly kind: 'average'; readonly column: TableColumn; readonly comparison: Comparison }
  | { readonly kind: 'time'; readonly column: TableColumn; readonly fields: readonly TimeFields[]; readonly isNot: boolean }
  | { readonly kind: 'period'; readonly column: TableColumn; readonly from: number; readonly to: number }
  | { readonly kind: 'missing'; readonly column: TableColumn; readonly isNot: boolean }
)

export type CombinedOperator = '-' | '+' | '*' | '/'

export type Measure =
  | { readonly kind: 'rows'; readonly noun: string }
  | { readonly kind: 'distinct'; readonly column: TableColumn }
  | { readonly kind: 'column'; readonly column: TableColumn }
  | {
      readonly kind: 'combined'
      readonly name: string
      readonly operator: CombinedOperator
      readonly left: TableColumn
      readonly right: TableColumn
      readonly isPercent: boolean
      /** True for a margin: (left − right) ÷ left. */
      readonly isMargin?: boolean
    }

export type Aggregate = 'sum' | 'average' | 'median' | 'min' | 'max' | 'range' | 'deviation' | 'count' | 'usual'

export type Aggregated = { readonly aggregate: Aggregate; readonly measure: Measure }

export type Direction = 'highest' | 'lowest'

export type Grouping = {
  readonly column: TableColumn
  /** Undefined: by the whole cell. */
  readonly part: TimePart | undefined
}

/** A check of the cells themselves. No columns: all of them. */
export type TableCheck =
  | {
      readonly kind: 'outliers'
      readonly columns: readonly TableColumn[]
      /** What is computed with and without the outliers. Empty: the outliers are listed. */
      readonly aggregates: readonly Aggregate[]
      readonly isWith: boolean
      readonly isWithout: boolean
    }
  | { readonly kind: 'missing' | 'duplicates'; readonly columns: readonly TableColumn[] }

export type TableQuery =
  | { readonly kind: 'check'; readonly check: TableCheck }
  | {
      /** Numbers over all rows, or for each group; with `pick`, for the groups with the highest or lowest number only. */
      readonly kind: 'numbers'
      readonly numbers: readonly Aggregated[]
      readonly groups: readonly Grouping[]
      readonly filters: readonly TableFilter[]
      readonly pick?: { readonly direction: Direction; readonly count: number; readonly isOrdinal?: boolean }
      readonly isShare?: boolean
      /** True: the number is the change from the group before. */
      readonly isChange?: boolean
      /** Keeps groups whose number fulfils it. */
      readonly having?: { readonly comparison: Comparison; readonly value: number }
    }
  | {
      /** The part of the total that the rows of `filters` have. */
      readonly kind: 'share'
      readonly number: Aggregated
      readonly filters: readonly TableFilter[]
      readonly base: readonly TableFilter[]
    }
  | {
      /** The same number under two conditions. */
      readonly kind: 'comparison'
      readonly number: Aggregated
      readonly first: TableFilter
      readonly second: TableFilter
      readonly filters: readonly TableFilter[]
      readonly isRelative: boolean
    }
  | {
      /** How much the outcome changes for one more of the cause, by least squares. */
      readonly kind: 'regression'
      readonly outcome: TableColumn
      readonly cause: TableColumn
      readonly filters: readonly TableFilter[]
    }
  | { readonly kind: 'correlation'; readonly left: TableColumn; readonly right: TableColumn; readonly filters: readonly TableFilter[] }
  | {
      readonly kind: 'rows'
      readonly columns: readonly TableColumn[]
      readonly filters: readonly TableFilter[]
      readonly order?: { readonly measure: Measure; readonly direction: Direction }
      readonly limit?: number
      readonly isDistinct: boolean
    }
