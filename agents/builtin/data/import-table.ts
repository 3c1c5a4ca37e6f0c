/** `figures.import` and `figures.import_json`: a CSV or JSON attachment as a series. Errors name the line. */
import { type CsvError, parse } from 'csv-parse/sync'
import { parseTimeLabel, type Series } from '../artifacts/table-series.ts'
import { formatList } from '../format-numbers-and-lists.ts'
import { findInput, type RequestInput, refuse, type SkillRequest, type SkillResponse } from '../skill.ts'
import { type Cell, type DecimalMark, detectDecimalMark, parseNumberCell } from './parse-number-cell.ts'

/**
 * A table of strings. `line`: first line of a row. `mark`: the decimal mark if the cells leave it open; files with semicolons use a
 * comma.
 */
type Sheet = {
  readonly mark: DecimalMark
  readonly header: readonly string[]
  readonly rows: readonly { readonly cells: readonly string[]; readonly line: number }[]
}

const maxRows = 5_000

/** The delimiter of the first line, outside quotations. */
function delimiterOf(text: string): string {
  const [head = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/\r?\n/)
  const counts = [',', ';', '\t', '|'].map((mark) => ({ mark, count: head.split(mark).length - 1 }))
  const best = counts.sort((a, b) => b.count - a.count)[0]
  return best && best.count > 0 ? best.mark : ','
}

function readCsv(text: string): Sheet {
  const delimiter = delimiterOf(text)
  // With `info`, each record has its line. The package's types lack it.
  let records: { record: string[]; info: { lines: number } }[]
  try {
    records = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as typeof records
  } catch (error) {
    const { lines, message } = error as CsvError & { lines?: number }
    return refuse(`The CSV breaks off at line ${lines ?? '?'}: ${message.slice(0, 200)}`)
  }
  const [head, ...body] = records
  if (!head || head.record.length < 2) return refuse('The CSV needs at least two columns: a label and a number.')
  // A table without a header has a number where a heading would be.
  const bare = head.record.slice(1).every((cell) => parseNumberCell(cell, '.').kind === 'number')
  const header = bare ? head.record.map((_, index) => (index === 0 ? 'Label' : `Column ${index + 1}`)) : head.record
  const rows = (bare ? records : body).map(({ record, info }) => ({ cells: record, line: info.lines }))
  for (const row of rows)
    if (row.cells.length !== header.length) refuse(`Line ${row.line} has ${row.cells.length} cells where the heading has ${header.length}.`)
  return { mark: delimiter === ';' ? ',' : '.', header, rows }
}

function readJson(text: string): Sheet {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return refuse(`The JSON can't be read: ${error instanceof Error ? error.message.slice(0, 200) : 'malformed'}`)
  }
  const written = (value: unknown) => (value === null || value === undefined ? '' : String(value))
  if (typeof json === 'object' && json !== null && 'columns' in json && 'rows' in json) {
    const { columns, rows } = json
    if (!Array.isArray(columns) || !Array.isArray(rows)) return refuse('`columns` and `rows` must be lists.')
    return sheetOf(
      columns.map(written),
      rows.map((row) => (Array.isArray(row) ? row.map(written) : refuse('Each row must be a list.'))),
    )
  }
  if (Array.isArray(json) && json.length > 0 && json.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))) {
    const header = [...new Set(json.flatMap((row) => Object.keys(row as object)))]
    return sheetOf(
      header,
      json.map((row) => header.map((key) => written((row as { [key: string]: unknown })[key]))),
    )
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    const entries = Object.entries(json)
    if (entries.length > 0 && entries.every(([, value]) => typeof value === 'number' || value === null))
      return sheetOf(
        ['Label', 'Value'],
        entries.map(([key, value]) => [key, written(value)]),
      )
  }
  return refuse('The JSON is neither a list of records, nor {columns, rows}, nor a map from label to number.')
}

function sheetOf(header: readonly string[], rows: readonly string[][]): Sheet {
  rows.forEach((row, index) => {
    if (row.length !== header.length) refuse(`Record ${index + 1} has ${row.length} cells where there are ${header.length} columns.`)
  })
  return { mark: '.', header, rows: rows.map((cells, index) => ({ cells, line: index + 1 })) }
}

type Column = { readonly index: number; readonly name: string; readonly cells: readonly Cell[] }

