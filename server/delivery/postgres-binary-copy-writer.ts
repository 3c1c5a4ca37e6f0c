const head = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const minBytes = 4_096
const nullLength = -1
/** PostgreSQL timestamps count microseconds from the year 2000. */
const epochMs = Date.UTC(2000, 0, 1)

/**
 * Builds rows in the binary COPY format of PostgreSQL. Each row starts with `row`, followed by its columns in order.
 * `instant`: Unix milliseconds.
 */
export type PostgresBinaryCopyWriter = {
  row(): void
  text(value: string | null): void
  /** UTF-8 text. */
  bytes(value: Buffer): void
  int4(value: number): void
  /** A lower-case UUID in text form. */
  uuid(value: string): void
  instant(value: number): void
  /** The complete data. */
  end(): Buffer
}

/** Writes directly into one buffer, without a list of rows. `bytes`: the expected size; beyond it the buffer grows and is copied. */
export function createPostgresBinaryCopyWriter(columns: number, bytes: number): PostgresBinaryCopyWriter {
  let out = Buffer.allocUnsafe(minBytes + bytes)
  let at = head.copy(out)
  const ensureSpace = (more: number) => {
    if (at + more <= out.length) return
    grow(more)
  }
  const grow = (more: number) => {
    const wider = Buffer.allocUnsafe(2 * (at + more))
    out.copy(wider, 0, 0, at)
    out = wider
  }
  return {
    row() {
      ensureSpace(2)
      at = out.writeInt16BE(columns, at)
    },
    text(value) {
      if (value === null) {
        ensureSpace(4)
        at = out.writeInt32BE(nullLength, at)
        return
      }
      ensureSpace(4 + 3 * value.length)
      const length = out.write(value, at + 4)
      at = out.writeInt32BE(length, at) + length
    },
    bytes(value) {
      ensureSpace(4 + value.length)
      at = out.writeInt32BE(value.length, at)
      at += value.copy(out, at)
    },
    int4(value) {
      ensureSpace(8)
      at = out.writeInt32BE(value, out.writeInt32BE(4, at))
    },
    uuid(value) {
      ensureSpace(20)
      at = writeUuid(out, value, out.writeInt32BE(16, at))
    },
    instant(value) {
      ensureSpace(12)
      at = out.writeBigInt64BE(BigInt(value - epochMs) * 1_000n, out.writeInt32BE(8, at))
    },
    end() {
      ensureSpace(2)
      return out.subarray(0, out.writeInt16BE(-1, at))
    },
  }
}

/** Writes the bytes of a UUID and returns the end position. Removing the hyphens first takes twice as long. */
function writeUuid(out: Buffer, uuid: string, from: number): number {
  let at = from
  for (let index = 0; index < uuid.length; index += 2) {
    if (uuid.charCodeAt(index) === hyphen) index++
    out[at++] = (digit(uuid.charCodeAt(index)) << 4) | digit(uuid.charCodeAt(index + 1))
  }
  return at
}
const hyphen = 0x2d
/** The value of a hexadecimal digit, from its character code. */
const digit = (code: number) => (code < 0x3a ? code - 0x30 : (code | 0x20) - 0x57)
