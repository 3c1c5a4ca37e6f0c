/** Writes rows of texts as CSV, Markdown or JSON. The first row is the heading. */

const csvCell = (cell: string, delimiter: string): string =>
  /["\n\r]|^\s|\s$/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell

export const writeCsv = (rows: readonly (readonly string[])[], delimiter = ','): string =>
  `${rows.map((row) => row.map((cell) => csvCell(cell, delimiter)).join(delimiter)).join('\r\n')}\r\n`

const markdownCell = (cell: string): string => cell.replace(/\r?\n/g, '<br>').replace(/[\\|]/g, '\\$&').trim()

export function writeMarkdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...body.map(line)].join('\n')
}
