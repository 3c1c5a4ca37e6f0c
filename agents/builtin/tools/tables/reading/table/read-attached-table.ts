/** Reads a CSV or JSON file as a table whose columns hold numbers, times or texts. */
import { type CsvError, parse } from 'csv-parse/sync'
import { type Cell, type DecimalMark, detectDecimalMark, parseNumberCell } from '../../../../data/parse-number-cell.ts'
import { formatList } from '../../../../format-numbers-and-lists.ts'
import { findInput, refuse, type SkillRequest } from '../../../../skill.ts'
import { flattenRecords, type RecordList, tableOfList } from './flatten-records.ts'
import { isMissingValue } from './is-missing-value.ts'
import { removeTotalRow } from './remove-total-row.ts'
import { detectDayOrder, hasOpenDayOrder, parseTimeCell, type TimeValue } from './time-values.ts'

export type TableColumn = {
  readonly name: string
  readonly index: number
  readonly kind: 'number' | 'time' | 'text'
  /** Trimmed cells; an empty one is missing. */
  readonly cells: readonly string[]
  /** Null: missing, or not a number. */
  readonly numbers: readonly (number | null)[]
  readonly times: readonly (TimeValue | null)[]
  /** `%`, a currency such as `EUR`, another unit, or empty. */
  readonly unit: string
  /** The highest number of digits after the decimal mark. */
  readonly decimals: number
  /** True for computed values whose sum is an amount itself. Undefined: the heading decides. */
  readonly isAmount?: boolean
}

export type DataTable = {
  readonly name: string
  readonly columns: readonly TableColumn[]
  readonly rows: number
  /** What a reader must know of how the file was read. */
  readonly notes: readonly string[]
  /** Keys of lists inside the rows of nested JSON, which other tables have. */
  readonly inner?: readonly string[]
  /** The key of the list of nested JSON that the rows are. */
  readonly list?: string
  /** The decimal mark of the file. Undefined for a table that was made of others. */
  readonly decimalMark?: DecimalMark
  /** Why the last row is left out, if it is. */
  readonly totalsNote?: string
}

/** Characters of a file: at most 2 MiB. */
const maxLength = 2 * 1024 * 1024
const maxRows = 100_000
const maxColumns = 200

type Sheet = {
  readonly mark: DecimalMark
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
  /** Columns of records above the rows. */
  readonly inherited?: ReadonlySet<string>
  /** Keys of lists inside the rows, which are left out. */
  readonly inner?: readonly string[]
  readonly list?: string
  readonly isForQuestion?: boolean
}

const delimiters = [';', ',', '\t', '|'] as const

/** The delimiter that most evenly divides the first lines, outside quotation marks. */
function findDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"(?:[^"]|"")*"/g, 'x')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 8)
  const scored = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const usual = counts[counts.length - 1] ?? 0
    const even = counts.filter((count) => count > 0 && count === usual).length
    return { delimiter, score: usual === 0 ? Math.max(...counts, 0) / 1_000 : even * 10 + usual / 100 }
  })
  const best = scored.sort((a, b) => b.score - a.score)[0]
  return best && best.score > 0 ? best.delimiter : ','
}

function readCsv(text: string): Sheet {
  const declared = /^\ufeff?sep=(.)\r?\n/i.exec(text)
  const body = declared ? text.slice(declared[0].length) : text
  const delimiter = declared?.[1] ?? findDelimiter(body)
  let records: string[][]
  try {
    records = parse(body, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }) as string[][]
  } catch (error) {
    const { lines, message } = error as CsvError & { lines?: number }
    return refuse(`The CSV breaks off at line ${lines ?? '?'}: ${message.slice(0, 200)}`)
  }
  const notes: string[] = []
  const filled = (record: readonly string[]): number => record.filter((cell) => cell !== '').length
  const widest = records.slice(0, 20).reduce((width, record) => Math.max(width, filled(record)), 0)
  const start = records.findIndex((record) => filled(record) > 1 || widest < 2)
  if (start > 0) notes.push(`Left out above the heading: ${start} ${start === 1 ? 'line' : 'lines'}.`)
  const [head = [], ...rest] = start < 0 ? [] : records.slice(start)
  const isBare = isWithoutHeading(head, rest[0])
  if (isBare) notes.push('The file has no heading, so the columns have numbers.')
  const header = isBare ? head.map((_, index) => `Column ${index + 1}`) : head
  const rows = (isBare ? [head, ...rest] : rest).filter((record) => filled(record) > 0)
  return { mark: delimiter === ';' ? ',' : '.', header, rows: rows.map((row, index) => fitRow(row, header.length, index)), notes }
}

