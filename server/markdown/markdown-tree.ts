/**
 * The elements of untrusted text, as data. Pages create their own elements from it, and never markup. So nothing in it runs, loads external
 * content or refers to the page.
 */
import { Parser } from 'htmlparser2'

const tags = [
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'p',
  'ul',
  'ol',
  'li',
  'blockquote',
  'hr',
  'br',
  'pre',
  'code',
  'strong',
  'em',
  'del',
  'a',
  'img',
  'input',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const
export type MarkdownTag = (typeof tags)[number]
export type MarkdownElement = {
  readonly tag: MarkdownTag
  readonly children?: readonly MarkdownNode[]
  readonly href?: string
  readonly src?: string
  readonly alt?: string
  /** The first number of an ordered list. */
  readonly start?: number
  /** The checkbox of a task list. */
  readonly checked?: boolean
}
export type MarkdownNode = string | MarkdownElement

/** Deeper elements are placed beside their parent. */
const maxDepth = 24
/** Above these limits the text is shown unformatted. */
const maxNesting = 100
const maxNodes = 5_000
/** The maximum size of a tree in an answer. References repeat their address, so a tree may be far longer than its text. */
export const maxTreeBytes = 393_216
/** The overhead per element in an answer: its tag and field names. */
const bytesAround = 32

class TreeTooLarge extends Error {
  override readonly name = 'TooMuch'
}

type Open = { readonly tag?: MarkdownTag; readonly children: MarkdownNode[] }

/** Parses the markup in linear time. Null if it has too many elements, bytes or levels. */
export function parseMarkdownTree(markup: string): readonly MarkdownNode[] | null {
  try {
    return readMarkup(markup)
  } catch (error) {
    if (error instanceof TreeTooLarge) return null
    throw error
  }
}

function readMarkup(markup: string): readonly MarkdownNode[] {
  const root: Open = { children: [] }
  const open: Open[] = [root]
  /** For each open tag, whether the tree has an element for it. */
  const stands: boolean[] = []
  let [nodes, bytes] = [0, 0]
  function count(more: number): void {
    bytes += more
    if (bytes > maxTreeBytes) throw new TreeTooLarge()
  }
  const current = () => open.at(-1) ?? root
  const parser = new Parser({
    onopentag(name, attributes) {
      const element = open.length > maxDepth ? null : elementOf(name, attributes)
      stands.push(element !== null)
      // The markup parser needs more time per element at greater depth.
      if (stands.length > maxNesting || ++nodes > maxNodes) throw new TreeTooLarge()
      if (element === null) return
      count(bytesAround + Buffer.byteLength(`${element.href ?? ''}${element.src ?? ''}${element.alt ?? ''}`))
      current().children.push(element)
      open.push(element)
    },
    onclosetag() {
      if (stands.pop() === true && open.length > 1) trimEnd(open.pop())
    },
    ontext(text) {
      count(Buffer.byteLength(text))
      const { children } = current()
      const last = children.at(-1)
      if (typeof last === 'string') children[children.length - 1] = last + text
      else children.push(text)
    },
  })
  parser.end(markup)
  return root.children
}

/** The parser leaves a space where the anchor of a heading was. */
function trimEnd(closed: Open | undefined): void {
  const last = closed?.children.at(-1)
  if (closed && typeof last === 'string' && /^h[1-6]$/.test(closed.tag ?? '')) closed.children[closed.children.length - 1] = last.trimEnd()
}

/** Null: the tag is dropped and its content is kept. */
function elementOf(name: string, attributes: { readonly [name: string]: string }): (MarkdownElement & Open) | null {
  const tag = tags.find((one) => one === name)
  if (tag === undefined) return null
  const children: MarkdownNode[] = []
  switch (tag) {
    case 'a': {
      const { href = '', class: kind } = attributes
      // The anchor that the parser adds to headings.
      if (kind === 'anchor' || !isLink(href)) return null
      return { tag, children, href }
    }
    case 'img': {
      const { src = '', alt = '' } = attributes
      // Only images of this origin. A remote image would reveal the reader to its host.
      return { tag, children, alt, ...(/^\/(?![/\\])/.test(src) ? { src } : {}) }
    }
    case 'ol': {
      const start = Number(attributes.start ?? 1)
      return { tag, children, ...(Number.isSafeInteger(start) && start !== 1 ? { start } : {}) }
    }
    case 'input':
      return { tag, children, checked: 'checked' in attributes }
    default:
      return { tag, children }
  }
}

/** Addresses that a reader may follow from untrusted text. */
function isLink(href: string): boolean {
  return /^(https?:|mailto:)/i.test(href) || /^\/(?![/\\])/.test(href)
}
