/** At least so many rows of the same number of cells are a pasted table. A comma also stands in sentences. */
const minRows: { readonly [delimiter: string]: number } = { ';': 2, '\t': 2, ',': 3 }

/** The lines without those of a pasted table, whose rows have the same number of cells. */
function withoutPastedTables(lines: readonly string[]): readonly string[] {
  const rows = new Set<number>()
  for (const [delimiter, min] of Object.entries(minRows)) {
    const counts = lines.map((line) => (/[.!?:]\s*$/.test(line) ? 0 : line.split(delimiter).length - 1))
    let start = 0
    for (let at = 1; at <= counts.length; at++) {
      if (counts[at] === counts[start]) continue
      if (counts[start] !== 0 && at - start >= min) for (let row = start; row < at; row++) rows.add(row)
      start = at
    }
  }
  return lines.filter((_, at) => !rows.has(at))
}

/** The text of a goal as a title: its first lines without Markdown syntax, tables and code. */
export function goalTitle(text: string): string {
  const lines = text.replace(/^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(\n {0,3}\1|$)/gm, '').split('\n')
  const prose = withoutPastedTables(lines)
    .filter((line) => !/^\s*\|/.test(line) && !/^[-=:*_|\s]{3,}$/.test(line))
    .map((line) => line.replace(/^\s*(#{1,6}|>|[-*+]|\d{1,9}[.)])\s+/, ''))
    .join(' ')
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|`)(\S(?:[^*_`]*\S)?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim()
  return prose || text.trim()
}
