/** Rows of a file that is shown as a table. `total`: all rows of the file; `cells`: the first of them, as texts. */
export type FileRows = {
  readonly columns: readonly string[]
  readonly cells: readonly (readonly string[])[]
  readonly isNumber: readonly boolean[]
  readonly total: number
}

const maxRows = 50
const maxColumns = 40

/** The table of a CSV or JSON file; null if the file is none, or is cut off. */
export function readFileRows(text: string, mediaType: string): FileRows | null {
  const rows = mediaType.includes('csv') ? readCsv(text) : mediaType.includes('json') ? readJson(text) : null
  const [columns = [], ...cells] = rows ?? []
  const isTable =
    columns.length > 0 && columns.length <= maxColumns && cells.length > 0 && cells.every((row) => row.length === columns.length)
  if (!isTable) return null
  return {
    columns,
    cells: cells.slice(0, maxRows),
    isNumber: columns.map(
      (_, index) => cells.every((row) => /^[-−+]?[\d.,\s%]*$/.test(row[index] ?? '')) && cells.some((row) => /\d/.test(row[index] ?? '')),
    ),
    total: cells.length,
  }
}

/** A list of records, or `{columns, rows}`. */
function readJson(text: string): string[][] | null {
  const value = parseJson(text)
  const table = value as { columns?: unknown; rows?: unknown } | null
  if (Array.isArray(table?.columns) && Array.isArray(table.rows) && table.rows.every(Array.isArray))
    return [table.columns.map(textOf), ...(table.rows as unknown[][]).map((row) => row.map(textOf))]
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)))
    return null
  const columns = [...new Set((value as object[]).flatMap((one) => Object.keys(one)))]
  return [columns, ...(value as { readonly [key: string]: unknown }[]).map((one) => columns.map((key) => textOf(one[key])))]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'number'
      ? Math.abs(value) >= 10_000
        ? value.toLocaleString('en-US')
        : String(value)
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)

/** RFC 4180, with comma, semicolon or tab. */
function readCsv(text: string): string[][] | null {
  const plain = text.replace(/^\uFEFF/, '')
  const head = plain.slice(0, plain.search(/\r?\n|$/))
  const separator = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ','
  const rows: string[][] = [[]]
  let [cell, isQuoted] = ['', false]
  const end = (isRow: boolean) => {
    rows.at(-1)?.push(cell)
    cell = ''
    if (isRow) rows.push([])
  }
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at] ?? ''
    if (isQuoted && char === '"' && plain[at + 1] === '"') {
      cell += '"'
      at++
    } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (!isQuoted && char === separator) end(false)
    else if (!isQuoted && char === '\n') end(true)
    else if (isQuoted || char !== '\r') cell += char
  }
  if (isQuoted) return null
  end(false)
  return rows.filter((row) => row.length > 1 || row[0] !== '')
}
