/** Reads the JSON Schema of a published skill as the fields of a form. Pure. */
import type { Json } from '@parley/protocol'

type Schema = { readonly [key: string]: Json }

type Common = {
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
  /** What the agent takes if the field is left empty; empty: nothing. */
  readonly fallback: string
}
/** What a text has to look like. */
export type TextFormat = 'date' | 'date-time' | 'time' | 'email' | 'uri'

/** A field of a form, by its control. */
export type FormNode = Common &
  (
    | {
        readonly kind: 'text'
        readonly format: TextFormat | null
        readonly isLong: boolean
        readonly minLength: number
        readonly maxLength: number
      }
    | {
        readonly kind: 'number'
        readonly isInteger: boolean
        readonly min: number
        readonly max: number
        /** The value is strictly between the bounds of this name. */
        readonly above: number
        readonly below: number
      }
    | { readonly kind: 'choice'; readonly choices: readonly Json[] }
    /** Texts or numbers, one in each line. */
    | { readonly kind: 'lines'; readonly isNumber: boolean; readonly min: number; readonly max: number }
    | { readonly kind: 'group'; readonly fields: readonly (readonly [name: string, node: FormNode])[] }
    | { readonly kind: 'list'; readonly item: FormNode; readonly min: number; readonly max: number }
    /** A value for which there is no control: written as JSON. */
    | { readonly kind: 'json' }
  )

/** As deep as a form is nested. */
const maxDepth = 5
/** As many fields of one group, and choices of one field, as a form shows. */
const maxFields = 60
const maxChoices = 200
/** Texts from this length on are written in several lines. */
const longText = 200

type Reading = { readonly root: Schema; readonly name: string; readonly isRequired: boolean; readonly depth: number }

/** @param root the whole schema, in which its references point */
export function schemaToFormNode(given: Json, { root, name, isRequired, depth }: Reading): FormNode {
  const { schema, isNullable } = resolve(given, root)
  const common: Common = {
    label: textIn(schema.title) || fieldLabel(name),
    hint: textIn(schema.description),
    isRequired: isRequired && !isNullable,
    fallback: schema.default === undefined || schema.default === null ? '' : choiceText(schema.default),
  }
  const choices = choicesOf(schema)
  if (choices) return { ...common, kind: 'choice', choices }
  const inner = { root, depth: depth + 1, isRequired: true }
  switch (schema.type ?? (isObject(schema.properties) ? 'object' : undefined)) {
    case 'string':
      return { ...common, ...textNode(schema) }
    case 'integer':
    case 'number':
      return { ...common, ...numberNode(schema) }
    case 'array':
      return { ...common, ...listNode(schema, { ...inner, name }) }
    case 'object':
      return { ...common, ...groupNode(schema, inner) }
    default:
      return { ...common, kind: 'json' }
  }
}

