/** The cells of a table that the words of a question name. */
import type { DataTable, TableColumn } from '../table/read-attached-table.ts'
import { synonymsOfCell } from './cell-synonyms.ts'
import { wholeHeadingWords } from './find-columns.ts'
import type { QuestionWord } from './read-question-words.ts'
import { isTypingError, neverTypingErrors } from './typing-errors.ts'

/** Words `start` to `end` are a cell of the column. */
export type ValueMention = {
  readonly start: number
  readonly end: number
  readonly columns: readonly TableColumn[]
  readonly value: string
}

/** Cells in one table that are looked up by their text. */
export type CellIndex = ReadonlyMap<string, { readonly value: string; readonly columns: readonly TableColumn[] }>

const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const maxCells = 50_000

export function indexCells(table: DataTable): CellIndex {
  const index = new Map<string, { value: string; columns: TableColumn[] }>()
  for (const column of table.columns) {
    if (column.kind !== 'text') continue
    for (const cell of new Set(column.cells)) {
      const key = keyOf(cell)
      if (key === '' || key.length > 80 || index.size > maxCells) continue
      const found = index.get(key)
      if (!found) index.set(key, { value: cell, columns: [column] })
      else if (!found.columns.includes(column)) found.columns.push(column)
    }
  }
  addSynonyms(index)
  return index
}

/** “cancelled” finds cells such as “Storniert”, if no cell is that word itself. */
function addSynonyms(index: Map<string, { value: string; columns: TableColumn[] }>): void {
  if (index.size > 2_000) return
  for (const found of [...index.values()])
    for (const other of synonymsOfCell(found.value)) if (!index.has(keyOf(other))) index.set(keyOf(other), found)
}

/** Longest run of words in a cell that a question may name. */
const maxValueWords = 6

/** The cells that the words name, longest first, where no column is named. */
export function findCellValues(words: readonly QuestionWord[], isTaken: readonly boolean[], cells: CellIndex): ValueMention[] {
  const taken = [...isTaken]
  const found: ValueMention[] = []
  for (let count = Math.min(maxValueWords, words.length); count >= 1; count--)
    for (let start = 0; start + count <= words.length; start++) {
      if (taken.slice(start, start + count).some((one) => one)) continue
      const span = words.slice(start, start + count)
      const match = matchCell(span, cells)
      if (!match) continue
      for (let at = start; at < start + count; at++) taken[at] = true
      found.push({ start, end: start + count, ...match })
    }
  return found.sort((a, b) => a.start - b.start)
}

function matchCell(
  span: readonly QuestionWord[],
  cells: CellIndex,
): { readonly value: string; readonly columns: readonly TableColumn[] } | undefined {
  const [first] = span
  const isPlain = span.length === 1 && first !== undefined && first.kind !== 'quoted'
  const key = keyOf(span.map((word) => word.text).join(' '))
  const exact = cells.get(key)
  // In "people in IT", the capitals distinguish the cell from the pronoun.
  if (isPlain && exact?.value === first.text && /^\p{Lu}{2,}$/u.test(first.text)) return exact
  if (span.some((word) => word.kind === 'mark') || (isPlain && isFunctionWord(first))) return undefined
  if (exact) return exact
  const singular = span.length === 1 ? (cells.get(key.replace(/s$/, '')) ?? cells.get(key.replace(/es$/, ''))) : undefined
  if (singular && key.length > 3) return singular
  return undefined
}

/** `in` and `no` may be cells, but in a question they are what they always are. */
const isFunctionWord = (word: QuestionWord): boolean =>
  word.kind === 'word' &&
  (word.text.length < 2 || (wholeHeadingWords.has(word.lower) && word.text === word.lower) || functionWords.has(word.lower))

const functionWords = new Set(
  'a an the is are was were be been in on at of for to from by with and or not no yes it its as do does did has have had which what who when where how many much per than that this there all any'.split(
    ' ',
  ),
)

/** The cell that a word misspells, for columns of at most 2,000 different cells. */
export function findMistypedValue(
  word: QuestionWord,
  cells: CellIndex,
): { readonly value: string; readonly columns: readonly TableColumn[] } | undefined {
  if (word.kind !== 'word' || word.lower.length < 5 || cells.size > 2_000 || neverTypingErrors.has(word.lower)) return undefined
  for (const [key, found] of cells) if (isTypingError(word.lower, key)) return found
  return undefined
}
