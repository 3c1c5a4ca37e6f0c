/** Bounds for every received JSON value, as text or parsed. @see SPEC.md#canonical-form */
import { limits } from './limits.ts'

/** The maximum depth of nesting, keys of one object, and values in total of a received JSON value. */
export type JsonBounds = { readonly depth: number; readonly keys: number; readonly values: number }

/** The bounds of an envelope, in levels, keys and values. */
export const envelopeBounds: JsonBounds = { depth: limits.depth, keys: limits.keys, values: limits.requestValues }
/** The bounds of any other request, in levels, keys and values. */
export const requestBounds: JsonBounds = { depth: limits.requestDepth, keys: limits.requestKeys, values: limits.requestValues }

/** Many JSON libraries drop these keys or act on them, which would change the signed bytes. */
const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether an object may not have this key. `__proto__`, `constructor` and `prototype` are reserved. */
export function isReservedKey(key: string): boolean {
  return key.length >= 9 && key.length <= 11 && reservedKeys.has(key)
}

/** Why a text is not allowed; null if it is. Databases cannot store a NUL, and a lone surrogate has no bytes. */
export function textFault(text: string): string | null {
  if (text.includes('\0')) return 'a NUL character is not allowed'
  return text.isWellFormed() ? null : 'a lone surrogate has no bytes'
}

/** Why a parsed value is not allowed, with its position; null if it is. Stops at the first fault, so its cost is bounded. */
export function jsonFault(value: unknown, bounds: JsonBounds = requestBounds): string | null {
  let values = 0
  const look = (item: unknown, depth: number): string | null => {
    if (depth > bounds.depth) return `nested deeper than ${bounds.depth}`
    if (++values > bounds.values) return `more than ${bounds.values} values`
    if (typeof item === 'string') return textFault(item)
    if (typeof item !== 'object' || item === null) return null
    if (Array.isArray(item)) {
      for (const member of item) {
        const fault = look(member, depth + 1)
        if (fault !== null) return fault
      }
      return null
    }
    return lookInside(item as { readonly [key: string]: unknown }, depth)
  }
  const lookInside = (object: { readonly [key: string]: unknown }, depth: number): string | null => {
    const keys = Object.keys(object)
    if (keys.length > bounds.keys) return `more than ${bounds.keys} keys in one object`
    for (const key of keys) {
      if (isReservedKey(key)) return `the key ${JSON.stringify(key)} is not allowed`
      const fault = textFault(key) ?? look(object[key], depth + 1)
      if (fault !== null) return fault
    }
    return null
  }
  return look(value, 0)
}
