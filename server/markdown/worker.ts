/** The thread in which strangers' Markdown is parsed. It has no environment, and is ended where it takes too long. */
import { init, mdToHtml } from 'md4w'
import { type MarkdownNode, parseMarkup } from './markdown-tree.ts'

/** Of md4c: white space collapsed, addresses as links, tables, strike-through, task lists; no raw markup, in blocks or inside. */
const flags = 0x0001 | 0x0004 | 0x0100 | 0x0200 | 0x0400 | 0x0800 | 0x0020 | 0x0040

await init('fast')

export function parse(text: string): readonly MarkdownNode[] | null {
  return parseMarkup(mdToHtml(text, { parseFlags: flags }))
}
