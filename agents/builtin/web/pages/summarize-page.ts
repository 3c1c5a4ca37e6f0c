/** A short text of a page for a model: what can be read, and what can be acted on. */
import type { TreeNode } from '../steps/accessibility-tree.ts'

const maxLength = 24_000
const plain = new Set(['generic', 'document', 'paragraph', 'rowgroup', 'text', 'img', 'strong', 'emphasis'])
const active = new Set([
  'link',
  'button',
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'spinbutton',
  'checkbox',
  'radio',
  'switch',
  'menuitem',
  'tab',
])

export function summarizePage(tree: TreeNode): string {
  const lines: string[] = []
  write(tree, 0, lines)
  const whole = lines.join('\n')
  return whole.length > maxLength ? `${whole.slice(0, maxLength)}\n(cut off)` : whole
}

function write(node: TreeNode, depth: number, lines: string[]): void {
  const { role, name, value, ref, flags, children } = node
  const own = [name && JSON.stringify(name), value && value !== name && `= ${value}`].filter(Boolean).join(' ')
  const hasText = own !== '' || !plain.has(role)
  const state = flags.filter((flag) => /^(?:checked|selected|disabled|expanded|level=)/.test(flag)).join(' ')
  if (hasText)
    lines.push(
      `${'  '.repeat(depth)}${[plain.has(role) ? '' : role, own, state, active.has(role) && ref ? `[${ref}]` : ''].filter(Boolean).join(' ')}`,
    )
  for (const child of children) write(child, hasText ? depth + 1 : depth, lines)
}
