/** “Count empty cells as 0”: where a table leaves out amounts of nothing, the client may say so. */
import type { ReadTableContext } from '../question/question-reading.ts'
import type { TableColumn } from './read-attached-table.ts'

const statement =
  /(?:^|(?<=[.?!\n]))\s*(?:please )?(?:count|treat|read|take) (?:the |all )?(?:empty|blank|missing) (?:cells|numbers|values|amounts|ones)(?: of numbers)? as (?:0|zero|nothing)\s*(?:[.!]|$)/i

/** The question without the statement, and the tables with zeros. The same if nothing is stated. */
export function countBlanksAsZero(
  question: string,
  contexts: readonly ReadTableContext[],
): { readonly question: string; readonly contexts: readonly ReadTableContext[]; readonly isStated: boolean } {
  if (!statement.test(question)) return { question, contexts, isStated: false }
  return {
    question: question.replace(statement, ' ').trim(),
    contexts: contexts.map(({ table, cells }) => ({ cells, table: { ...table, columns: table.columns.map(withZeros) } })),
    isStated: true,
  }
}

const withZeros = (column: TableColumn): TableColumn =>
  column.kind === 'number'
    ? { ...column, numbers: column.numbers.map((value, row) => (value === null && column.cells[row]?.trim() === '' ? 0 : value)) }
    : column
