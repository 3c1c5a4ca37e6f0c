/** JSON as it was written: numbers, strings and repeated names stay character by character the same. */

export type JsonTree =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, JsonTree])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonTree[] }
  /** A string with its quotation marks, a number, `true`, `false` or `null`. */
  | { readonly kind: 'literal'; readonly text: string }

type JsonStyle = {
  /** What one level is indented by. Empty: everything stands on one line. */
  readonly indent: string
  readonly isSorted?: boolean
}

/** The value of a string literal. */
export const stringOf = (literal: string): string => JSON.parse(literal) as string

const byName = (a: readonly [string, JsonTree], b: readonly [string, JsonTree]): number => {
  const [first, second] = [stringOf(a[0]), stringOf(b[0])]
  return first < second ? -1 : first > second ? 1 : 0
}

export function writeJson(tree: JsonTree, style: JsonStyle, depth = 0): string {
  if (tree.kind === 'literal') return tree.text
  const isObject = tree.kind === 'object'
  const entries = isObject ? (style.isSorted ? tree.entries.toSorted(byName) : tree.entries) : []
  const space = style.indent === '' ? '' : ' '
  const parts = isObject
    ? entries.map(([name, value]) => `${name}:${space}${writeJson(value, style, depth + 1)}`)
    : tree.items.map((item) => writeJson(item, style, depth + 1))
  const [open, close] = isObject ? ['{', '}'] : ['[', ']']
  if (parts.length === 0) return open + close
  if (style.indent === '') return open + parts.join(',') + close
  const inner = `\n${style.indent.repeat(depth + 1)}`
  return `${open}${inner}${parts.join(`,${inner}`)}\n${style.indent.repeat(depth)}${close}`
}

/** The first name that one object has twice. */
export function repeatedName(tree: JsonTree): string | undefined {
  const children = tree.kind === 'object' ? tree.entries.map(([, value]) => value) : tree.kind === 'array' ? tree.items : []
  if (tree.kind === 'object') {
    const seen = new Set<string>()
    for (const [name] of tree.entries) {
      const value = stringOf(name)
      if (seen.has(value)) return value
      seen.add(value)
    }
  }
  for (const child of children) {
    const found = repeatedName(child)
    if (found !== undefined) return found
  }
  return undefined
}
