/** RFC 4648 base64 with padding. Without `atob`, which some engines lack, and which takes many times the memory of the bytes. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const letterCodes = () => Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0))
const padding = 0x3d
/** Bytes that become text at once: a multiple of 3, and few enough for the arguments of one call on a small stack. */
const pieceBytes = 1_536

/** The bytes as base64, as artifacts are uploaded. */
export function base64Encode(bytes: Uint8Array): string {
  const codes = letterCodes()
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; from += pieceBytes) pieces.push(encodePiece(bytes.subarray(from, from + pieceBytes), codes))
  return pieces.join('')
}

function encodePiece(bytes: Uint8Array, codes: Uint8Array): string {
  const letters = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  for (let at = 0, to = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let shift = 18; shift >= 0; shift -= 6) letters[to++] = codes[(bits >> shift) & 63] ?? 0
  }
  const missing = (3 - (bytes.length % 3)) % 3
  letters.fill(padding, letters.length - missing)
  return String.fromCharCode(...letters)
}

const invalid = 64

/** The value of each letter by its code; 64 for all others. */
function readValues(): Uint8Array {
  const values = new Uint8Array(128).fill(invalid)
  for (let at = 0; at < alphabet.length; at++) values[alphabet.charCodeAt(at)] = at
  return values
}
let values: Uint8Array | undefined

/**
 * The bytes of a base64 text. Padding may be missing.
 * @throws {RangeError} if the text is not base64
 */
export function base64Decode(text: string): Uint8Array<ArrayBuffer> {
  values ??= readValues()
  const padded = text.length % 4 === 0 ? (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0) : 0
  const letters = text.length - padded
  if (letters % 4 === 1) throw notBase64()
  const bytes = new Uint8Array(Math.floor((letters * 3) / 4))
  for (let from = 0, at = 0; from < letters; from += 4, at += 3) {
    let bits = 0
    for (let next = 0; next < 4; next++) {
      const value = from + next < letters ? (values[text.charCodeAt(from + next)] ?? invalid) : 0
      if (value === invalid) throw notBase64()
      bits = (bits << 6) | value
    }
    // Beyond the end of the array, an assignment has no effect.
    bytes[at] = bits >> 16
    bytes[at + 1] = bits >> 8
    bytes[at + 2] = bits
  }
  return bytes
}

const notBase64 = () => new RangeError('The text is not base64.')