/** Years above columns are headings, other numbers are not. */
function isWithoutHeading(head: readonly string[], next: readonly string[] | undefined): boolean {
  const isNumber = (cell: string): boolean => parseNumberCell(cell, '.').kind === 'number'
  const filled = head.filter((cell) => cell !== '')
  const areYears = filled.slice(1).every((cell) => /^(?:19|20)\d\d$/.test(cell)) && !/^\d/.test(filled[0] ?? '')
  if (filled.length === 0 || next === undefined || areYears) return false
  return filled.some((cell, index) => (isNumber(cell) && isNumber(next[index] ?? '')) || parseTimeCell(cell)?.period === 'day')
}

/** A short row is filled up. @throws {SkillRefused} if a cell has no heading */
function fitRow(row: readonly string[], width: number, index: number): readonly string[] {
  if (row.length === width) return row
  if (row.length < width) return [...row, ...Array.from({ length: width - row.length }, () => '')]
  if (row.slice(width).every((cell) => cell === '')) return row.slice(0, width)
  return refuse(
    `Row ${index + 1} has ${row.length} cells where the heading has ${width}. Put cells that contain the delimiter into quotation marks.`,
  )
}

const written = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

function readJson(text: string, name: string, listIndex: number | undefined): Sheet {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    return refuse(`The JSON cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : 'malformed'}`)
  }
  const sheet = (header: readonly string[], rows: readonly (readonly string[])[]): Sheet => ({ mark: '.', header, rows, notes: [] })
  if (isRecord(json) && Array.isArray(json.columns) && Array.isArray(json.rows)) {
    const header = json.columns.map(written)
    return sheet(
      header,
      json.rows.map((row, index) =>
        Array.isArray(row) ? fitRow(row.map(written), header.length, index) : refuse('Each row must be a list.'),
      ),
    )
  }
  const lists = flattenRecords(json, listNameOf(name))
  const chosen = listIndex === undefined ? deepestOf(lists) : lists[listIndex]
  if (chosen) return sheetOfList(lists, chosen, listIndex !== undefined)
  const list = json
  if (Array.isArray(list) && list.length > 1 && list.every(Array.isArray)) {
    const [head, ...rows] = list as unknown[][]
    const header = (head ?? []).map(written)
    return sheet(
      header,
      rows.map((row, index) => fitRow(row.map(written), header.length, index)),
    )
  }
  if (isRecord(json)) {
    const entries = Object.entries(json)
    if (entries.length > 0 && entries.every(([, value]) => typeof value === 'number' || value === null))
      return sheet(
        ['Label', 'Value'],
        entries.map(([key, value]) => [key, written(value)]),
      )
  }
  return refuse('The JSON is neither a list of records, nor {columns, rows}, nor a map from label to number.')
}

const listNameOf = (name: string): string => name.replace(/^.*[\\/]/, '').replace(/\.[a-z]{2,5}$/i, '') || 'list'

/** The first of the most deeply nested lists. */
const deepestOf = (lists: readonly RecordList[]): RecordList | undefined => lists.find(({ depth }) => depth === (lists.at(-1)?.depth ?? 0))

/** @param isForQuestion true: every field of a record above names its list, and fields of the outermost record are left out */
function sheetOfList(lists: readonly RecordList[], chosen: RecordList, isForQuestion: boolean): Sheet {
  const { header, rows, inherited } = tableOfList(chosen, { isDotted: isForQuestion, hasRoot: !isForQuestion && chosen.depth > 1 })
  const others = lists.filter((one) => one !== chosen && (one.depth >= chosen.depth || isForQuestion))
  const notes = [
    ...(lists.length > 1 ? [`The rows are the list “${chosen.list}” of the JSON.`] : []),
    ...(others.length > 0 && !isForQuestion ? [`Left out: ${formatList(others.map(({ list }) => `“${list}”`))}.`] : []),
    ...(chosen.childless > 0
      ? [`${chosen.childless} ${chosen.childless === 1 ? 'record has' : 'records have'} an empty list “${chosen.list}” and no row.`]
      : []),
  ]
  return {
    mark: '.',
    header,
    rows: rows.map((row) => row.map(written)),
    notes,
    inherited,
    inner: [...chosen.inner],
    list: chosen.list,
    isForQuestion,
  }
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text.replace(/^\ufeff/, ''))

