/** Strings that are bytes in another spelling, and travel as those bytes. Each is spelled again exactly as it was. */

export type Shape = 'uuid' | 'instant' | 'id' | 'base64url' | 'hex' | 'prefixedHex' | 'traceparent'

/** How many bytes a shape takes; where it is left out they are counted before them. */
export const bytesOf: { readonly [shape in Shape]?: number } = { uuid: 16, instant: 6, id: 19, traceparent: 26 }

/** Shorter ones are as short as text. */
const minLetters = 16

const patterns = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  id: /^[a-z]{3}_[0-9a-f]{32}$/,
  traceparent: /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/,
  hex: /^([0-9a-f]{2})+$/,
  prefixedHex: /^0x([0-9a-f]{2})+$/,
  base64url: /^[A-Za-z0-9_-]+$/,
} as const

/** The shape that a string seems to have. */
export function shapeOf(text: string): Shape | null {
  const { length } = text
  if (length === 24 && patterns.instant.test(text)) return 'instant'
  if (length === 36) {
    if (patterns.uuid.test(text)) return 'uuid'
    if (patterns.id.test(text)) return 'id'
  }
  if (length === 55 && patterns.traceparent.test(text)) return 'traceparent'
  if (length < minLetters || !patterns.base64url.test(text)) return null
  if (patterns.hex.test(text)) return 'hex'
  return patterns.prefixedHex.test(text) ? 'prefixedHex' : 'base64url'
}

type Write = (text: string, out: Uint8Array, at: number) => number
type Read = (bytes: Uint8Array, at: number, count: number) => string | null

const digits = '0123456789abcdef'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const valueAt = new Int8Array(128).fill(-1)
for (let value = 0; value < letters.length; value++) valueAt[letters.charCodeAt(value)] = value
const pairs = Array.from({ length: 256 }, (_, byte) => `${digits[byte >> 4]}${digits[byte & 15]}`)

/** Two digits of a text that is known to hold them. */
function pairAt(text: string, from: number): number {
  const [high, low] = [text.charCodeAt(from), text.charCodeAt(from + 1)]
  return ((high < 58 ? high - 48 : high - 87) << 4) | (low < 58 ? low - 48 : low - 87)
}

function writeHex(text: string, from: number, to: number, out: Uint8Array, at: number): number {
  let end = at
  for (let place = from; place < to; place += 2) out[end++] = pairAt(text, place)
  return end
}

function hexOf(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let place = from; place < to; place++) text += pairs[bytes[place] ?? 0]
  return text
}

function writeCount(count: number, out: Uint8Array, at: number): number {
  let end = at
  let rest = count
  for (; rest > 127; rest >>>= 7) out[end++] = (rest & 127) | 128
  out[end++] = rest
  return end
}

/** The end of the year 9999: later instants are spelled with more digits. */
const lastInstant = 253_402_300_799_999
const dayMs = 86_400_000
/** The day that was met last: what is said at one time is mostly of one day, and the calendar costs more than all else. */
let day = { text: '1970-01-01', ms: 0 }

const two = (value: number) => `${digits[Math.floor(value / 10)]}${digits[value % 10]}`
const numberAt = (text: string, from: number) => (text.charCodeAt(from) - 48) * 10 + text.charCodeAt(from + 1) - 48

/** Unix time of an instant in its shape; negative where it is none, or before 1970. */
function msOf(text: string): number {
  const [hours, minutes, seconds] = [numberAt(text, 11), numberAt(text, 14), numberAt(text, 17)]
  if (hours > 23 || minutes > 59 || seconds > 59) return -1
  if (!text.startsWith(day.text)) {
    const midnight = `${text.slice(0, 10)}T00:00:00.000Z`
    const ms = Date.parse(midnight)
    if (!(ms >= 0) || new Date(ms).toISOString() !== midnight) return -1
    day = { text: text.slice(0, 10), ms }
  }
  return day.ms + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + numberAt(text, 20) * 10 + text.charCodeAt(22) - 48
}

