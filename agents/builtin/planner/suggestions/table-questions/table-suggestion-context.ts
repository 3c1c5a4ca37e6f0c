/** What the candidates of one table are made from. */
import type { TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'
import type { RequestedOperation } from '../find-requested-operations.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import type { NamedFilter, TableMatches } from './match-words-to-table.ts'

/** What the candidates of one table share. */
export type TableSuggestionContext = {
  readonly goal: GoalParts
  readonly operations: ReadonlyMap<RequestedOperation, string>
  readonly words: TableMatches
  /** The heading or period to group by. */
  readonly group: { readonly name: string; readonly column: TableColumn | undefined; readonly words: string } | undefined
  readonly measures: readonly TableMeasure[]
  readonly filters: readonly NamedFilter[]
}

export type TableMeasure = { readonly name: string; readonly columns: readonly TableColumn[]; readonly words: string }
