type Cell = string | number | boolean | Date | null | undefined

/** A table as CSV (RFC 4180). Empty rows and columns around it are left out; a time at midnight is a date. */
export function csvOfRows(rows: readonly (readonly Cell[])[]): string {
  const full = rows.filter((row) => row.some((cell) => textOf(cell) !== ''))
  const columns = [...Array(Math.max(0, ...full.map((row) => row.length))).keys()]
  const used = columns.filter((column) => full.some((row) => textOf(row[column]) !== ''))
  return full.map((row) => `${used.map((column) => quoted(textOf(row[column]))).join(',')}\n`).join('')
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  // Spreadsheets have no time zones; the reader gives their times as UTC.
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$|\.000Z$/, '')
  // The nearest short decimal of a computed cell: 0.1 + 0.2 is 0.3.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)))
  return String(cell).trim()
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