/** The table of a file. Of nested JSON, the deepest list. @throws {SkillRefused} if the file is no table */
export function readAttachedTable(text: string, name: string): DataTable {
  if (text.length > maxLength) refuse('The table is larger than 2 MiB.')
  return toTable(isJsonText(text) ? readJson(text, name, undefined) : readCsv(text), name)
}

/** The tables of a file, for questions: one for each list of nested JSON, outer ones first. @throws {SkillRefused} if there is none */
export function readAttachedTables(text: string, name: string): DataTable[] {
  const whole = readAttachedTable(text, name)
  if (!isJsonText(text)) return [whole]
  const { length } = flattenRecords(JSON.parse(text.replace(/^\ufeff/, '')), listNameOf(name))
  return length < 2 ? [whole] : Array.from({ length }, (_, index) => toTable(readJson(text, name, index), name))
}

function toTable(sheet: Sheet, name: string): DataTable {
  if (sheet.header.length === 0) refuse('The table is empty.')
  if (sheet.rows.length === 0) refuse('The table has a heading and no rows.')
  if (sheet.header.length > maxColumns) refuse(`The table has ${sheet.header.length} columns; I read at most ${maxColumns}.`)
  const { rows, note: totalsNote } = removeTotalRow(sheet.rows, sheet.mark)
  const notes = [...sheet.notes, ...(totalsNote === undefined ? [] : [totalsNote])]
  if (rows.length > maxRows) refuse(`The table has ${rows.length} rows; I read at most ${maxRows}.`)
  const names = uniqueNames(sheet.header, notes)
  const cellsOf = (index: number): string[] => rows.map((row) => (row[index] ?? '').trim())
  const numeric = names.flatMap((_, index) =>
    cellsOf(index).filter((cell) => /\d/.test(cell) && !/\p{L}{4,}/u.test(cell) && !parseTimeCell(cell)),
  )
  const mark = detectDecimalMark(numeric, sheet.mark)
  const columns = names
    .map((column, index) => readColumn({ name: column, index, cells: cellsOf(index), mark }, notes))
    // A number of a record above stands once per row below, so that its sum would be wrong.
    .map(
      (column): TableColumn =>
        sheet.isForQuestion && sheet.inherited?.has(column.name) && column.kind === 'number'
          ? { ...column, kind: 'text', numbers: [] }
          : column,
    )
  return {
    name,
    columns,
    rows: rows.length,
    notes,
    decimalMark: mark,
    ...(totalsNote !== undefined && { totalsNote }),
    ...(sheet.inner && { inner: sheet.inner }),
    ...(sheet.list !== undefined && { list: sheet.list }),
  }
}

/** Names for columns without one, and a number behind a repeated name. */
function uniqueNames(header: readonly string[], notes: string[]): string[] {
  const seen = new Map<string, number>()
  const repeated: string[] = []
  const names = header.map((heading, index) => {
    const name = heading.replace(/\s+/g, ' ').trim() || `Column ${index + 1}`
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1
    seen.set(name.toLowerCase(), count)
    if (count > 1) repeated.push(name)
    return count > 1 ? `${name} (${count})` : name
  })
  if (repeated.length > 0)
    notes.push(
      `Several columns have the name ${formatList([...new Set(repeated)].map((name) => `“${name}”`))}; the later ones have a number in brackets.`,
    )
  return names
}

type RawColumn = { readonly name: string; readonly index: number; readonly cells: readonly string[]; readonly mark: DecimalMark }

