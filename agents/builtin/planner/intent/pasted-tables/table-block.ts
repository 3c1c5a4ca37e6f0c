/** A table in a text: the lines as they were pasted, and the same as CSV or JSON. */
export type TableBlock = { readonly block: string; readonly table: string }

/** CSV in which each cell is quoted, so that a decimal comma is none between cells. */
export const writeCsvRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
