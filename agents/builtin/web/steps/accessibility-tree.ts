/** Converts Playwright's accessibility snapshot into a tree of bounded size. */

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
  /** Reference of the element, valid for this snapshot. */
  readonly ref: string | undefined
  /** A field's content, or the text of a leaf. */
  readonly value: string
  readonly url: string | undefined
  readonly flags: readonly string[]
  readonly children: readonly TreeNode[]
}

/** What may still be added to the tree; a page has no size limit. */
type SizeBudget = { nodes: number; characters: number }

const [maxNodes, maxCharacters] = [6_000, 400_000]

export function buildAccessibilityTree(snapshot: readonly AriaNode[]): TreeNode {
  const children = buildChildren(snapshot, { nodes: maxNodes, characters: maxCharacters })
  return { role: 'document', name: '', ref: undefined, value: '', url: undefined, flags: [], children }
}

function buildChildren(nodes: readonly AriaNode[], budget: SizeBudget): TreeNode[] {
  const children: TreeNode[] = []
  for (const node of nodes) {
    if (budget.nodes <= 0 || budget.characters <= 0) break
    children.push(buildNode(typeof node === 'string' ? { role: 'text', text: node } : node, budget))
  }
  return children
}

function buildNode(
  { role, name = '', text = '', ref, url, children = [], placeholder: _, ...states }: AriaElement,
  budget: SizeBudget,
): TreeNode {
  const [shortName, value] = [name.slice(0, budget.characters), text.slice(0, budget.characters)]
  budget.nodes--
  budget.characters -= shortName.length + value.length
  const flags = Object.entries(states).map(([state, is]) => (is === true ? state : `${state}=${is}`))
  return { role, name: shortName, ref, value, url, flags, children: buildChildren(children, budget) }
}

/** The visible text. */
export function visibleTextOf(node: TreeNode): string {
  const own = node.name || node.value
  if (own) return own.trim()
  return node.children.map(visibleTextOf).filter(Boolean).join(' ').trim()
}

/** The node and its descendants, in page order. */
export function* walk(node: TreeNode): Generator<TreeNode> {
  yield node
  for (const child of node.children) yield* walk(child)
}

export const findByRole = (node: TreeNode, ...roles: readonly string[]): TreeNode[] =>
  [...walk(node)].filter((one) => roles.includes(one.role))

/** The path from the root to a node; empty if the node is not in the tree. */
export function pathTo(root: TreeNode, node: TreeNode): TreeNode[] {
  if (root === node) return [root]
  for (const child of root.children) {
    const way = pathTo(child, node)
    if (way.length > 0) return [root, ...way]
  }
  return []
}

export const fieldRoles = ['textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'checkbox', 'radio', 'switch']

/** The smallest part of the page with the button and a field. */
export function findForm(root: TreeNode, button: TreeNode): TreeNode {
  const way = pathTo(root, button).toReversed()
  return way.find((node) => findByRole(node, ...fieldRoles).length > 0) ?? root
}

/** Buttons in the smallest part of the page with the field and a button. */
export function findButtonsNear(root: TreeNode, field: TreeNode): TreeNode[] {
  const way = pathTo(root, field).toReversed()
  const near = way.find((node) => findByRole(node, 'button').length > 0)
  return near ? findByRole(near, 'button') : []
}
