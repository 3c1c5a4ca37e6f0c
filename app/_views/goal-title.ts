/** The text of a goal as a title: its first lines without Markdown syntax, tables and code. */
export function goalTitle(text: string): string {
  const prose = text
    .replace(/^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(\n {0,3}\1|$)/gm, '')
    .split('\n')
    .filter((line) => !/^\s*\|/.test(line) && !/^[-=:*_|\s]{3,}$/.test(line))
    .map((line) => line.replace(/^\s*(#{1,6}|>|[-*+]|\d{1,9}[.)])\s+/, ''))
    .join(' ')
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|`)(\S(?:[^*_`]*\S)?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim()
  return prose || text.trim()
}
