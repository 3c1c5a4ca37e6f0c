/** JSON Schemas as zod writes them, read as far as it takes to make a valid value and to know what a place allows. */
import fc from 'fast-check'
import { z } from 'zod'
import type { Tree, Value } from './json-text.ts'

export type Schema = {
  readonly type?: string | readonly string[]
  readonly properties?: { readonly [key: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema | boolean
  readonly prefixItems?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly Value[]
  readonly const?: Value
  readonly default?: Value
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: Schema }
}

export function schemaOf(type: z.ZodType): Schema {
  return z.toJSONSchema(type, { io: 'input', unrepresentable: 'any', cycles: 'ref', reused: 'inline' }) as Schema
}

/** The schema of a place: references followed, and of several the one that fits the value, or the first. */
export function resolved(schema: Schema, root: Schema, value?: Value): Schema {
  if (schema.$ref?.startsWith('#/$defs/')) return resolved(root.$defs?.[schema.$ref.slice(8)] ?? {}, root, value)
  if (schema.$ref === '#') return root
  const ways = schema.anyOf ?? schema.oneOf
  if (ways) {
    const known = ways.map((one) => resolved(one, root, value))
    const fitting = value === undefined ? known.find((one) => one.type !== 'null') : known.find((one) => fits(one, value))
    return fitting ?? known[0] ?? {}
  }
  const [whole] = schema.allOf ?? []
  return whole ? { ...resolved(whole, root, value), ...schema, allOf: [] } : schema
}

function fits(schema: Schema, value: Value): boolean {
  if (schema.const !== undefined) return schema.const === value
  if (value === null) return schema.type === 'null'
  if (Array.isArray(value)) return schema.type === 'array'
  if (typeof value !== 'object') return schema.type === typeof value || (schema.type === 'integer' && typeof value === 'number')
  const tree = value as Tree
  const tag = Object.entries(schema.properties ?? {}).find(([, one]) => one.const !== undefined)
  if (tag) return tree[tag[0]] === tag[1].const
  return schema.type === 'object' && (schema.required ?? []).every((key) => key in tree)
}

/** Values that the market knows now: ids, handles, addresses. The first that fits a place is taken. */
export type Known = { readonly byName: { readonly [name: string]: Value }; readonly all: readonly string[] }

/** Optional places are filled too: what is left out can't be attacked. Null where nothing valid is known. */
export function sample(schema: Schema, known: Known, name = '', root: Schema = schema, depth = 0): Value {
  const named = known.byName[name]
  if (schema.const !== undefined) return schema.const
  const ways = schema.anyOf ?? schema.oneOf
  if (ways && named !== undefined) {
    const way = ways.map((one) => resolved(one, root)).find((one) => fits(one, named))
    if (way) return named
  }
  const at = resolved(schema, root)
  if (at.const !== undefined) return at.const
  if (at.enum) return named !== undefined && at.enum.includes(named) ? named : (at.enum[0] ?? null)
  const type = Array.isArray(at.type) ? at.type[0] : at.type
  switch (type) {
    case 'string':
      return sampleText(at, known, name)
    case 'integer':
    case 'number':
      return sampleNumber(at, typeof named === 'number' ? named : undefined)
    case 'boolean':
      return typeof named === 'boolean' ? named : false
    case 'null':
      return null
    case 'array':
      return Array.isArray(named) ? named : sampleList(at, known, name, root, depth)
    case 'object':
      return sampleTree(at, known, root, depth)
    default:
      return named ?? 'anything'
  }
}

function sampleList(at: Schema, known: Known, name: string, root: Schema, depth: number): Value {
  if (at.prefixItems) return at.prefixItems.map((one) => sample(one, known, name, root, depth + 1))
  if (typeof at.items !== 'object' || depth > 8) return []
  const single = name.replace(/ies$/, 'y').replace(/s$/, '')
  const length = Math.max(1, at.minItems ?? 0)
  return Array.from({ length }, () => sample(at.items as Schema, known, single, root, depth + 1))
}

function sampleTree(at: Schema, known: Known, root: Schema, depth: number): Tree {
  const properties = Object.entries(at.properties ?? {}).filter(([key]) => depth < 8 || at.required?.includes(key))
  const own = properties.map(([key, one]) => [key, sample(one, known, key, root, depth + 1)] as const)
  const isRecord = own.length === 0 && typeof at.additionalProperties === 'object'
  return Object.fromEntries(isRecord ? [['kind', 'note']] : own)
}

function sampleNumber({ minimum, exclusiveMinimum, maximum }: Schema, named: number | undefined): number {
  const min = Math.max(
    minimum ?? Number.NEGATIVE_INFINITY,
    exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : exclusiveMinimum + 1,
  )
  const isAllowed = named !== undefined && named >= min && named <= (maximum ?? Number.POSITIVE_INFINITY)
  if (isAllowed) return named
  return Number.isFinite(min) && min > -(2 ** 53) + 1 ? min : Math.min(1, maximum ?? 1)
}

const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString()

function sampleText(at: Schema, known: Known, name: string): string {
  const named = known.byName[name]
  const pattern = at.pattern === undefined ? null : compiled(at.pattern)
  const isAllowed = (text: string) =>
    text.length >= (at.minLength ?? 0) && text.length <= (at.maxLength ?? Number.POSITIVE_INFINITY) && (pattern?.test(text) ?? true)
  if (typeof named === 'string' && isAllowed(named)) return named
  if (at.format === 'date-time') return isoIn(3_600_000)
  if (at.format === 'uri') return 'https://example.org/path'
  const usual = ['A text of some length, as people write them.', 'A word', 'text.plain', 'word', 'en', '1000000']
  const fitting = pattern || at.format ? [...known.all, ...usual].find(isAllowed) : usual.find(isAllowed)
  if (fitting !== undefined) return fitting
  if (pattern === null) return 'x'.repeat(Math.max(1, at.minLength ?? 1))
  const made = textMatching(pattern)
  // A pattern of single characters, with the length beside it.
  const long = made.repeat(Math.ceil((at.minLength ?? 0) / Math.max(1, made.length))).slice(0, at.minLength)
  return isAllowed(made) || !isAllowed(long) ? made : long
}

const madeTexts = new Map<string, string>()

/** A text of the pattern, always the same one. To make it takes milliseconds, and schemas repeat their patterns. */
function textMatching(pattern: RegExp): string {
  const key = String(pattern)
  const made = madeTexts.get(key) ?? fc.sample(fc.stringMatching(pattern), { seed: 1, numRuns: 1 })[0] ?? ''
  madeTexts.set(key, made)
  return made
}

export function compiled(pattern: string): RegExp | null {
  for (const flags of ['u', ''])
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Written for the other mode.
    }
  return null
}
