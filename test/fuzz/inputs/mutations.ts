/** What is done to one place of a valid input. Each change has a name, by which it is made again. */
import { type HostileText, hostileTexts } from './hostile-texts.ts'
import { isRaw, isTree, raw, replaceAt, type Tree, type Value, writeJson } from './json-text.ts'
import { patternTexts } from './pattern-texts.ts'
import { compiled, type Known, resolved, type Schema } from './schema.ts'

export type Path = readonly (string | number)[]
export type Position = { readonly path: Path; readonly schema: Schema; readonly value: Value }
/**
 * `group`: the class that coverage counts by. `isWithin`: the schema allows it, so that it gets as far as it can.
 * `isForbidden`: a limit that the schema states excludes it. Of others, the schema may say nothing.
 */
export type Mutation = {
  readonly name: string
  readonly group: string
  readonly isWithin: boolean
  readonly isForbidden?: boolean
  /** Where it changes several: the change at each place. */
  readonly parts?: readonly Part[]
  apply(base: Value): Value
}

export type Part = { readonly place: string; readonly one: Mutation }

/** As coverage writes it: places of one list are one place. */
export const placeName = (path: Path) =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[]` : text ? `${text}.${key}` : key), '') || '(root)'

/** Every place of the value, with what the schema says of it. */
export function positionsOf(value: Value, schema: Schema, root: Schema = schema, path: Path = []): Position[] {
  const at = resolved(schema, root, value)
  const here: Position = { path, schema: at, value }
  if (Array.isArray(value)) {
    const items = typeof at.items === 'object' ? at.items : {}
    return [
      here,
      ...value.slice(0, 2).flatMap((item: Value, index) => positionsOf(item, at.prefixItems?.[index] ?? items, root, [...path, index])),
    ]
  }
  if (!isTree(value)) return [here]
  const rest = typeof at.additionalProperties === 'object' ? at.additionalProperties : {}
  return [here, ...Object.entries(value).flatMap(([key, item]) => positionsOf(item, at.properties?.[key] ?? rest, root, [...path, key]))]
}

const forbidden = (one: Mutation, isForbidden: boolean): Mutation => (isForbidden ? { ...one, isForbidden } : one)

const reservedKeys = [
  'constructor',
  'prototype',
  '__proto__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  '$$typeof',
  'length',
]
const oddKeys: { readonly [name: string]: string } = {
  nul: 'a\0',
  surrogate: '\ud800',
  empty: '',
  dots: 'a.b[0]',
  long: 'k'.repeat(60_000),
}

export function mutationsOf(position: Position, known: Known): Mutation[] {
  const { path, schema, value } = position
  const set: Set = (name, group, to, isWithin = false) => ({
    name,
    group,
    isWithin,
    apply: (base) => replaceAt(base, path, (old) => (typeof to === 'function' ? to(old) : to)),
  })
  const types = typeChanges(value).map(([name, to]) => set(name, 'type', to))
  if (typeof value === 'string') return [...textChanges(value, schema, known, set), ...types]
  if (typeof value === 'number') return [...numberChanges(value, schema, set), ...types]
  if (Array.isArray(value)) return [...listChanges(value, schema, set), ...types]
  if (isTree(value)) return [...treeChanges(value, schema, set), ...types]
  return types
}

/** `to`: large values are made when they are sent, and so is what depends on the value that stands there then. */
type Set = (name: string, group: string, to: Value | ((old: Value) => Value), isWithin?: boolean) => Mutation

const nestedList = raw(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
const nestedTree = raw(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
const manyKeys = raw(`{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":0`).join(',')}}`)
const megabyte = 'x'.repeat(1_000_000)

function typeChanges(value: Value): [string, Value][] {
  const others: [string, Value][] = [
    ['null', null],
    ['true', true],
    ['tree', {}],
    // What turns it into text throws.
    ['tree-without-text', { toString: 1, valueOf: 1 }],
    ['list', []],
    ['number', -1],
    ['text', 'x'],
    ['nested-list', nestedList],
    ['nested-tree', nestedTree],
  ]
  return others.filter(
    ([, other]) => isRaw(other) || typeof other !== typeof value || other === null || Array.isArray(other) !== Array.isArray(value),
  )
}

/** Made once for all places that allow the same: some are megabytes. */
const textsFor = new Map<string, readonly (HostileText & { readonly isWithin: boolean })[]>()

function textChanges(value: string, schema: Schema, known: Known, set: Set): Mutation[] {
  const longest = schema.maxLength ?? null
  const pattern = schema.pattern === undefined ? null : compiled(schema.pattern)
  const fits = (text: string) =>
    text.length <= (longest ?? Number.POSITIVE_INFINITY) &&
    text.length >= (schema.minLength ?? 0) &&
    !schema.enum &&
    (pattern?.test(text) ?? !schema.format)
  const key = JSON.stringify([schema.pattern, schema.format, schema.minLength, longest, schema.enum?.length])
  const texts = textsFor.get(key) ?? hostileTexts(longest).map((one) => ({ ...one, isWithin: fits(one.text) }))
  textsFor.set(key, texts)
  const words = (schema.enum ?? []).flatMap((word) => (word === value ? [] : [set(`word-${String(word)}`, 'word', word, true)]))
  const others = pattern ? known.all.filter((text) => text !== value && fits(text)).slice(0, 12) : []
  // A name of the right shape that nobody has.
  const unknown = pattern && /[0-9a-f]{8,}$/.test(value) ? [set('unknown', 'id', value.replace(/[0-9a-f]{8}$/, 'ffffffff'), true)] : []
  return [
    ...texts.map(({ name, group, text, isWithin }) =>
      forbidden(set(name, group, text, isWithin), text.length > (longest ?? Number.POSITIVE_INFINITY) || isAgainst(pattern, text)),
    ),
    ...(pattern ? patternTexts(pattern) : []).map((text, index) => set(`pattern-${index}`, 'pattern', text, fits(text))),
    ...words,
    ...unknown,
    ...others.map((text, index) => set(`other-${index}`, 'id', text, true)),
  ]
}

/** Blanks around it may be cut off before the pattern is applied. */
const isAgainst = (pattern: RegExp | null, text: string) => pattern !== null && !pattern.test(text) && !pattern.test(text.trim())

function numberChanges(value: number, schema: Schema, set: Set): Mutation[] {
  const { minimum, maximum } = schema
  const numbers: [string, number][] = [
    ['zero', 0],
    ['minus-one', -1],
    ['half', value + 0.5],
    ['int31', 2 ** 31 - 1],
    ['int32', 2 ** 31],
    ['int53', 2 ** 53 - 1],
    ['beyond-int53', 2 ** 53],
    ['least-double', -1.7e308],
    ['beyond-head', value + 1_000],
  ]
  if (minimum !== undefined) numbers.push(['minimum', minimum], ['below-minimum', minimum - 1])
  if (maximum !== undefined) numbers.push(['maximum', maximum], ['above-maximum', maximum + 1])
  const fits = (one: number) =>
    one >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    one <= (maximum ?? Number.POSITIVE_INFINITY) &&
    (schema.type !== 'integer' || Number.isSafeInteger(one))
  const spelled: [string, Value][] = [
    ['infinite', raw('1e999')],
    ['long-digits', raw('9'.repeat(400))],
    ['minus-zero', raw('-0')],
  ]
  return [
    ...numbers.map(([name, to]) => forbidden(set(name, 'number', to, fits(to)), /^(above|below)-/.test(name))),
    ...spelled.map(([name, to]) => set(name, 'number', to)),
    set('text-number', 'number', String(value)),
  ]
}

function listChanges(value: readonly Value[], schema: Schema, set: Set): Mutation[] {
  const { maxItems } = schema
  const [first] = value
  if (first === undefined)
    return [
      set(
        'thousand-nulls',
        'size',
        Array.from({ length: 1_000 }, () => null),
      ),
    ]
  const copies = (count: number) => (old: Value) => Array.from({ length: count }, () => (Array.isArray(old) ? (old[0] as Value) : first))
  const many = maxItems ?? 1_000
  return [
    set('twice', 'size', copies(2), true),
    set('most', 'size', copies(many), true),
    forbidden(set('one-too-many', 'size', copies(many + 1)), maxItems !== undefined),
    set('ten-thousand', 'size', copies(10_000)),
    set('holes', 'type', [null, ...value]),
  ]
}

function treeChanges(value: Tree, schema: Schema, set: Set): Mutation[] {
  const isOpen = schema.additionalProperties !== false
  const entriesOf = (old: Value) => Object.entries(isTree(old) ? old : value)
  const withKey = (key: string, item: Value) => (old: Value) => Object.fromEntries([...entriesOf(old), [key, item]])
  const doubled = (old: Value) => {
    const [one] = entriesOf(old)
    return one ? raw(`${writeJson(old).slice(0, -1)},${JSON.stringify(one[0])}:${writeJson(one[1])}}`) : raw('{"a":1,"a":2}')
  }
  const withoutKey = (key: string, isRequired: boolean) => {
    const change = (old: Value) => Object.fromEntries(entriesOf(old).filter(([name]) => name !== key))
    return forbidden(set(`without-${key}`, 'missing', change, !isRequired), isRequired)
  }
  return [
    ...reservedKeys.map((key) => set(`key-${key}`, 'key', withKey(key, { a: 1 }), isOpen)),
    ...reservedKeys
      .slice(0, 3)
      .map((key) => set(`deep-key-${key}`, 'key', withKey('nested', { list: [Object.fromEntries([[key, 'x']])] }), isOpen)),
    ...Object.entries(oddKeys).map(([name, key]) => set(`key-${name}`, 'key', withKey(key, 'x'), isOpen)),
    set('nul-inside', 'nul', withKey('note', 'a\0b'), isOpen),
    set('surrogate-inside', 'surrogate', withKey('note', 'a\ud800'), isOpen),
    set('depth-30', 'nesting', withKey('nested', nested(30)), isOpen),
    set('depth-200', 'nesting', withKey('nested', nested(200)), isOpen),
    set('depth-20000', 'nesting', withKey('nested', nestedTree)),
    set(
      'keys-500',
      'size',
      (old) => Object.fromEntries([...entriesOf(old), ...Array.from({ length: 490 }, (_, n) => [`k${n}`, 'x'])]),
      isOpen,
    ),
    // Limits of single fields lie between these: each is far below the limit of a whole request.
    ...[2_000, 10_000, 40_000, 150_000].map((length) =>
      set(`note-${length}`, 'size', withKey('note', 'Ab '.repeat(length / 3)), isOpen && length <= 40_000),
    ),
    set('keys-400000', 'size', manyKeys),
    set('key-twice', 'key', doubled),
    set('large-unknown', 'huge', withKey('note', megabyte), isOpen),
    ...Object.keys(value).map((key) => withoutKey(key, schema.required?.includes(key) ?? false)),
  ]
}

function nested(depth: number): Value {
  let value: Value = 1
  for (let level = 0; level < depth; level++) value = { a: value }
  return value
}

/** Fields this long are words for people, which nothing is looked up by. */
const longText = 200

/**
 * The same change at every place that allows it, and at every long text: one request for what would be one for each place.
 * What is refused as a whole is still sent place by place.
 */
export function everywhere(base: Value, schema: Schema, known: Known): Mutation[] {
  const positions = positionsOf(base, schema).filter(({ path }) => path.every((key) => typeof key !== 'number' || key === 0))
  const isLong = ({ value, schema: { maxLength = Number.POSITIVE_INFINITY } }: Position) =>
    typeof value !== 'string' || maxLength >= longText
  return [...together('every', positions, known), ...together('long', positions.filter(isLong), known)]
}

function together(set: string, positions: readonly Position[], known: Known): Mutation[] {
  const byName = new Map<string, Part[]>()
  for (const position of positions)
    for (const one of mutationsOf(position, known))
      if (one.isWithin && !/^(id|word|number|size|huge|type)$/.test(one.group))
        byName.set(one.name, [...(byName.get(one.name) ?? []), { one, place: placeName(position.path) }])
  return [...byName].flatMap(([name, all]) => {
    const [first] = all
    if (!first || all.length < 2) return []
    return [
      {
        name: `${set}-${name}`,
        group: first.one.group,
        isWithin: true,
        parts: all,
        apply: applying(all),
      },
    ]
  })
}

// Outer places come before what is in them.
const applying = (parts: readonly Part[]) => (value: Value) => parts.reduce((now, { one }) => one.apply(now), value)

/**
 * The same change at fewer places, after a request with all of them was refused: without the places that the refusal names, or, where
 * it names none of them, at the first half of them and at the second. `fields`: `listing.skills.0.name`, or `listing.skills[0].name`.
 */
export function narrowed(mutation: Mutation, fields: readonly string[]): Mutation[] {
  const { parts = [] } = mutation
  const named = new Set(fields.map((field) => field.replace(/(?:\.(\d+)|\[\d+\])(?=[.[]|$)/g, '[]')))
  const others = parts.filter(({ place }) => !named.has(place))
  const middle = Math.ceil(parts.length / 2)
  const lists = others.length < parts.length ? [others] : [parts.slice(0, middle), parts.slice(middle)]
  return lists
    .filter((left) => left.length > 0 && left.length < parts.length)
    .map((left) => ({ ...mutation, parts: left, apply: applying(left) }))
}

/** Everything at once as large as it may be: limits of single places are no limit of the whole. */
export function filled(value: Value, schema: Schema, root: Schema = schema): Value {
  const at = resolved(schema, root, value)
  if (typeof value === 'string') {
    const isFree = at.pattern === undefined && at.format === undefined && !at.enum && at.const === undefined
    return isFree && (at.maxLength ?? 0) > value.length ? 'Ab '.repeat((at.maxLength ?? 0) / 3 + 1).slice(0, at.maxLength) : value
  }
  if (Array.isArray(value)) {
    const items = typeof at.items === 'object' ? at.items : {}
    const [first] = value.map((item: Value) => filled(item, items, root))
    return first === undefined ? value : Array.from({ length: Math.min(at.maxItems ?? 4, 64) }, () => first)
  }
  if (!isTree(value)) return value
  const rest = typeof at.additionalProperties === 'object' ? at.additionalProperties : {}
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, at.properties?.[key] ?? rest, root)]))
}