/** The text by which a choice is stored and shown. */
export const choiceText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `order_items`: “Order items”. */
export function fieldLabel(name: string): string {
  const spaced = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

type NodeOf<Kind extends FormNode['kind']> = Omit<Extract<FormNode, { kind: Kind }>, keyof Common>

const textFormats: readonly string[] = ['date', 'date-time', 'time', 'email', 'uri'] satisfies TextFormat[]

function textNode({ format, minLength, maxLength }: Schema): NodeOf<'text'> {
  const max = numberIn(maxLength, Number.POSITIVE_INFINITY)
  const known = textFormats.includes(String(format)) ? (format as TextFormat) : null
  return {
    kind: 'text',
    format: known,
    isLong: known === null && max >= longText && max < Number.POSITIVE_INFINITY,
    minLength: numberIn(minLength, 0),
    maxLength: max,
  }
}

function numberNode({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): NodeOf<'number'> {
  return {
    kind: 'number',
    isInteger: type === 'integer',
    min: numberIn(minimum, Number.NEGATIVE_INFINITY),
    max: numberIn(maximum, Number.POSITIVE_INFINITY),
    above: numberIn(exclusiveMinimum, Number.NEGATIVE_INFINITY),
    below: numberIn(exclusiveMaximum, Number.POSITIVE_INFINITY),
  }
}

function listNode(schema: Schema, inner: Reading): NodeOf<'lines'> | NodeOf<'list'> | NodeOf<'json'> {
  const [min, max] = [numberIn(schema.minItems, 0), numberIn(schema.maxItems, Number.POSITIVE_INFINITY)]
  if (!isObject(schema.items)) return schema.items === undefined ? { kind: 'lines', isNumber: false, min, max } : { kind: 'json' }
  if (inner.depth > maxDepth) return { kind: 'json' }
  const item = schemaToFormNode(schema.items, inner)
  if (item.kind === 'json') return { kind: 'json' }
  const isPlain = item.kind === 'text' && item.format === null && item.maxLength >= longText
  if (isPlain || item.kind === 'number') return { kind: 'lines', isNumber: item.kind === 'number', min, max }
  return { kind: 'list', item, min, max }
}

function groupNode(schema: Schema, inner: Omit<Reading, 'name'>): NodeOf<'group'> | NodeOf<'json'> {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length === 0 || properties.length > maxFields || inner.depth > maxDepth) return { kind: 'json' }
  const required = Array.isArray(schema.required) ? schema.required : []
  return {
    kind: 'group',
    fields: properties.map(([name, one]) => [name, schemaToFormNode(one, { ...inner, name, isRequired: required.includes(name) })]),
  }
}

function choicesOf(schema: Schema): readonly Json[] | null {
  if (schema.const !== undefined) return [schema.const]
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.length <= maxChoices)
    return schema.enum.filter((one) => one !== null)
  if (schema.type === 'boolean') return [true, false]
  const all = schema.oneOf ?? schema.anyOf
  if (!Array.isArray(all) || all.length === 0 || all.length > maxChoices) return null
  const values = all.flatMap((one) => (isObject(one) && one.const !== undefined ? [one.const] : []))
  return values.length === all.length ? values : null
}

/** Follows references, single alternatives and `null` as an alternative. */
function resolve(given: Json, root: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
  let schema: Schema = isObject(given) ? given : {}
  let isNullable = false
  for (let step = 0; step < maxDepth; step++) {
    const next = referenceIn(schema, root) ?? singleOf(schema)
    if (!next) break
    isNullable ||= next.isNullable
    const { $ref: _, allOf: __, anyOf: ___, oneOf: ____, ...own } = schema
    schema = { ...next.schema, ...own }
  }
  if (!Array.isArray(schema.type)) return { schema, isNullable }
  const types = schema.type.filter((one) => one !== 'null')
  return {
    schema: { ...schema, type: types.length === 1 ? (types[0] ?? null) : null },
    isNullable: isNullable || types.length < schema.type.length,
  }
}

function referenceIn({ $ref }: Schema, root: Schema): { schema: Schema; isNullable: boolean } | null {
  const parts = typeof $ref === 'string' ? /^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) : null
  const all = parts ? root[parts[1] ?? ''] : null
  const found = isObject(all ?? null) && parts && Object.hasOwn(all as Schema, parts[2] ?? '') ? (all as Schema)[parts[2] ?? ''] : null
  return isObject(found ?? null) ? { schema: found as Schema, isNullable: false } : null
}

function singleOf({ allOf, anyOf, oneOf }: Schema): { schema: Schema; isNullable: boolean } | null {
  const all = allOf ?? anyOf ?? oneOf
  if (!Array.isArray(all)) return null
  const others = all.filter((one) => isObject(one) && one.type !== 'null')
  return others.length === 1 ? { schema: others[0] as Schema, isNullable: others.length < all.length } : null
}

const isObject = (value: Json | undefined): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')
const numberIn = (value: Json | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
