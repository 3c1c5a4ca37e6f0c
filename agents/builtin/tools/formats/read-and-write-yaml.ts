/** JSON as YAML and back, with all digits of numbers. */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, parseDocument, stringify } from 'yaml'
import { refuse } from '../../skill.ts'
import { type JsonTree, stringOf } from './json-tree.ts'

/** What YAML 1.1, which many programs still read, takes for a truth value, a number with base 60, or a date. */
const isElseInYaml11 = /^(?:y|yes|n|no|on|off|true|false|~|null|[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?|\d{4}-\d{1,2}-\d{1,2})$/i

/** A string as YAML: plain if YAML reads it back as the same string. */
function yamlString(value: string): string {
  if (isElseInYaml11.test(value)) return JSON.stringify(value)
  const plain = stringify(value, { lineWidth: 0 }).trimEnd()
  return plain.includes('\n') || /^[|>]/.test(plain) ? JSON.stringify(value) : plain
}

/** YAML in block style, indented by two blanks. */
export function writeYaml(tree: JsonTree, depth = 0): string {
  const pad = '  '.repeat(depth)
  if (tree.kind === 'literal') return tree.text.startsWith('"') ? yamlString(stringOf(tree.text)) : tree.text
  if (tree.kind === 'object') {
    if (tree.entries.length === 0) return '{}'
    return tree.entries.map(([name, value]) => `${pad}${yamlString(stringOf(name))}:${nested(value, depth)}`).join('\n')
  }
  if (tree.items.length === 0) return '[]'
  return tree.items.map((item) => `${pad}- ${writeYaml(item, depth + 1).trimStart()}`).join('\n')
}

function nested(value: JsonTree, depth: number): string {
  const isBlock = (value.kind === 'object' && value.entries.length > 0) || (value.kind === 'array' && value.items.length > 0)
  return isBlock ? `\n${writeYaml(value, depth + 1)}` : ` ${writeYaml(value, depth + 1)}`
}

export type YamlFault = { readonly line: number; readonly column: number; readonly message: string }

/** The first fault of YAML 1.2. */
export function findYamlFault(text: string): YamlFault | undefined {
  for (const document of parseAllDocuments(text, { prettyErrors: true, uniqueKeys: true })) {
    const [error] = 'errors' in document ? document.errors : []
    const [place] = error?.linePos ?? []
    if (error)
      return {
        line: place?.line ?? 1,
        column: place?.col ?? 1,
        message: error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '',
      }
  }
  return undefined
}

const maxAliases = 100

/** @throws {SkillRefused} if the text is no YAML, or has what JSON cannot hold */
export function readYaml(text: string): JsonTree {
  const fault = findYamlFault(text)
  if (fault)
    return refuse(`The YAML is not valid at line ${fault.line}, column ${fault.column}: ${fault.message}. Correct it and ask again.`)
  const document = parseDocument(text, { intAsBigInt: true })
  if ((text.match(/(?<!\S)\*[\w-]+/g)?.length ?? 0) > maxAliases) return refuse(`The YAML has more than ${maxAliases} aliases.`)
  const toTree = (node: unknown, depth: number): JsonTree => {
    if (depth > 100) return refuse('The YAML is nested too deeply, or an alias contains itself.')
    if (isAlias(node)) return toTree(node.resolve(document), depth + 1)
    if (isMap(node))
      return {
        kind: 'object',
        entries: node.items.map(({ key, value }): [string, JsonTree] => {
          if (!isScalar(key)) return refuse('The YAML has a key that is no plain value, which JSON cannot hold.')
          if (key.value === '<<') return refuse('The YAML merges maps with <<. Write the values out and ask again.')
          return [JSON.stringify(String(key.value ?? 'null')), toTree(value, depth + 1)]
        }),
      }
    if (isSeq(node)) return { kind: 'array', items: node.items.map((item) => toTree(item, depth + 1)) }
    return { kind: 'literal', text: literalOf(isScalar(node) ? node : undefined) }
  }
  return toTree(document.contents, 0)
}

/** A number keeps its digits if JSON writes it the same way. */
function literalOf(scalar: { readonly value: unknown; readonly source?: string } | undefined): string {
  const value = scalar?.value
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return refuse('The YAML has a number that is not finite, which JSON cannot hold.')
    return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(scalar?.source ?? '') ? (scalar?.source ?? '') : String(value)
  }
  return JSON.stringify(String(value))
}
