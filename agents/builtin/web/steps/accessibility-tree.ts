/** Reads an accessibility snapshot, as Playwright writes it, into a tree. Pure. */

export type TreeNode = {
  readonly role: string
  readonly name: string
  /** Names the element in the page as it was when the snapshot was taken. */
  readonly ref: string | undefined
  /** A field's content, or the text of an element that has no children. */
  readonly value: string
  readonly url: string | undefined
  readonly flags: readonly string[]
  readonly children: readonly TreeNode[]
}

type Draft = { -readonly [key in keyof TreeNode]: TreeNode[key] } & { children: Draft[]; flags: string[] }

const maxNodes = 6_000
const keyPattern = /^([a-zA-Z]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)$/

export function readTree(snapshot: string): TreeNode {
  const root = draft('document')
  const above: { indent: number; node: Draft }[] = [{ indent: -1, node: root }]
  let nodes = 0
  for (const line of snapshot.split('\n')) {
    const match = /^(\s*)- (.*)$/.exec(line)
    if (!match || ++nodes > maxNodes) continue
    const [indent, { key, value }] = [match[1]?.length ?? 0, keyAndValue(match[2] ?? '')]
    while ((above.at(-1)?.indent ?? -1) >= indent && above.length > 1) above.pop()
    const parent = above.at(-1)?.node ?? root
    if (key === '/url') parent.url = value
    if (key.startsWith('/')) continue
    const node = nodeOf(key, value)
    parent.children.push(node)
    above.push({ indent, node })
  }
  return root
}

const draft = (role: string): Draft => ({ role, name: '', ref: undefined, value: '', url: undefined, flags: [], children: [] })

function nodeOf(key: string, value: string): Draft {
  const [, role = 'generic', name = '', flags = ''] = keyPattern.exec(key) ?? []
  const node = draft(role)
  node.name = unescaped(name)
  node.value = value
  for (const [, flag = ''] of flags.matchAll(/\[([^\]]*)\]/g)) {
    if (flag.startsWith('ref=')) node.ref = flag.slice(4)
    else node.flags.push(flag)
  }
  return node
}

/** A line is a YAML key, in single quotes where it holds a colon, and what stands behind it. */
function keyAndValue(line: string): { key: string; value: string } {
  if (line.startsWith("'")) {
    const end = /^'((?:[^']|'')*)'(?::\s?(.*))?$/s.exec(line)
    if (end) return { key: (end[1] ?? '').replaceAll("''", "'"), value: scalar(end[2] ?? '') }
  }
  const plain = /^([a-zA-Z/]+(?: "(?:[^"\\]|\\.)*")?(?: \[[^\]]*\])*)(?::\s?(.*))?$/s.exec(line)
  return plain ? { key: plain[1] ?? '', value: scalar(plain[2] ?? '') } : { key: 'text', value: scalar(line) }
}

function scalar(text: string): string {
  if (text.startsWith('"') && text.endsWith('"') && text.length > 1) return unescaped(text.slice(1, -1))
  if (text.startsWith("'") && text.endsWith("'") && text.length > 1) return text.slice(1, -1).replaceAll("''", "'")
  return text
}

const unescaped = (text: string) => text.replace(/\\(["\\])/g, '$1')

/** All that a person would read in it. */
export function textOf(node: TreeNode): string {
  const own = node.name || node.value
  if (own) return own.trim()
  return node.children.map(textOf).filter(Boolean).join(' ').trim()
}

/** It and all below it, in the order of the page. */
export function* walk(node: TreeNode): Generator<TreeNode> {
  yield node
  for (const child of node.children) yield* walk(child)
}

export const all = (node: TreeNode, ...roles: readonly string[]): TreeNode[] => [...walk(node)].filter((one) => roles.includes(one.role))

/** The way down to a node: the root first, the node last; empty where it is not there. */
export function wayTo(root: TreeNode, node: TreeNode): TreeNode[] {
  if (root === node) return [root]
  for (const child of root.children) {
    const way = wayTo(child, node)
    if (way.length > 0) return [root, ...way]
  }
  return []
}

export const fieldRoles = ['textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'checkbox', 'radio', 'switch']

/** What belongs together with a button: all within the smallest part of the page that has a field besides it. */
export function formAround(root: TreeNode, button: TreeNode): TreeNode {
  const way = wayTo(root, button).toReversed()
  return way.find((node) => all(node, ...fieldRoles).length > 0) ?? root
}

/** Buttons that stand beside a field, those of the nearest part of the page first. */
export function buttonsBeside(root: TreeNode, field: TreeNode): TreeNode[] {
  const way = wayTo(root, field).toReversed()
  const near = way.find((node) => all(node, 'button').length > 0)
  return near ? all(near, 'button') : []
}