function instantOf(ms: number): string {
  const ofDay = ms % dayMs
  if (ms - ofDay !== day.ms) day = { text: new Date(ms).toISOString().slice(0, 10), ms: ms - ofDay }
  const seconds = Math.floor(ofDay / 1_000)
  const minutes = Math.floor(seconds / 60)
  const rest = ofDay % 1_000
  return `${day.text}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${two(Math.floor(rest / 10))}${rest % 10}Z`
}

/** Writes a string of this shape and tells where it ends; 0 where its bytes would be spelled otherwise. */
export const write: { readonly [shape in Shape]: Write } = {
  uuid(text, out, at) {
    let end = at
    for (const [from, to] of uuidParts) end = writeHex(text, from, to, out, end)
    return end
  },
  instant(text, out, at) {
    let rest = msOf(text)
    if (rest < 0) return 0
    for (let place = at + 5; place >= at; place--) {
      out[place] = rest % 256
      rest = Math.floor(rest / 256)
    }
    return at + 6
  },
  id(text, out, at) {
    for (let place = 0; place < 3; place++) out[at + place] = text.charCodeAt(place)
    return writeHex(text, 4, 36, out, at + 3)
  },
  traceparent(text, out, at) {
    let end = at
    for (const [from, to] of traceParts) end = writeHex(text, from, to, out, end)
    return end
  },
  hex: (text, out, at) => writeHex(text, 0, text.length, out, writeCount(text.length / 2, out, at)),
  prefixedHex: (text, out, at) => writeHex(text, 2, text.length, out, writeCount(text.length / 2 - 1, out, at)),
  base64url(text, out, at) {
    const over = text.length % 4
    if (over === 1) return 0
    let end = writeCount(Math.floor((text.length * 3) / 4), out, at)
    let bits = 0
    let held = 0
    for (let place = 0; place < text.length; place++) {
      held = (held << 6) | (valueAt[text.charCodeAt(place)] ?? 0)
      bits += 6
      if (bits < 8) continue
      bits -= 8
      out[end++] = held >> bits
      held &= (1 << bits) - 1
    }
    // One signature, one spelling: what is left over must be zero to be spelled again.
    return held === 0 ? end : 0
  },
}

const uuidParts = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const
const traceParts = [
  [0, 2],
  [3, 35],
  [36, 52],
  [53, 55],
] as const

/** The string of these bytes; null where they are none of this shape. */
export const read: { readonly [shape in Shape]: Read } = {
  uuid(bytes, at) {
    const hex = hexOf(bytes, at, at + 16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
  instant(bytes, at) {
    let ms = 0
    for (let place = at; place < at + 6; place++) ms = ms * 256 + (bytes[place] ?? 0)
    return ms <= lastInstant ? instantOf(ms) : null
  },
  id(bytes, at) {
    const prefix = String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0)
    return /^[a-z]{3}$/.test(prefix) ? `${prefix}_${hexOf(bytes, at + 3, at + 19)}` : null
  },
  traceparent(bytes, at) {
    const hex = hexOf(bytes, at, at + 26)
    return `${hex.slice(0, 2)}-${hex.slice(2, 34)}-${hex.slice(34, 50)}-${hex.slice(50)}`
  },
  hex: (bytes, at, count) => hexOf(bytes, at, at + count),
  prefixedHex: (bytes, at, count) => `0x${hexOf(bytes, at, at + count)}`,
  base64url(bytes, at, count) {
    let text = ''
    let bits = 0
    let held = 0
    for (let place = at; place < at + count; place++) {
      held = (held << 8) | (bytes[place] ?? 0)
      for (bits += 8; bits >= 6; ) {
        bits -= 6
        text += letters[held >> bits]
        held &= (1 << bits) - 1
      }
    }
    return bits > 0 ? text + letters[held << (6 - bits)] : text
  },
}
