/** Writes rows of texts as CSV, Markdown or JSON. The first row is the heading. */

const csvCell = (cell: string): string => (/[",\n\r]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`

const markdownCell = (cell: string): string => cell.replace(/\r?\n/g, '<br>').replace(/[\\|]/g, '\\$&').trim()

export function writeMarkdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...body.map(line)].join('\n')
}
