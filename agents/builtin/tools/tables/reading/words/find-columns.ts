/** The columns of a table that the words of a question name. */
import { stemWord } from '../../../../stem-word.ts'
import type { DataTable, TableColumn } from '../table/read-attached-table.ts'
import { headingSynonyms } from './heading-synonyms.ts'
import { type QuestionWord, wordsOfName } from './read-question-words.ts'
import { isTypingError, neverTypingErrors } from './typing-errors.ts'

/** Words `start` to `end` (excluded) name the column. */
export type ColumnMention = {
  readonly start: number
  readonly end: number
  readonly column: TableColumn
  readonly how: 'name' | 'part' | 'typo' | 'synonym'
}

type NamedColumn = {
  readonly column: TableColumn
  readonly words: readonly string[]
  readonly stems: readonly string[]
  /** The stems without the unit and numbers. */
  readonly bare: readonly string[]
  /** The stems of the heading as a sentence has it: “mmHg” is one word. */
  readonly written: readonly string[]
}

/** Words in a heading that a question may leave out. */
const weakWords = new Set(
  'id name number no nr count total amount value usd eur gbp in of the date avg average per'.split(' ').map(stemWord),
)
/** Words of questions that only name a column if the whole heading is that word. */
export const wholeHeadingWords = new Set(
  'total sum average mean median min max minimum maximum highest lowest most least top bottom count number first last best worst all each every per by in of for than over more less rate net new day days month months year years week weeks quarter ratio share percentage time how many list show name names type value state order difference growth change'.split(
    ' ',
  ),
)

/** The words of a heading as a sentence has them: `SBP mmHg` gives sbp and mmhg. */
const writtenWords = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}%#]+(?:-[\p{L}\p{N}]+)*/gu) ?? []

/** The columns that the words name, without overlaps; longer names first. */
export function findColumns(words: readonly QuestionWord[], table: DataTable): ColumnMention[] {
  const named = table.columns.map((column): NamedColumn => {
    const all = wordsOfName(column.name)
    const unit = column.unit.toLowerCase()
    const bare = all.filter((word) => word !== unit && !/^\d+$/.test(word)).map(stemWord)
    return { column, words: all, stems: all.map(stemWord), bare, written: writtenWords(column.name).map(stemWord) }
  })
  // “Not” has the stem of the heading “note”.
  const taken = words.map((word) => word.kind === 'number' || word.kind === 'mark' || word.lower === 'not')
  const found: ColumnMention[] = []
  const add = (mention: ColumnMention | undefined): void => {
    if (!mention || taken.slice(mention.start, mention.end).some((isTaken) => isTaken)) return
    for (let at = mention.start; at < mention.end; at++) taken[at] = true
    found.push(mention)
  }
  for (const one of wholeNames(words, named)) add(one)
  const free = (): number[] => words.flatMap((_, index) => (taken[index] ? [] : [index]))
  for (const at of free()) add(partOfName(words, at, named))
  for (const at of free()) add(mistypedName(words, at, named))
  for (const at of free()) add(synonymOfName(words, at, named))
  for (const at of free()) add(nameOfList(words, at, table))
  return found.sort((a, b) => a.start - b.start)
}

type KnownMentions = { readonly table: DataTable; readonly found: readonly ColumnMention[] }
const knownMentions = new WeakMap<readonly QuestionWord[], KnownMentions>()

/** As `findColumns`, once for each list of words. The words must not change afterwards. */
export function findColumnsCached(words: readonly QuestionWord[], table: DataTable): readonly ColumnMention[] {
  const known = knownMentions.get(words)
  if (known?.table === table) return known.found
  const found = findColumns(words, table)
  knownMentions.set(words, { table, found })
  return found
}

/** A name without its case and marks. */
const bareName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** True if the text is the heading of a column of numbers, regardless of case and punctuation. */
export function isColumnName(text: string, table: DataTable): boolean {
  const key = bareName(text)
  return key !== '' && table.columns.some(({ kind, name }) => kind === 'number' && bareName(name) === key)
}

