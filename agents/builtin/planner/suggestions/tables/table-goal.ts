/** What the candidates of one table are made from. */
import type { TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'
import type { Wish } from '../find-wishes.ts'
import type { GoalWords } from '../goal-words.ts'
import type { NamedFilter, TableWords } from './read-table-words.ts'

/** What the candidates of one table share. */
export type TableGoal = {
  readonly goal: GoalWords
  readonly wishes: ReadonlyMap<Wish, string>
  readonly words: TableWords
  /** The heading or period to group by. */
  readonly group: { readonly name: string; readonly column: TableColumn | undefined; readonly words: string } | undefined
  readonly measures: readonly TableMeasure[]
  readonly filters: readonly NamedFilter[]
}

export type TableMeasure = { readonly name: string; readonly columns: readonly TableColumn[]; readonly words: string }
