/** The state of reading one part of a question: which words are understood, and as what. */
import { formatList } from '../../../../format-numbers-and-lists.ts'
import type { TableFilter } from '../../computing/table-query.ts'
import type { DataTable, TableColumn } from '../table/read-attached-table.ts'
import { type CellIndex, findCellValues, type ValueMention } from '../words/find-cell-values.ts'
import { type ColumnMention, findColumns } from '../words/find-columns.ts'
import type { QuestionWord } from '../words/read-question-words.ts'

export type ReadTableContext = { readonly table: DataTable; readonly cells: CellIndex }

export type QuestionReading = ReadTableContext & {
  readonly words: readonly QuestionWord[]
  readonly mentions: ColumnMention[]
  readonly values: ValueMention[]
  /** True for the words that are understood. */
  readonly used: boolean[]
  readonly filters: TableFilter[]
  /** What an answer must say about how words were read. */
  readonly notes: string[]
}

/** Nouns behind the name of a number that add nothing: "maths score", "rain amount". */
const measureNouns = new Set(
  'score scores mark marks grade grades result results points value values reading readings amount amounts figure figures'.split(' '),
)

export function startReading(words: readonly QuestionWord[], { table, cells }: ReadTableContext): QuestionReading {
  const used = words.map(() => false)
  const mentions = findColumns(words, table)
  const notes: string[] = []
  for (const { start, end, column, how } of mentions) {
    for (let at = start; at < end; at++) used[at] = true
    const text = words
      .slice(start, end)
      .map((word) => word.text)
      .join(' ')
    if (how === 'synonym' || how === 'typo') notes.push(`“${text}” is read as the column “${column.name}”.`)
  }
  for (const { end, column } of mentions) if (column.kind === 'number' && measureNouns.has(words[end]?.lower ?? '')) used[end] = true
  const values = findCellValues(words, used, cells)
  return { table, cells, words, mentions, values, used, filters: [], notes }
}

export const lowerAt = ({ words }: QuestionReading, at: number): string => words[at]?.lower ?? ''

/** True if these words stand at a place. */
export const hasPhrase = (reading: QuestionReading, at: number, phrase: string): boolean =>
  phrase.split(' ').every((word, index) => lowerAt(reading, at + index) === word)

/** Marks words as understood. */
export function markUsed({ used }: QuestionReading, start: number, end: number): void {
  for (let at = Math.max(start, 0); at < end; at++) used[at] = true
}

/** Articles and pronouns that stand between words that belong together. */
const fillers = new Set('the a an their its his her our my your all any of those these own total overall'.split(' '))

/** The nearest earlier word that is no article, and its place. */
export function previousWord(reading: QuestionReading, at: number): { readonly lower: string; readonly at: number } {
  let place = at - 1
  while (place >= 0 && fillers.has(lowerAt(reading, place))) place--
  return { lower: lowerAt(reading, place), at: place }
}

export const mentionAt = ({ mentions }: QuestionReading, at: number): ColumnMention | undefined =>
  mentions.find(({ start, end }) => at >= start && at < end)

export const textColumns = (table: DataTable): readonly TableColumn[] => table.columns.filter((column) => column.kind === 'text')
export const timeColumns = (table: DataTable): readonly TableColumn[] => table.columns.filter((column) => column.kind === 'time')
export const numberColumns = (table: DataTable): readonly TableColumn[] => table.columns.filter((column) => column.kind === 'number')

const isFilterOf =
  (column: TableColumn) =>
  (filter: TableFilter): boolean =>
    filter.column === column

/** The filters without those of a column. */
export const filtersWithout = (filters: readonly TableFilter[], column: TableColumn): TableFilter[] =>
  filters.filter((filter) => !isFilterOf(column)(filter))

/** `status is open and month is June`, or an empty text. */
export const writeFilters = (filters: readonly TableFilter[]): string =>
  formatList(
    filters.map((filter) => {
      const { name } = filter.column
      if (filter.kind === 'values') return `${name} is ${filter.isNot ? 'not ' : ''}${filter.values.slice(0, 5).join(' or ')}`
      if (filter.kind === 'time' || filter.kind === 'period') return `${name} is ${filter.text}`
      return filter.text
    }),
  )
