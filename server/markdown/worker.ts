/** The worker thread that parses untrusted Markdown. It has no environment. */
import { init, mdToHtml } from 'md4w'
import { type MarkdownNode, parseMarkdownTree } from './markdown-tree.ts'

/** Flags of md4c: collapse white space; autolinks, tables, strike-through, task lists; no raw HTML. */
const flags = 0x0001 | 0x0004 | 0x0100 | 0x0200 | 0x0400 | 0x0800 | 0x0020 | 0x0040

await init('fast')

export function parse(text: string): readonly MarkdownNode[] | null {
  return parseMarkdownTree(mdToHtml(text, { parseFlags: flags }))
}
