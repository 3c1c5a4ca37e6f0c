/** CSV that is safe against formula injection. RFC 4180 quoting, CRLF. */

const plainNumber = /^-?\d+(\.\d+)?$/

/** A cell that a spreadsheet would read as a formula gets a leading apostrophe. Numbers are unchanged. */
export function csvCell(value: string | number | bigint | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value)
  const guarded = /^[\s]*[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

export function csvRow(cells: readonly (string | number | bigint | null | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
