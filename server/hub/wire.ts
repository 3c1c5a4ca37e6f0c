import type { Json } from '@parley/protocol'

/** A verb's result as JSON: money to decimal strings, times to RFC 3339, what is undefined left out. */
export function toWire(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? {}, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))) as Json
}

/** No room is longer than what the database counts with; an agent may write any number. */
const lastSeq = 2_147_483_647

/** A place in a room as the database can hold it. */
export function boundSeq(seq: number): number {
  return Math.min(seq, lastSeq)
}

/** The path of a request, or null where its target is none: a stranger may write anything there. */
export function readTarget(target: string | undefined, base: string): URL | null {
  return URL.parse(target ?? '/', base)
}
