/** HTML of untrusted text as a tree of harmless elements, and as markup again. Scripts, styles, frames and handlers are left out. */
import { escapeUTF8 } from 'entities'
import { Parser } from 'htmlparser2'

export type HtmlElement = { readonly tag: string; readonly attributes: { readonly [name: string]: string }; readonly children: HtmlNode[] }
export type HtmlNode = string | HtmlElement

const allowed = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p br hr ul ol li blockquote pre code strong b em i u s del strike sub sup mark kbd a img table thead tbody tfoot tr th td div span ' +
    'section article main header footer nav figure figcaption dl dt dd caption small q abbr body html input'
  ).split(' '),
)
/** Elements whose content is no text of the page. */
const dropped = new Set(
  'script style iframe object embed noscript template head title svg math textarea select option button form canvas video audio'.split(' '),
)
const empty = new Set(['br', 'hr', 'img', 'input'])
const maxDepth = 100

/** Addresses that a reader can open without running anything. */
export function isSafeAddress(address: string): boolean {
  // Browsers ignore control characters in an address.
  const plain = [...address].filter((letter) => letter > ' ').join('')
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(plain)?.[1]?.toLowerCase()
  return scheme === undefined || ['http', 'https', 'mailto', 'tel'].includes(scheme)
}

const attributesOf = (tag: string, found: { readonly [name: string]: string }): { readonly [name: string]: string } => {
  const kept: { [name: string]: string } = {}
  const take = (name: string) => {
    const value = found[name]
    if (value !== undefined) kept[name] = value
  }
  if (tag === 'a' && isSafeAddress(found.href ?? '')) take('href')
  if (tag === 'img' && isSafeAddress(found.src ?? '')) take('src')
  if (tag === 'a' || tag === 'img') take('title')
  if (tag === 'img') take('alt')
  if (tag === 'ol' && /^\d{1,9}$/.test(found.start ?? '')) take('start')
  if ((tag === 'td' || tag === 'th') && /^(?:left|right|center)$/.test(found.align ?? '')) take('align')
  if (tag === 'code' && /^language-[\w+#-]{1,30}$/.test(found.class ?? '')) take('class')
  if (tag === 'input' && found.type === 'checkbox') {
    kept.type = 'checkbox'
    kept.disabled = ''
    if (found.checked !== undefined) kept.checked = ''
  }
  return kept
}

export function parseSafeHtml(markup: string): HtmlNode[] {
  const root: HtmlElement = { tag: '', attributes: {}, children: [] }
  const stack: HtmlElement[] = [root]
  let hidden = 0
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (dropped.has(tag)) hidden++
        if (hidden > 0 || !allowed.has(tag) || (tag === 'input' && attributes.type !== 'checkbox')) return
        const element = { tag, attributes: attributesOf(tag, attributes), children: [] }
        if (stack.length <= maxDepth) stack.at(-1)?.children.push(element)
        if (!empty.has(tag)) stack.push(element)
      },
      ontext(text) {
        if (hidden === 0) stack.at(-1)?.children.push(text)
      },
      onclosetag(tag) {
        if (dropped.has(tag)) hidden = Math.max(0, hidden - 1)
        else if (hidden === 0 && allowed.has(tag) && !empty.has(tag) && stack.length > 1 && stack.at(-1)?.tag === tag) stack.pop()
      },
    },
    { decodeEntities: true },
  )
  parser.write(markup)
  parser.end()
  return root.children
}

export const writeHtml = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return escapeUTF8(node).replaceAll('&apos;', "'").replaceAll('&quot;', '"')
      const attributes = Object.entries(node.attributes)
        .map(([name, value]) => (value === '' && name !== 'alt' ? ` ${name}` : ` ${name}="${escapeUTF8(value)}"`))
        .join('')
      return empty.has(node.tag) ? `<${node.tag}${attributes}>` : `<${node.tag}${attributes}>${writeHtml(node.children)}</${node.tag}>`
    })
    .join('')
