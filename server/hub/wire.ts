import type { Json } from '@parley/protocol'

/** A verb's result as JSON: money to decimal strings, times to RFC 3339, what is undefined left out. */
export function toWire(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? {}, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))) as Json
}
