/** A page's accessibility snapshot as a tree of bounded size. Pure. */

/** What Playwright's `ariaSnapshotJSON` returns: text, or an element with its states. */
export type AriaNode = string | AriaElement
type AriaElement = {
  readonly role: string
  readonly name?: string
  readonly text?: string
  readonly ref?: string
  readonly url?: string
  readonly children?: readonly AriaNode[]
  readonly [state: string]: unknown
}

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

/** What the tree may still grow by: a page may be of any size. */
type Room = { nodes: number; characters: number }

const [maxNodes, maxCharacters] = [6_000, 400_000]

export function buildTree(snapshot: readonly AriaNode[]): TreeNode {
  const children = childrenOf(snapshot, { nodes: maxNodes, characters: maxCharacters })
  return { role: 'document', name: '', ref: undefined, value: '', url: undefined, flags: [], children }
}

function childrenOf(nodes: readonly AriaNode[], room: Room): TreeNode[] {
  const children: TreeNode[] = []
  for (const node of nodes) {
    if (room.nodes <= 0 || room.characters <= 0) break
    children.push(nodeOf(typeof node === 'string' ? { role: 'text', text: node } : node, room))
  }
  return children
}

function nodeOf({ role, name = '', text = '', ref, url, children = [], placeholder: _, ...states }: AriaElement, room: Room): TreeNode {
  const [shortName, value] = [name.slice(0, room.characters), text.slice(0, room.characters)]
  room.nodes--
  room.characters -= shortName.length + value.length
  const flags = Object.entries(states).map(([state, is]) => (is === true ? state : `${state}=${is}`))
  return { role, name: shortName, ref, value, url, flags, children: childrenOf(children, room) }
}

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

export const findByRole = (node: TreeNode, ...roles: readonly string[]): TreeNode[] =>
  [...walk(node)].filter((one) => roles.includes(one.role))

/** The way down to a node: the root first, the node last; empty where it is not there. */
export function pathTo(root: TreeNode, node: TreeNode): TreeNode[] {
  if (root === node) return [root]
  for (const child of root.children) {
    const way = pathTo(child, node)
    if (way.length > 0) return [root, ...way]
  }
  return []
}

export const fieldRoles = ['textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'checkbox', 'radio', 'switch']

/** What belongs together with a button: all within the smallest part of the page that has a field besides it. */
export function findForm(root: TreeNode, button: TreeNode): TreeNode {
  const way = pathTo(root, button).toReversed()
  return way.find((node) => findByRole(node, ...fieldRoles).length > 0) ?? root
}

/** Buttons that stand beside a field, those of the nearest part of the page first. */
export function findButtonsNear(root: TreeNode, field: TreeNode): TreeNode[] {
  const way = pathTo(root, field).toReversed()
  const near = way.find((node) => findByRole(node, 'button').length > 0)
  return near ? findByRole(near, 'button') : []
}
