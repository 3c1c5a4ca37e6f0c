/** The part of a JSON Schema that the tables of the reference show. */
export type FieldSchema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
  readonly oneOf?: readonly FieldSchema[]
  readonly properties?: { readonly [name: string]: FieldSchema }
  readonly required?: readonly string[]
  readonly $ref?: string
}

/** The published schemas of fields that are objects. */
const schemas: Readonly<Record<string, string>> = {
  listing: 'listing-draft',
  goal: 'goal-brief',
  query: 'discover-query',
  charter: 'charter',
  envelope: 'envelope',
  parts: 'part',
  attachments: 'artifact-upload',
  artifacts: 'artifact-upload',
  member_signature: 'member-signature',
  rule: 'rule',
  command: 'command',
  problem: 'problem',
}

/** A Markdown table of the fields of an object, without those in `hidden`. Empty if there are none. */
export function fieldTable({ properties = {}, required = [] }: FieldSchema, hidden: readonly string[] = ['type']): string {
  const rows = Object.entries(properties)
    .filter(([name]) => !hidden.includes(name))
    .map(([name, field]) => {
      const schema = schemas[name]
      const shape =
        schema && /object|any/.test(shapeOf(field)) ? `[${shapeOf(field)}](../../protocol/schemas/${schema}.json)` : shapeOf(field)
      return `| \`${name}${required.includes(name) ? '' : '?'}\` | ${shape} | ${cell(meaningOf(field))} |`
    })
  return rows.length === 0 ? '' : ['| field | shape | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

/** Text for a cell of a table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

const meaningOf = ({ description = '', default: fallback }: FieldSchema): string =>
  [description, fallback === undefined ? '' : `Default: \`${JSON.stringify(fallback)}\`.`].filter((part) => part !== '').join(' ')

/** The shape in a few words: `text`, `integer, 1 to 60`, `list of object`. */
export function shapeOf(field: FieldSchema): string {
  const choices = field.anyOf ?? field.oneOf
  if (field.const !== undefined) return code(field.const)
  if (field.enum) return field.enum.map(code).join(', ')
  if (choices) return [...new Set(choices.map(shapeOf))].slice(0, 6).join(' or ')
  if (field.items) return `list of ${shapeOf(field.items)}${field.maxItems === undefined ? '' : `, at most ${number(field.maxItems)}`}`
  if (field.type === 'integer' || field.type === 'number') return `${field.type}${rangeOf(field)}`
  if (field.type === 'string') return textShape(field)
  if (Array.isArray(field.type)) return field.type.join(' or ')
  return typeof field.type === 'string' ? field.type : 'any JSON value'
}

const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^\^\(?([a-z]{3}(?:\|[a-z]{3})*)\)?_\[0-9a-f\]/, 'id'],
  [/^\^0x\[0-9a-f/, 'address or hash, hex'],
  [/^\^\(0\|\[1-9\]/, 'money in base units'],
]

function textShape({ pattern = '', format, maxLength }: FieldSchema): string {
  for (const [start, name] of prefixes) {
    const [, prefix] = start.exec(pattern) ?? []
    if (start.test(pattern)) return prefix === undefined ? name : `${name} \`${prefix.split('|').join('_…` or `')}_…\``
  }
  if (format === 'date-time') return 'time, RFC 3339'
  return maxLength === undefined ? 'text' : `text, at most ${number(maxLength)} characters`
}

function rangeOf({ minimum: given, exclusiveMinimum, maximum }: FieldSchema): string {
  const max = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
  const minimum = exclusiveMinimum === undefined ? given : exclusiveMinimum + 1
  const min = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum
  if (min !== undefined && max !== undefined) return `, ${number(min)} to ${number(max)}`
  if (min !== undefined) return `, from ${number(min)}`
  return max === undefined ? '' : `, at most ${number(max)}`
}

const number = (value: number): string => value.toLocaleString('en')
const code = (value: unknown): string => `\`${String(value)}\``
