/** UTF-8, also in engines of small devices, which have neither `TextEncoder` nor `TextDecoder`. */

/** The text as UTF-8. A lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array<ArrayBuffer> {
  return typeof TextEncoder === 'undefined' ? encode(text) : new TextEncoder().encode(text)
}

/** The text of UTF-8 bytes, without a byte order mark. Malformed bytes become U+FFFD. */
export function utf8Text(bytes: Uint8Array): string {
  return typeof TextDecoder === 'undefined' ? decode(bytes) : new TextDecoder().decode(bytes)
}

/** The largest code point of a sequence of 1, 2 and 3 bytes. */
const largest = [0x7f, 0x7ff, 0xffff] as const
const replacement = 0xfffd
const byteOrderMark = 0xfeff

function lengthOf(point: number): number {
  return point <= largest[0] ? 1 : point <= largest[1] ? 2 : point <= largest[2] ? 3 : 4
}

/** Two passes: the first one counts, so that no list of numbers is built, which takes several times the memory. */
function encode(text: string): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const letter of text) length += lengthOf(letter.codePointAt(0) ?? 0)
  const bytes = new Uint8Array(length)
  let at = 0
  for (const letter of text) {
    const read = letter.codePointAt(0) ?? 0
    const point = read >= 0xd800 && read <= 0xdfff ? replacement : read
    const size = lengthOf(point)
    for (let rest = size - 1, bits = point; rest > 0; rest--, bits >>= 6) bytes[at + rest] = 0x80 | (bits & 0x3f)
    bytes[at] = size === 1 ? point : ((0xf00 >> size) & 0xff) | (point >> (6 * (size - 1)))
    at += size
  }
  return bytes
}

/** The code points of a piece of text. It bounds the arguments of one call. */
const pieceLength = 4_096

function decode(bytes: Uint8Array): string {
  let text = ''
  let piece: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const { point, size } = pointAt(bytes, at)
    if (at > 0 || point !== byteOrderMark) piece.push(point)
    at += size
    if (piece.length < pieceLength) continue
    text += String.fromCodePoint(...piece)
    piece = []
  }
  return text + String.fromCodePoint(...piece)
}

/** The code point that begins at this byte. Overlong forms, surrogates and cut sequences are malformed. */
function pointAt(bytes: Uint8Array, at: number): { point: number; size: number } {
  const first = bytes[at] ?? 0
  if (first < 0x80) return { point: first, size: 1 }
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  let point = first & (0xff >> (size + 1))
  for (let next = 1; next < size; next++) {
    const byte = bytes[at + next] ?? 0
    if (first < 0xc2 || (byte & 0xc0) !== 0x80) return { point: replacement, size: next }
    point = (point << 6) | (byte & 0x3f)
  }
  const isMalformed = lengthOf(point) !== size || (point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff
  return isMalformed ? { point: replacement, size } : { point, size }
}