/** Headings that stand in the question word by word, longest first. */
function wholeNames(words: readonly QuestionWord[], named: readonly NamedColumn[]): ColumnMention[] {
  const quoted = words.map((word) => (word.kind === 'quoted' ? wordsOfName(word.text).map(stemWord).join(' ') : undefined))
  const stems = words.map((word) => (word.kind === 'quoted' || word.kind === 'mark' ? '' : word.stem))
  const mentions = named.flatMap(({ column, stems: whole, bare, written }) =>
    [whole, bare, written].flatMap((name, round) => {
      if (name.length === 0 || (round > 0 && name.length === whole.length)) return []
      const joined = name.join(' ')
      return words.flatMap((_, start): ColumnMention[] => {
        if (quoted[start] === joined) return [{ start, end: start + 1, column, how: 'name' }]
        const isNamed = name.every((stem, index) => stems[start + index] === stem)
        return isNamed ? [{ start, end: start + name.length, column, how: 'name' }] : []
      })
    }),
  )
  const byKey = new Map(named.toReversed().map(({ column }) => [bareName(column.name), column]))
  const byUnderscore = words.flatMap((word, start): ColumnMention[] => {
    const key = bareName(word.lower)
    const column = byKey.get(key)
    return column && key !== '' ? [{ start, end: start + 1, column, how: 'name' }] : []
  })
  return [...mentions, ...byUnderscore].sort((a, b) => b.end - b.start - (a.end - a.start))
}

/** A word that is one of several words of a heading, or several such words in a row. */
function partOfName(words: readonly QuestionWord[], at: number, named: readonly NamedColumn[]): ColumnMention | undefined {
  const word = words[at]
  if (word?.kind !== 'word' || wholeHeadingWords.has(word.lower)) return undefined
  const fits = named
    .filter(({ stems }) => stems.length > 1 && stems.includes(word.stem))
    .map((one) => {
      const next = words[at + 1]
      const isPair = next?.kind === 'word' && one.stems.includes(next.stem) && !wholeHeadingWords.has(next.lower)
      const rest = one.bare.filter((stem) => stem !== word.stem && !weakWords.has(stem)).length
      return { one, isPair, rest, isId: one.stems.includes('id') }
    })
    .sort((a, b) => Number(b.isPair) - Number(a.isPair) || a.rest - b.rest || Number(a.isId) - Number(b.isId))
  const [best] = fits
  return best && { start: at, end: at + (best.isPair ? 2 : 1), column: best.one.column, how: 'part' }
}

function mistypedName(words: readonly QuestionWord[], at: number, named: readonly NamedColumn[]): ColumnMention | undefined {
  const word = words[at]
  if (word?.kind !== 'word' || word.lower.length < 4 || wholeHeadingWords.has(word.lower) || neverTypingErrors.has(word.lower))
    return undefined
  const forms = [...new Set([word.lower, word.lower.replace(/s$/, '')])]
  const match = named.find(({ words: whole }) => whole.length <= 3 && whole.some((part) => forms.some((form) => isTypingError(form, part))))
  return match && { start: at, end: at + 1, column: match.column, how: 'typo' }
}

function synonymOfName(words: readonly QuestionWord[], at: number, named: readonly NamedColumn[]): ColumnMention | undefined {
  const word = words[at]
  const others = word?.kind === 'word' && !wholeHeadingWords.has(word.lower) ? headingSynonyms(word.stem) : undefined
  const match =
    others && named.find(({ bare, written }) => Math.min(bare.length, written.length) <= 2 && bare.some((stem) => others.has(stem)))
  return match && { start: at, end: at + 1, column: match.column, how: 'synonym' }
}

const nameHeading = /^(?:name|title|label|product|item|bezeichnung|nombre|nom|titel|titre|名称|名字|品名|姓名)$/i

/** "Which product": the names in the rows of a list “products”. */
function nameOfList(words: readonly QuestionWord[], at: number, { list, columns }: DataTable): ColumnMention | undefined {
  const word = words[at]
  if (list === undefined || word?.kind !== 'word' || wholeHeadingWords.has(word.lower)) return undefined
  const isList = wordsOfName(list).some((part) => stemWord(part) === word.stem || headingSynonyms(word.stem)?.has(stemWord(part)))
  const column = isList ? columns.find(({ name, kind }) => kind === 'text' && nameHeading.test(name)) : undefined
  return column && { start: at, end: at + 1, column, how: 'synonym' }
}