const identifier = /(?:^|[^a-z])(?:id|ids|uuid|zip|zipcode|postcode|plz|phone|telephone|sku|iban|isbn|ean|code|serial)(?:$|[^a-z])/i
const numberedName = /(?:^|[^a-z])(?:order|invoice|customer|account|ticket|item|product|article)[ _-]?(?:no|nr|number|num|#)\.?$/i

/** Headings whose numbers name a thing, if no two are the same. */
const countedThing = /^(?:orders?|invoices?|tickets?|customers?|accounts?|bookings?|transactions?|no|nr|#)\.?$/i

function readColumn(raw: RawColumn, notes: string[]): TableColumn {
  const { name, index, cells } = raw
  const blank = { name, index, cells: cells.map((cell) => (isMissing(cell) ? '' : cell)), numbers: [], times: [], unit: '', decimals: 0 }
  const filled = blank.cells.filter((cell) => cell !== '')
  const times = readTimes(raw, blank.cells, notes)
  if (times) return { ...blank, kind: 'time', times }
  const isCode =
    identifier.test(name.replace(/([a-z])([A-Z])/g, '$1 $2')) ||
    numberedName.test(name) ||
    filled.some((cell) => /^0\d+$/.test(cell)) ||
    (countedThing.test(name) &&
      new Set(filled).size === filled.length &&
      (filled.every((cell) => /^\d{2,}$/.test(cell)) || filled.every((cell, at) => Number(cell) === at + 1)))
  if (isCode || filled.length === 0) return { ...blank, kind: 'text' }
  return readNumbers(raw, blank, notes) ?? { ...blank, kind: 'text' }
}

const isMissing = (cell: string): boolean => parseNumberCell(cell, '.').kind === 'missing' && !/^(?:unknown|none)$/i.test(cell)

function readTimes({ name, mark }: RawColumn, cells: readonly string[], notes: string[]): readonly (TimeValue | null)[] | undefined {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return undefined
  // Countries that write a decimal comma write the day first.
  const isOpen = hasOpenDayOrder(filled)
  const order = isOpen && mark === ',' ? 'day first' : detectDayOrder(filled)
  const times = cells.map((cell) => (cell === '' ? null : (parseTimeCell(cell, order) ?? null)))
  const found = times.filter((time) => time !== null)
  if (found.length < filled.length * 0.9) return undefined
  // Four digits are a year only if the heading names it.
  if (found.every((time) => time.period === 'year') && !/year|jahr|fy|date|period|time/i.test(name)) return undefined
  if (isOpen) notes.push(`The dates of “${name}” are read with the ${order === 'day first' ? 'day' : 'month'} first.`)
  if (found.length < filled.length) notes.push(`${filled.length - found.length} cells of “${name}” are no dates and count as missing.`)
  return times
}

const currencyCode =
  /^(?:usd|eur|gbp|chf|jpy|cad|aud|sek|nok|dkk|pln|czk|inr|cny|kr|us\$|euros?|dollars?)\.?\s*|(?<!\s)\s*(?:usd|eur|gbp|chf|jpy|cad|aud|sek|nok|dkk|pln|czk|inr|cny|kr|us\$|euros?|dollars?|zł|kč)\.?$/i

/** The unit that ends nearly all cells, such as `kg`. */
function unitSuffix(cells: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const cell of cells) {
    const unit = /\d\s*(\p{L}{1,5}[²³]?)$/u.exec(cell)?.[1]
    if (unit !== undefined) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  return best && best[1] >= cells.length * 0.9 ? best[0] : ''
}

function readNumbers(raw: RawColumn, blank: Omit<TableColumn, 'kind'>, notes: string[]): TableColumn | undefined {
  const filled = blank.cells.filter((cell) => cell !== '')
  const suffix = unitSuffix(filled)
  const codes = new Set<string>()
  const bare = blank.cells.map((cell) => {
    // A word such as "krank" begins with a currency, too.
    const code = /\d/.test(cell) ? currencyCode.exec(cell)?.[0].replace(/[.\s]/g, '') : undefined
    if (code) codes.add(currencyName(code))
    const plain = code ? cell.replace(currencyCode, '') : cell
    return !code && suffix !== '' && plain.endsWith(suffix) ? plain.slice(0, -suffix.length).trim() : plain
  })
  const mark = detectDecimalMark(
    bare.filter((cell) => /\d/.test(cell)),
    raw.mark,
  )
  const cells = bare.map((cell): Cell => parseNumberCell(cell, mark))
  const numbers = cells.filter((cell) => cell.kind === 'number')
  const texts = cells.flatMap((cell) => (cell.kind === 'words' ? [cell.text] : []))
  const words = texts.filter((text) => !isMissingValue(text)).length
  if (numbers.length === 0 || words > numbers.length * 0.2) return undefined
  const currencies = currenciesOf(numbers, codes)
  if (currencies.length > 1) {
    notes.push(`“${raw.name}” has amounts in ${formatList(currencies)}, which do not add up, so its cells are read as texts.`)
    return undefined
  }
  if (texts.length > 0) {
    const examples = formatList([...new Set(texts)].slice(0, 4).map((text) => `“${text.slice(0, 30)}”`))
    notes.push(
      `${texts.length} ${texts.length === 1 ? 'cell' : 'cells'} of “${raw.name}” ${texts.length === 1 ? 'is no number and counts' : 'are no numbers and count'} as missing: ${examples}.`,
    )
  }
  return {
    ...blank,
    kind: 'number',
    numbers: cells.map((cell) => (cell.kind === 'number' ? cell.value : null)),
    unit: unitOf(raw.name, numbers, codes, suffix),
    decimals: Math.min(
      bare.reduce((max, cell, index) => (cells[index]?.kind === 'number' ? Math.max(max, decimalsOf(cell, mark)) : max), 0),
      10,
    ),
  }
}

const decimalsOf = (cell: string, mark: DecimalMark): number => {
  const at = cell.lastIndexOf(mark)
  return at < 0 ? 0 : (/^\d+/.exec(cell.slice(at + 1))?.[0].length ?? 0)
}

/** `EUR` for `euros`, and `USD` for `US$`. */
const currencyName = (code: string): string =>
  code
    .toUpperCase()
    .replace(/^EUROS?$/, 'EUR')
    .replace(/^(?:US\$|DOLLARS?)$/, 'USD')

const currenciesOf = (cells: readonly (Cell & { readonly kind: 'number' })[], codes: ReadonlySet<string>): string[] => [
  ...new Set([...codes, ...cells.flatMap((cell) => (cell.currency ? [cell.currency] : []))]),
]

function unitOf(name: string, cells: readonly (Cell & { readonly kind: 'number' })[], codes: ReadonlySet<string>, suffix: string): string {
  if (cells.every((cell) => cell.percent)) return '%'
  const currencies = currenciesOf(cells, codes)
  if (currencies.length === 1) return currencies[0] ?? ''
  if (suffix !== '') return suffix
  return /[([]([^)\]\d]{1,12})[)\]]\s*$/.exec(name)?.[1]?.trim().replace(/^€$/, 'EUR').replace(/^\$$/, 'USD') ?? ''
}

