const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const firstBytes = 65_536
const nullLength = -1
/** PostgreSQL counts its microseconds from 2000 on. */
const epochMs = Date.UTC(2000, 0, 1)

/**
 * Rows as PostgreSQL's binary COPY takes them, for one table. Each begins with `row`, and gives its columns one after the
 * other. `instant`: milliseconds of Unix time.
 */
export type CopyRows = {
  row(): void
  text(value: string | null): void
  /** A text in UTF-8. */
  bytes(value: Buffer): void
  int4(value: number): void
  uuid(value: string): void
  instant(value: number): void
  /** All that was written. */
  end(): Buffer
}

/** Straight into one buffer, which grows: no list of rows is made, and no value looked at twice. */
export function startRows(columns: number): CopyRows {
  let out = Buffer.allocUnsafe(firstBytes)
  let at = head.copy(out)
  const hold = (more: number) => {
    if (at + more <= out.length) return
    const wider = Buffer.allocUnsafe(2 * (at + more))
    out.copy(wider, 0, 0, at)
    out = wider
  }
  return {
    row() {
      hold(2)
      at = out.writeInt16BE(columns, at)
    },
    text(value) {
      if (value === null) {
        hold(4)
        at = out.writeInt32BE(nullLength, at)
        return
      }
      hold(4 + 3 * value.length)
      const length = out.write(value, at + 4)
      at = out.writeInt32BE(length, at) + length
    },
    bytes(value) {
      hold(4 + value.length)
      at = out.writeInt32BE(value.length, at)
      at += value.copy(out, at)
    },
    int4(value) {
      hold(8)
      at = out.writeInt32BE(value, out.writeInt32BE(4, at))
    },
    uuid(value) {
      hold(20)
      at = out.writeInt32BE(16, at)
      at += out.write(value.replaceAll('-', ''), at, 'hex')
    },
    instant(value) {
      hold(12)
      at = out.writeBigInt64BE(BigInt(value - epochMs) * 1_000n, out.writeInt32BE(8, at))
    },
    end() {
      hold(2)
      return out.subarray(0, out.writeInt16BE(-1, at))
    },
  }
}
