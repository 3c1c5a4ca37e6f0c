/** Reads conditions that name both a column and its cell: “shift is N”, “paid is not yes”. */
import { lowerAt, markUsed, type QuestionReading } from './reading/question/question-reading.ts'
import type { TableColumn } from './reading/table/read-attached-table.ts'
import type { ColumnMention } from './reading/words/find-columns.ts'
import type { QuestionWord } from './reading/words/read-question-words.ts'

const links = new Set('is are was were = equals :'.split(' '))
const maxCellWords = 6
const maxDifferentCells = 2_000

/**
 * Beside the name of its column, a cell may be any word: a single letter, “yes” or “no”. Alone, such words mean what they always mean.
 */
export function readColumnValueConditions(reading: QuestionReading): void {
  for (const mention of [...reading.mentions]) {
    if (mention.column.kind !== 'text') continue
    const keys = keysOf(mention.column)
    const found = keys && statedValues(reading, mention, keys)
    if (!found) continue
    const { values, end, isNot } = found
    markUsed(reading, mention.start, end)
    reading.mentions.splice(reading.mentions.indexOf(mention), 1)
    dropValuesWithin(reading, mention.start, end)
    reading.filters.push({ kind: 'values', column: mention.column, values, isNot, at: mention.start, text: values.join(' or ') })
  }
}

type Stated = { readonly values: readonly string[]; readonly end: number; readonly isNot: boolean }

function statedValues(reading: QuestionReading, { end }: ColumnMention, keys: ReadonlyMap<string, string>): Stated | undefined {
  let at = end
  if (!links.has(lowerAt(reading, at))) return undefined
  at++
  const isNot = lowerAt(reading, at) === 'not'
  if (isNot) at++
  const values: string[] = []
  for (;;) {
    const cell = cellAt(reading.words, at, keys)
    if (!cell) return values.length === 0 ? undefined : { values, end: at - 1, isNot }
    values.push(cell.value)
    at = cell.end
    if (!['or', 'nor'].includes(lowerAt(reading, at))) return { values, end: at, isNot }
    at++
  }
}

/** The longest cell that starts here. */
function cellAt(
  words: readonly QuestionWord[],
  at: number,
  keys: ReadonlyMap<string, string>,
): { readonly value: string; readonly end: number } | undefined {
  for (let count = Math.min(maxCellWords, words.length - at); count >= 1; count--) {
    const key = keyOfCell(
      words
        .slice(at, at + count)
        .map(({ text }) => text)
        .join(' '),
    )
    const value = key === '' ? undefined : keys.get(key)
    if (value !== undefined) return { value, end: at + count }
  }
  return undefined
}

/** The cells of a column by their text. Undefined for a column of too many different ones. */
function keysOf({ cells }: TableColumn): ReadonlyMap<string, string> | undefined {
  const different = new Set(cells)
  if (different.size > maxDifferentCells) return undefined
  return new Map(
    [...different]
      .filter((cell) => cell !== '')
      // The first spelling stands for all.
      .toReversed()
      .map((cell) => [keyOfCell(cell), cell]),
  )
}

const keyOfCell = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function dropValuesWithin({ values }: QuestionReading, start: number, end: number): void {
  for (let index = values.length - 1; index >= 0; index--) {
    const value = values[index]
    if (value && value.start < end && value.end > start) values.splice(index, 1)
  }
}
