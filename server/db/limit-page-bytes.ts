/** Pagination by size. */
import { limits } from '@parley/protocol'

/** The size of a value in a JSON answer. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(jsonOf(value) ?? '')
}

/** Few values have a bigint. A replacer, which writes it as a string, would take most of the time of the others. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member))
  }
}

/** The longest prefix of `rows` that fits into `maxBytes`, and at least one row. */
export function limitPageBytes<T>(rows: readonly T[], bytesOf: (row: T) => number = jsonBytes, maxBytes: number = limits.pageBytes): T[] {
  let bytes = 0
  const end = rows.findIndex((row, place) => {
    bytes += bytesOf(row)
    return place > 0 && bytes > maxBytes
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}
