/** Pagination by size: where a page of a list ends. */
import { limits } from '@parley/protocol'

/** Bytes of a value in an answer. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)) ?? '')
}

/** As many of the first as have `most` bytes together, and one in any case. */
export function limitBytes<T>(rows: readonly T[], bytesOf: (row: T) => number = jsonBytes, maxBytes: number = limits.pageBytes): T[] {
  let bytes = 0
  const end = rows.findIndex((row, place) => {
    bytes += bytesOf(row)
    return place > 0 && bytes > maxBytes
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}