/** @throws {SkillRefused} with the line that cannot be read */
export function importTable(text: string, name: string): Series {
  const sheet = /^\s*[[{]/.test(text) ? readJson(text) : readCsv(text)
  if (sheet.rows.length === 0) refuse('The table has a heading and no rows.')
  if (sheet.rows.length > maxRows) refuse(`The table has ${sheet.rows.length} rows; I read at most ${maxRows}.`)
  const usual = detectDecimalMark(
    sheet.rows.flatMap((row) => row.cells.filter((cell) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(cell))),
    sheet.mark,
  )
  const columns: Column[] = sheet.header.map((heading, index) => {
    const raw = sheet.rows.map((row) => row.cells[index] ?? '')
    const mark = detectDecimalMark(raw, usual)
    return { index, name: heading.trim() || `Column ${index + 1}`, cells: raw.map((cell) => parseNumberCell(cell, mark)) }
  })
  const label = labelColumn(sheet, columns)
  const numeric = columns.filter((column) => column.index !== label && isNumeric(column)).slice(0, 24)
  if (numeric.length === 0) refuse(`No column of “${name}” holds numbers; I see ${formatList(columns.map((column) => column.name))}.`)
  for (const column of numeric) checkColumn(sheet, column)
  const left = columns.filter((column) => column.index !== label && !numeric.includes(column)).map((column) => column.name)
  const missing = numeric.reduce((sum, column) => sum + column.cells.filter((cell) => cell.kind === 'missing').length, 0)
  const notes: string[] = []
  if (left.length) notes.push(`Left out, being no numbers: ${formatList(left)}.`)
  if (missing) notes.push(missing === 1 ? 'One cell is missing.' : `${missing} cells are missing.`)
  return {
    title: titleOf(name),
    unit: unitOf(numeric),
    source: `The client's attachment “${name}”.`,
    columns: [label < 0 ? 'Row' : (columns[label]?.name ?? 'Label'), ...numeric.map((column) => column.name)],
    rows: sheet.rows.map((row, index) => [
      label < 0 ? String(index + 1) : (row.cells[label] ?? '').trim().slice(0, 120),
      ...numeric.map((column) => {
        const cell = column.cells[index]
        return cell?.kind === 'number' ? cell.value : null
      }),
    ]),
    notes,
  }
}

/** Index of the label column: the first of times, else of words, else the first if its numbers ascend; else -1. */
function labelColumn(sheet: Sheet, columns: readonly Column[]): number {
  const raw = (column: Column) => sheet.rows.map((row) => (row.cells[column.index] ?? '').trim())
  const timed = columns.find((column) => raw(column).every((cell) => parseTimeLabel(cell) !== undefined))
  if (timed) return timed.index
  const words = columns.find((column) => column.cells.filter((cell) => cell.kind === 'words').length > column.cells.length / 2)
  if (words) return words.index
  const first = columns[0]
  const values = first?.cells.map((cell) => (cell.kind === 'number' ? cell.value : Number.NaN)) ?? []
  const rising = values.length > 1 && values.every((value, index) => index === 0 || value > (values[index - 1] ?? Number.NaN))
  return columns.length > 1 && rising ? 0 : -1
}

function isNumeric(column: Column): boolean {
  const numbers = column.cells.filter((cell) => cell.kind === 'number').length
  const words = column.cells.filter((cell) => cell.kind === 'words').length
  return numbers > 0 && numbers > words * 2
}

function checkColumn(sheet: Sheet, column: Column): void {
  const bad = column.cells.flatMap((cell, index) => (cell.kind === 'words' ? [{ line: sheet.rows[index]?.line, text: cell.text }] : []))
  if (bad.length === 0) return
  const shown = bad.slice(0, 5).map(({ line, text }) => `line ${line} (“${text.slice(0, 40)}”)`)
  refuse(
    `The column “${column.name}” holds numbers, but not on ${formatList(shown)}${bad.length > 5 ? ` and ${bad.length - 5} more` : ''}.`,
  )
}

function unitOf(columns: readonly Column[]): string {
  const numbers = columns.flatMap((column) => column.cells.filter((cell) => cell.kind === 'number'))
  if (numbers.length > 0 && numbers.every((cell) => cell.percent)) return '%'
  const marks = new Set(numbers.flatMap((cell) => (cell.currency ? [cell.currency] : [])))
  if (marks.size === 1) return [...marks][0] ?? ''
  const bracketed = columns.map((column) => /[([]([^)\]]{1,30})[)\]]\s*$/.exec(column.name)?.[1])
  return bracketed[0] !== undefined && bracketed.every((unit) => unit === bracketed[0]) ? bracketed[0] : ''
}

function titleOf(name: string): string {
  const bare = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim()
  return bare ? bare[0]?.toUpperCase() + bare.slice(1) : 'Attached table'
}

function done(input: RequestInput | undefined): SkillResponse {
  if (input?.text === undefined) return refuse('The attachment is missing.')
  const name = input.artifact?.name ?? 'attachment'
  const series = importTable(input.text, name)
  return {
    outputs: [{ name: 'table.json', media_type: 'application/json', artifact_type: 'table.series', text: JSON.stringify(series, null, 1) }],
    text: `Read ${series.rows.length} rows and ${series.columns.length - 1} columns of numbers from “${name}”. ${series.notes.join(' ')}`.trim(),
  }
}

export const importCsvSkill = (work: SkillRequest): SkillResponse => done(findInput(work, 'table.csv'))
export const importJsonSkill = (work: SkillRequest): SkillResponse => done(findInput(work, 'table.json'))
