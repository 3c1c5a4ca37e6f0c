/** Rows as PostgreSQL's binary COPY takes them, for one table: what each column holds is asked once. */
export type CopyColumn = 'text' | 'int4' | 'uuid' | 'timestamptz'

const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const nullLength = -1
/** PostgreSQL counts its microseconds from 2000 on. */
const epochMs = Date.UTC(2000, 0, 1)

/** `rows`: each with a value for each column; instants are milliseconds of Unix time. */
export function copyRows(columns: readonly CopyColumn[], rows: readonly (readonly (string | number | null)[])[]): Buffer {
  let most = head.length + 2
  for (const row of rows) {
    most += 2
    for (const value of row) most += 20 + (typeof value === 'string' ? Buffer.byteLength(value) : 0)
  }
  const bytes = Buffer.allocUnsafe(most)
  let at = head.copy(bytes)
  for (const row of rows) {
    at = bytes.writeInt16BE(columns.length, at)
    for (let index = 0; index < columns.length; index++) {
      const value = row[index] ?? null
      const length = value === null ? nullLength : writeValue(bytes, at + 4, columns[index] ?? 'text', value)
      bytes.writeInt32BE(length, at)
      at += 4 + Math.max(0, length)
    }
  }
  return bytes.subarray(0, bytes.writeInt16BE(-1, at))
}

function writeValue(bytes: Buffer, at: number, column: CopyColumn, value: string | number): number {
  switch (column) {
    case 'text':
      return bytes.write(String(value), at)
    case 'int4':
      return bytes.writeInt32BE(Number(value), at) - at
    case 'uuid':
      return bytes.write(String(value).replaceAll('-', ''), at, 'hex')
    case 'timestamptz':
      return bytes.writeBigInt64BE(BigInt(Number(value) - epochMs) * 1_000n, at) - at
    default:
      return column satisfies never
  }
}
