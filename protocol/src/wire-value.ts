/**
 * Values of the web's procedures on the wire: plain JSON, plus the types that JSON lacks. Unlike a general serializer it accepts every
 * key of a stored record, so that no record can break its answer. @see SPEC.md#clients
 */
import { isReservedKey } from './json-bounds.ts'

type Kind = 'date' | 'bigint' | 'map' | 'set'
type Step = string | number
/** `types`: the type and path of each converted value below `json`. */
export type WireValue = { readonly json: unknown; readonly types?: readonly (readonly [Kind, ...Step[]])[] }

/** No valid record is nested this deep. */
const maxDepth = 200

type Types = (readonly [Kind, ...Step[]])[]

/** The value for the wire: dates, big integers, maps and sets become JSON with a note of their type. */
export function encodeWireValue(value: unknown): WireValue {
  const types: Types = []
  const json = plain(value, [], types)
  return types.length === 0 ? { json } : { json, types }
}

/** `path`: of the value. The array is shared and restored after each step. */
function plain(value: unknown, path: Step[], types: Types): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') {
    types.push(['bigint', ...path])
    return value.toString()
  }
  if (typeof value !== 'object') return undefined
  if (value instanceof Date) {
    types.push(['date', ...path])
    return Number.isNaN(value.getTime()) ? null : value.toISOString()
  }
  if (path.length >= maxDepth) return null
  if (value instanceof Map || value instanceof Set) {
    types.push([value instanceof Map ? 'map' : 'set', ...path])
    return plain([...value], path, types)
  }
  if (Array.isArray(value)) return value.map((item, place) => below(item, place, path, types) ?? null)
  const copy: { [key: string]: unknown } = {}
  for (const [key, member] of Object.entries(value)) {
    const json = below(member, key, path, types)
    if (json !== undefined) put(copy, key, json)
  }
  return copy
}

function below(value: unknown, step: Step, path: Step[], types: Types): unknown {
  path.push(step)
  const json = plain(value, path, types)
  path.pop()
  return json
}

/** Defines an own property for any name. Assigning `__proto__` would not. */
function put(object: { [key: string]: unknown }, key: string, value: unknown): void {
  if (isReservedKey(key)) Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

/** The value of a wire form, which it does not change: a page that suspends during hydration decodes the same object again. */
export function decodeWireValue({ json, types = [] }: WireValue): unknown {
  const root = { json: types.length === 0 ? json : structuredClone(json) }
  // The content of a map or set is revived first.
  for (const [kind, ...path] of [...types].reverse()) revive(root, ['json', ...path], kind)
  return root.json
}

function revive(root: object, path: readonly Step[], kind: Kind): void {
  let holder: unknown = root
  for (const step of path.slice(0, -1)) holder = memberOf(holder, step)
  const last = path.at(-1) ?? 'json'
  const value = memberOf(holder, last)
  if (typeof holder === 'object' && holder !== null) put(holder as { [key: string]: unknown }, String(last), revived(value, kind))
}

function memberOf(holder: unknown, step: Step): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
    ? (holder as { [key: string]: unknown })[step]
    : undefined
}

function revived(value: unknown, kind: Kind): unknown {
  switch (kind) {
    case 'date':
      return new Date(typeof value === 'string' ? value : Number.NaN)
    case 'bigint':
      return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : 0n
    case 'map':
      return new Map(Array.isArray(value) ? (value as [unknown, unknown][]) : [])
    case 'set':
      return new Set(Array.isArray(value) ? value : [])
    default:
      return kind satisfies never
  }
}
