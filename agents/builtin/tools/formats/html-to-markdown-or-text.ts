/** HTML as Markdown, or as plain text. */
import { type HtmlElement, type HtmlNode, parseSafeHtml } from './parse-safe-html.ts'

type Style = { readonly isPlain: boolean }

const inlineMarks: { readonly [tag: string]: string } = { strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~', strike: '~~' }
const blocks = new Set(
  'h1 h2 h3 h4 h5 h6 p hr ul ol li blockquote pre table thead tbody tfoot tr th td div section article main header footer nav figure figcaption dl dt dd caption body html'.split(
    ' ',
  ),
)
const isBlock = (node: HtmlNode): boolean => typeof node !== 'string' && blocks.has(node.tag)

export const htmlToMarkdown = (markup: string): string => `${writeBlocks(parseSafeHtml(markup), { isPlain: false }).trim()}\n`
export const htmlToText = (markup: string): string => `${writeBlocks(parseSafeHtml(markup), { isPlain: true }).trim()}\n`

/** Marks that Markdown would read as something else. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<~]|&(?=#?\w{1,40};)/g, '\\$&')
    .replace(/^(\s*)([#>]|[-+](?=\s|$)|-(?=[- ]*$))/gm, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/gm, '$1\\$2')

const textOf = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : node.tag === 'br' ? '\n' : textOf(node.children))).join('')

function writeInline(nodes: readonly HtmlNode[], style: Style): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') {
        const text = node.replace(/\s+/g, ' ')
        return style.isPlain ? text : escapeMarkdown(text)
      }
      return writeInlineElement(node, style)
    })
    .join('')
    .replace(/ {2,}/g, ' ')
}

function writeInlineElement(node: HtmlElement, style: Style): string {
  const { tag, attributes, children } = node
  if (tag === 'br') return style.isPlain ? '\n' : '\\\n'
  if (tag === 'img')
    return style.isPlain
      ? (attributes.alt ?? '')
      : attributes.src === undefined
        ? (attributes.alt ?? '')
        : `![${attributes.alt ?? ''}](${addressOf(attributes.src)})`
  if (tag === 'input') return attributes.checked === undefined ? '[ ]' : '[x]'
  if (tag === 'code' || tag === 'kbd') return style.isPlain ? textOf(children) : codeSpan(textOf(children))
  const inner = isBlock(node) ? writeBlocks(children, style) : writeInline(children, style)
  if (style.isPlain)
    return tag === 'a' && attributes.href && /^(?:https?|mailto):/.test(attributes.href) && !inner.includes(attributes.href)
      ? `${inner} (${attributes.href})`
      : inner
  if (tag === 'a' && attributes.href)
    return `[${inner.trim()}](${addressOf(attributes.href)}${attributes.title ? ` "${attributes.title.replace(/"/g, '\\"')}"` : ''})`
  const mark = inlineMarks[tag]
  // Marks must touch the words: spaces move outside.
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inner) ?? []
  return mark === undefined || core === '' ? inner : `${before}${mark}${core}${mark}${after}`
}

const addressOf = (address: string): string => (/[\s()<>]/.test(address) ? `<${address.replace(/[<>\n]/g, encodeURIComponent)}>` : address)

function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${text.replace(/\s+/g, ' ')}${pad}${ticks}`
}

/** Blocks with an empty line between them. Adjacent inline nodes are one paragraph. */
function writeBlocks(nodes: readonly HtmlNode[], style: Style): string {
  const parts: string[] = []
  let inline: HtmlNode[] = []
  const flush = () => {
    const text = writeInline(inline, style)
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .trim()
    if (text !== '') parts.push(text)
    inline = []
  }
  for (const node of nodes) {
    if (!isBlock(node) || typeof node === 'string') {
      inline.push(node)
      continue
    }
    flush()
    const text = writeBlock(node, style)
    if (text.trim() !== '') parts.push(text)
  }
  flush()
  return parts.join('\n\n')
}

const indentLines = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? '' : rest + line))
    .join('\n')

function writeBlock(node: HtmlElement, style: Style): string {
  const { tag, children } = node
  const level = /^h([1-6])$/.exec(tag)?.[1]
  if (level !== undefined) {
    const text = writeInline(children, style).replace(/\\?\n/g, ' ').trim()
    return style.isPlain || text === '' ? text : `${'#'.repeat(Number(level))} ${text}`
  }
  if (tag === 'hr') return '---'
  if (tag === 'ul' || tag === 'ol') return writeList(node, style)
  if (tag === 'pre') return writeCode(node, style)
  if (tag === 'table') return writeTable(node, style)
  const inner = writeBlocks(children, style)
  if (tag === 'blockquote' && !style.isPlain)
    return inner
      .split('\n')
      .map((line) => `> ${line}`.trimEnd())
      .join('\n')
  if (tag === 'dt' && !style.isPlain) return `**${inner}**`
  return inner
}

function writeList({ tag, attributes, children }: HtmlElement, style: Style): string {
  const items = children.filter((node): node is HtmlElement => typeof node !== 'string' && node.tag === 'li')
  const start = Number(attributes.start ?? 1)
  return items
    .map((item, index) => {
      const mark = tag === 'ol' ? `${start + index}. ` : '- '
      // A tight list: the parts of an item stand without empty lines.
      return indentLines(writeBlocks(item.children, style).replace(/\n\n(?=\s*(?:[-*]|\d+\.) )/g, '\n'), mark, ' '.repeat(mark.length))
    })
    .join('\n')
}

function writeCode({ children }: HtmlElement, style: Style): string {
  const text = textOf(children).replace(/\n$/, '')
  if (style.isPlain) return text
  const code = children.find((node): node is HtmlElement => typeof node !== 'string' && node.tag === 'code')
  const language = code?.attributes.class?.replace('language-', '') ?? ''
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}\n${ticks}`
}

const descendants = (node: HtmlElement, tag: string): HtmlElement[] =>
  node.children.flatMap((child) =>
    typeof child === 'string' ? [] : child.tag === tag ? [child] : child.tag === 'table' ? [] : descendants(child, tag),
  )

function writeTable(table: HtmlElement, style: Style): string {
  const rows = descendants(table, 'tr').map((row) =>
    row.children.filter((node): node is HtmlElement => typeof node !== 'string' && /^t[hd]$/.test(node.tag)),
  )
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0) return ''
  const cell = (node: HtmlElement | undefined): string => (node ? writeInline(node.children, style).replace(/\\?\n/g, ' ').trim() : '')
  if (style.isPlain) return rows.map((row) => row.map(cell).join('\t')).join('\n')
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replace(/\|/g, '\\|')).join(' | ')} |`
  const marks: { readonly [align: string]: string } = { left: ':---', center: ':---:', right: '---:' }
  const texts = rows.map((row) => Array.from({ length: width }, (_, index) => cell(row[index])))
  const [first = [], ...rest] = texts
  const rule = Array.from({ length: width }, (_, index) => marks[rows[0]?.[index]?.attributes.align ?? ''] ?? '---')
  return [line(first), line(rule), ...rest.map(line)].join('\n')
}
