/**
 * What a stranger's text may come out as: a few kinds of elements, as data. It never is markup again: pages make elements of their
 * own of it, so nothing in it runs, loads from elsewhere or names a part of the page.
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
  /** Of an ordered list: its first number. */
  readonly start?: number
  /** Of a task's box. */
  readonly checked?: boolean
}
export type MarkdownNode = string | MarkdownElement

/** Elements deeper than this stand beside what they would be in. */
const maxDepth = 24
/** Deeper, or with more elements or bytes, it is a text that nobody wrote to be read: it is shown as it stands. */
const maxNesting = 100
const maxNodes = 5_000
/** Bytes of a tree in an answer. A reference names its address again each time, so that a tree may be far longer than its text. */
export const maxTreeBytes = 393_216
/** What stands around an element in an answer: its tag, and the names of its parts. */
const bytesAround = 32

class TreeTooLarge extends Error {
  override readonly name = 'TooMuch'
}

type Open = { readonly tag?: MarkdownTag; readonly children: MarkdownNode[] }

/** Reads the parser's markup, in a time that is linear in its length. Null where it has too many elements or bytes, or too many elements in one another. */
export function parseMarkup(markup: string): readonly MarkdownNode[] | null {
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
  /** Of each open tag, whether an element of ours stands for it. */
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
      // The markup's parser takes longer for each element the deeper it is.
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

/** The parser leaves a space where the mark behind a heading was. */
function trimEnd(closed: Open | undefined): void {
  const last = closed?.children.at(-1)
  if (closed && typeof last === 'string' && /^h[1-6]$/.test(closed.tag ?? '')) closed.children[closed.children.length - 1] = last.trimEnd()
}

/** Null: what is inside stands, and this does not. */
function elementOf(name: string, attributes: { readonly [name: string]: string }): (MarkdownElement & Open) | null {
  const tag = tags.find((one) => one === name)
  if (tag === undefined) return null
  const children: MarkdownNode[] = []
  switch (tag) {
    case 'a': {
      const { href = '', class: kind } = attributes
      // The mark that the parser puts behind headings.
      if (kind === 'anchor' || !isLink(href)) return null
      return { tag, children, href }
    }
    case 'img': {
      const { src = '', alt = '' } = attributes
      // Pictures of this origin only: a remote one would tell its host who reads.
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

/** Addresses that a reader may follow from a stranger's text. */
function isLink(href: string): boolean {
  return /^(https?:|mailto:)/i.test(href) || /^\/(?![/\\])/.test(href)
}
