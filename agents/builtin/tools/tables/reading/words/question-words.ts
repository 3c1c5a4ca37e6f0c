/** The words of a question, and the columns and cells of a table that they name. */
import { stemWord } from '../../../../stem-word.ts'
import type { DataTable, TableColumn } from '../table/read-attached-table.ts'
import { synonymsOfCell } from './cell-synonyms.ts'
import { headingSynonyms } from './heading-synonyms.ts'

export type QuestionWord = {
  readonly text: string
  readonly lower: string
  readonly stem: string
  readonly kind: 'word' | 'number' | 'quoted' | 'mark'
  readonly value: number
}

const wordPattern =
  /["“«`]([^"”»`]{1,200})["”»`]|(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})|([$€£]?\d+(?:[.,]\d+)*(?:k\b|m\b)?\s?%?)|([\p{L}_][\p{L}\p{N}_]*(?:['’.&/-][\p{L}\p{N}_]+)*)|(>=|<=|!=|[<>=,;:/+*−×·÷()-])/gu

/** `1,200.50` and `1.200,50` as numbers; a comma before three digits groups thousands. */
function numberOfWord(text: string): number {
  const factor = /k$/i.test(text) ? 1_000 : /m$/i.test(text) ? 1_000_000 : 1
  const digits = text.replace(/[^\d.,]/g, '')
  const isGerman = /,\d{1,2}$/.test(digits) && !/\.\d{1,2}$/.test(digits)
  const plain = isGerman ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  return Number(plain) * factor
}

/** The words, with brackets as marks. */
export function readWordsWithBrackets(question: string): QuestionWord[] {
  const words: QuestionWord[] = []
  for (const [, quoted, date, number, word, mark] of question.matchAll(wordPattern)) {
    const text = quoted ?? date ?? number?.trim() ?? word ?? mark ?? ''
    const kind = quoted !== undefined ? 'quoted' : number !== undefined ? 'number' : mark !== undefined ? 'mark' : 'word'
    const plain = kind === 'word' ? text.replace(/['’]s$/, '') : text
    words.push({
      text: plain,
      lower: plain.toLowerCase(),
      stem: stemWord(plain),
      kind,
      value: kind === 'number' ? numberOfWord(text) : Number.NaN,
    })
  }
  return words
}

export const readWords = (question: string): QuestionWord[] =>
  readWordsWithBrackets(question).filter(({ kind, text }) => kind !== 'mark' || !'()'.includes(text))

/** The words of a heading: `totalRevenue_EUR (net)` gives total, revenue, eur, net. */
export const wordsOfName = (name: string): string[] =>
  name
    // `kWh` is one word, `unitPrice` are two.
    .replace(/([\p{L}\d][\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}%#]+/u)
    .filter((word) => word !== '')

/** The words of a heading as a sentence has them: `SBP mmHg` gives sbp and mmhg. */
const writtenWords = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}%#]+(?:-[\p{L}\p{N}]+)*/gu) ?? []

/** True if the words differ by one typing error, or by two if they are long. */
export function isTypingError(a: string, b: string, max = Math.min(a.length, b.length) >= 8 ? 2 : 1): boolean {
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > max || a[0] !== b[0]) return false
  return distance(a.slice(0, 40), b.slice(0, 40), max) <= max
}

/** Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment). Any number above `max` means more. */
function distance(a: string, b: string, max: number): number {
  let [before, previous] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      if (Math.abs(i - j) > max) {
        row.push(max + 1)
        continue
      }
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, (previous[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

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
const questionWords = new Set(
  'total sum average mean median min max minimum maximum highest lowest most least top bottom count number first last best worst all each every per by in of for than over more less rate net new day days month months year years week weeks quarter ratio share percentage time how many list show name names type value state order difference growth change'.split(
    ' ',
  ),
)

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
export function columnsOnce(words: readonly QuestionWord[], table: DataTable): readonly ColumnMention[] {
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
  if (word?.kind !== 'word' || questionWords.has(word.lower)) return undefined
  const fits = named
    .filter(({ stems }) => stems.length > 1 && stems.includes(word.stem))
    .map((one) => {
      const next = words[at + 1]
      const isPair = next?.kind === 'word' && one.stems.includes(next.stem) && !questionWords.has(next.lower)
      const rest = one.bare.filter((stem) => stem !== word.stem && !weakWords.has(stem)).length
      return { one, isPair, rest, isId: one.stems.includes('id') }
    })
    .sort((a, b) => Number(b.isPair) - Number(a.isPair) || a.rest - b.rest || Number(a.isId) - Number(b.isId))
  const [best] = fits
  return best && { start: at, end: at + (best.isPair ? 2 : 1), column: best.one.column, how: 'part' }
}

function mistypedName(words: readonly QuestionWord[], at: number, named: readonly NamedColumn[]): ColumnMention | undefined {
  const word = words[at]
  if (word?.kind !== 'word' || word.lower.length < 4 || questionWords.has(word.lower) || commonWords.has(word.lower)) return undefined
  const forms = [...new Set([word.lower, word.lower.replace(/s$/, '')])]
  const match = named.find(({ words: whole }) => whole.length <= 3 && whole.some((part) => forms.some((form) => isTypingError(form, part))))
  return match && { start: at, end: at + 1, column: match.column, how: 'typo' }
}

function synonymOfName(words: readonly QuestionWord[], at: number, named: readonly NamedColumn[]): ColumnMention | undefined {
  const word = words[at]
  const others = word?.kind === 'word' && !questionWords.has(word.lower) ? headingSynonyms(word.stem) : undefined
  const match =
    others && named.find(({ bare, written }) => Math.min(bare.length, written.length) <= 2 && bare.some((stem) => others.has(stem)))
  return match && { start: at, end: at + 1, column: match.column, how: 'synonym' }
}

const nameHeading = /^(?:name|title|label|product|item|bezeichnung|nombre|nom|titel|titre|名称|名字|品名|姓名)$/i

/** "Which product": the names in the rows of a list “products”. */
function nameOfList(words: readonly QuestionWord[], at: number, { list, columns }: DataTable): ColumnMention | undefined {
  const word = words[at]
  if (list === undefined || word?.kind !== 'word' || questionWords.has(word.lower)) return undefined
  const isList = wordsOfName(list).some((part) => stemWord(part) === word.stem || headingSynonyms(word.stem)?.has(stemWord(part)))
  const column = isList ? columns.find(({ name, kind }) => kind === 'text' && nameHeading.test(name)) : undefined
  return column && { start: at, end: at + 1, column, how: 'synonym' }
}

/** English words that are no typing errors of headings. */
const commonWords = new Set(
  'where which there their these those that this with what when have from were does they them then than been some such only into onto also most many much more less each every over under about above below after before between within without against during until since while whose whom will would could should shall might must please tell give show find list count order sales sort data table file row rows column columns csv line lines state rate date late same share number numbers name names value values single cost costs price prices place made make makes need want know like used using time times year years month months week weeks'.split(
    ' ',
  ),
)

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
export function findValues(words: readonly QuestionWord[], isTaken: readonly boolean[], cells: CellIndex): ValueMention[] {
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
  (word.text.length < 2 || (questionWords.has(word.lower) && word.text === word.lower) || functionWords.has(word.lower))

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
  if (word.kind !== 'word' || word.lower.length < 5 || cells.size > 2_000 || commonWords.has(word.lower)) return undefined
  for (const [key, found] of cells) if (isTypingError(word.lower, key)) return found
  return undefined
}
