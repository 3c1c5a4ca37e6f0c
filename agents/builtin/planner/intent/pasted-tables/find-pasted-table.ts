/** Finds a table that the client pasted into the goal: CSV, Markdown, JSON records, or labels with numbers. Pure, and linear in the text. */
import { labelledNumbersInLine, labelledNumbersInLines } from './labelled-numbers.ts'
import { type TableBlock, writeCsvRows } from './table-block.ts'

/** `words`: the goal without the table. `block`: the table as it was pasted. */
export type PastedTable = {
  readonly words: string
  readonly block: string
  readonly table: string
  readonly type: 'table.csv' | 'table.json'
}

const maxCell = 80

export function findPastedTable(text: string): PastedTable | undefined {
  const plain = text.replace(/\r\n?/g, '\n')
  const records = recordsIn(plain)
  if (records) return { words: textWithoutBlock(plain, records), block: records.block, table: records.table, type: 'table.json' }
  const lines = plain.split('\n')
  // A decimal comma stands behind a label: “bread 2,80” is no row of two cells.
  const found =
    markdownTable(lines) ??
    delimitedTable(lines, ['\t', ';', '|']) ??
    labelledNumbersInLines(lines) ??
    delimitedTable(lines, [',']) ??
    labelledNumbersInLine(plain)
  return (
    found && { words: withoutFrequency(textWithoutBlock(plain, found), found), block: found.block, table: found.table, type: 'table.csv' }
  )
}

/** “Our daily orders” of a table of days: each row is one. */
const frequencies: readonly (readonly [heading: string, RegExp])[] = [
  ['day', /\bdaily /i],
  ['week', /\bweekly /i],
  ['month', /\bmonthly /i],
  ['year', /\b(?:yearly|annual) /i],
]

function withoutFrequency(words: string, { table }: TableBlock): string {
  const found = frequencies.find(([heading]) => table.startsWith(`"${heading}",`))
  return found ? words.replace(found[1], '') : words
}

/** A sentence that ended with the table ends with a full stop. */
function textWithoutBlock(text: string, { block }: TableBlock): string {
  const at = text.indexOf(block)
  const before = text.slice(0, at).replace(/(?<![\s:：])[\s:：]+$/, '')
  const after = text.slice(at + block.length).trim()
  const whole = /\b(?:for|of|from|in|with|on|over)$/i.test(before) ? `${before} the table` : before
  return [/[.?!]$/.test(whole) || whole === '' ? whole : `${whole}.`, after].filter((part) => part !== '').join('\n')
}

/** A JSON list of objects. */
function recordsIn(text: string): TableBlock | undefined {
  const [start, end] = [text.indexOf('['), text.lastIndexOf(']')]
  if (start < 0 || end < start || !/^\[\s*\{/.test(text.slice(start, start + 200))) return undefined
  const block = text.slice(start, end + 1)
  try {
    const value: unknown = JSON.parse(block)
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
    return isList ? { block, table: block } : undefined
  } catch {
    return undefined
  }
}

/** The line below the heading: `|---|:--:|`. */
const isRule = (line: string): boolean =>
  line.length <= maxRule && line.includes('|') && cellsOf(line).every((cell) => /^:?-+:?$/.test(cell))
const maxRule = 1_000
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

/** A heading, the line below it, and rows. */
function markdownTable(lines: readonly string[]): TableBlock | undefined {
  const rule = lines.findIndex((line, index) => index > 0 && isRule(line) && (lines[index - 1] ?? '').includes('|'))
  if (rule < 1) return undefined
  const end = lines.findIndex((line, index) => index > rule && !line.includes('|'))
  const rows = lines.slice(rule + 1, end < 0 ? lines.length : end)
  if (rows.length === 0) return undefined
  // The heading may stand in the line of the request.
  const heading = (lines[rule - 1] ?? '').replace(/^[^|]*[:：]\s*(?=\|)/, '')
  return { block: [heading, ...lines.slice(rule, rule + 1 + rows.length)].join('\n'), table: writeCsvRows([heading, ...rows].map(cellsOf)) }
}

/** Cells between delimiters outside quotation marks. */
function splitCells(line: string, delimiter: string): string[] {
  const cells = ['']
  let isQuoted = false
  for (const mark of line) {
    if (mark === '"') isQuoted = !isQuoted
    if (mark === delimiter && !isQuoted) cells.push('')
    else cells[cells.length - 1] += mark
  }
  return cells.map((cell) => cell.trim())
}

const isNumber = (cell: string): boolean => /^"?[-−+]?[$€£]?\s?\d[\d.,' ]*\s?(?:%|[$€£]|[A-Za-z]{1,3})?"?$/.test(cell)

/** The longest run of lines with the same number of cells. */
function delimitedTable(lines: readonly string[], delimiters: readonly string[]): TableBlock | undefined {
  for (const delimiter of delimiters) {
    const split = lines.map((line) => (line.includes(delimiter) ? splitCells(line, delimiter) : []))
    let best: readonly string[][] = []
    let from = 0
    for (let start = 0; start < lines.length; ) {
      const width = split[start]?.length ?? 0
      let end = start + 1
      while (width > 1 && split[end]?.length === width) end++
      if (width > 1 && end - start > best.length) [best, from] = [split.slice(start, end), start]
      start = end
    }
    const found = lines.slice(from, from + best.length)
    if (isTable(best, found, delimiter)) return { block: found.join('\n'), table: found.join('\n') }
  }
  return undefined
}

/** Commas stand in prose too. A column of numbers, or short cells in several columns, make a table of them. */
function isTable(rows: readonly (readonly string[])[], lines: readonly string[], delimiter: string): boolean {
  const [head = [], ...rest] = rows
  if (rest.length === 0 || rows.some((row) => row.some((cell) => cell.length > maxCell))) return false
  const hasNumbers = head.some((_, column) => rest.every((row) => isNumber(row[column] ?? '') || (row[column] ?? '') === ''))
  if (hasNumbers || delimiter === '\t') return true
  const isShort = rows.every((row) => row.every((cell) => cell.split(/\s+/).length <= 4 && !/[.?!]$/.test(cell)))
  const isNamed = head.every((cell) => /^[\p{L}_][\p{L}\d_-]{0,29}$/u.test(cell)) && lines.every((line) => !line.includes(', '))
  return isShort && (delimiter !== ',' || (rest.length > 1 && (head.length > 2 || isNamed)))
}