/** The attached table. @throws {SkillRefused} if there is none */
export const requireTable = (work: SkillRequest): DataTable => readInput(work, readAttachedTable)

/** The attached table, or the tables of nested JSON. @param file the name of the one that is meant @throws {SkillRefused} if there is none */
export const requireTables = (work: SkillRequest, file?: string): DataTable[] => readInput(work, readAttachedTables, file)

function readInput<T>(work: SkillRequest, read: (text: string, name: string) => T, file?: string): T {
  const named = work.inputs.find(({ type, artifact }) => type.startsWith('table.') && artifact !== undefined && artifact.name === file)
  const input = named ?? findInput(work, 'table.csv') ?? findInput(work, 'table.json')
  // An answer over another table would look right and be wrong.
  if (file !== undefined && !named && input?.artifact !== undefined && input.artifact.name !== file)
    return refuse(`The question is about “${file}”, and the attached table is “${input.artifact.name}”.`)
  if (input?.text === undefined) {
    const inQuery = work.inputs.map(({ data }) => data?.table).find((table) => typeof table === 'string' && table.trim() !== '')
    return typeof inQuery === 'string'
      ? read(inQuery, 'pasted table')
      : refuse('There is no table. Attach a CSV or JSON file of at most 2 MiB, or paste it into the query.')
  }
  return read(input.text, input.artifact?.name ?? 'table')
}

/** Names of columns for a sentence, at most 30. */
export function listColumns(table: DataTable): string {
  const names = table.columns.map((column) => column.name)
  return names.length > 30 ? `${names.slice(0, 30).join(', ')} and ${names.length - 30} more` : formatList(names)
}
