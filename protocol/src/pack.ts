/**
 * Packed frames: any frame in fewer bytes, from which the same frame is read again, member for member. What is signed and
 * hashed stays the canonical text: packing is how it travels. @see SPEC.md#packed-frames
 */
import { CanonicalError, type Json } from './canonical.ts'
import * as spelling from './packed-strings.ts'
import { fewItems, maxRoomWord, nearIntegers, nearRoomWords, tag } from './packed-tags.ts'
import { packedWords } from './packed-words.ts'

const wordPlaces = new Map(packedWords.map((word, place) => [word, place]))
const longestWord = Math.max(...packedWords.map((word) => word.length))

/** A room's words, each by its place, as the server has told them on this connection. `number`: the room's, from 1. */
export type RoomWords = { readonly number: number; placeOf(word: string): number | undefined }

let out = new Uint8Array(4_096)
let view = new DataView(out.buffer)
let at = 0
const keptBytes = 1_048_576
const encoder = new TextEncoder()

function need(bytes: number): void {
  if (at + bytes <= out.length) return
  const larger = new Uint8Array(Math.max(out.length * 2, at + bytes))
  larger.set(out.subarray(0, at))
  out = larger
  view = new DataView(out.buffer)
}

function byte(value: number): void {
  need(1)
  out[at++] = value
}

/** Seven bits to a byte, the lowest first; all but the last byte have the eighth. */
function natural(value: number): void {
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) byte((rest % 128) | 128)
  byte(rest)
}

/**
 * A frame as the payload of a binary message. `room`: the one whose words it may use.
 * @throws {CanonicalError} of what has no canonical form either: a lone surrogate, a number that is not finite
 */
export function pack(frame: Json | object, room?: RoomWords): Uint8Array<ArrayBuffer> {
  at = 0
  natural(room?.number ?? 0)
  write(frame, room)
  const packed = out.slice(0, at)
  // One large frame must not keep its room for ever.
  if (out.length > keptBytes) {
    out = new Uint8Array(4_096)
    view = new DataView(out.buffer)
  }
  return packed
}

function write(value: unknown, room: RoomWords | undefined): void {
  if (typeof value === 'string') writeString(value, room)
  else if (typeof value === 'number') writeNumber(value)
  else if (value === null) byte(tag.null)
  else if (typeof value === 'boolean') byte(value ? tag.true : tag.false)
  else if (Array.isArray(value)) {
    count(tag.array, value.length)
    for (const item of value) write(item, room)
  } else if (typeof value === 'object') writeMembers(value as { readonly [key: string]: unknown }, room)
  else throw new TypeError(`${typeof value} has no JSON form`)
}

function writeMembers(object: { readonly [key: string]: unknown }, room: RoomWords | undefined): void {
  const keys = Object.keys(object).filter((key) => object[key] !== undefined)
  count(tag.object, keys.length)
  for (const key of keys) {
    writeString(key, room)
    write(object[key], room)
  }
}

function count(first: number, items: number): void {
  byte(first + Math.min(items, fewItems))
  if (items >= fewItems) natural(items)
}

function writeNumber(value: number): void {
  if (!Number.isFinite(value)) throw new CanonicalError('a number is not finite', at)
  if (!Number.isSafeInteger(value)) {
    byte(tag.double)
    need(8)
    view.setFloat64(at, value)
    at += 8
  } else if (value >= 0 && value < nearIntegers) byte(tag.integer + value)
  else {
    byte(value < 0 ? tag.negative : tag.natural)
    natural(value < 0 ? -value - 1 : value)
  }
}

function writeString(text: string, room: RoomWords | undefined): void {
  const word = text.length <= longestWord ? wordPlaces.get(text) : undefined
  const place = word === undefined && text.length <= maxRoomWord ? room?.placeOf(text) : undefined
  if (word !== undefined) byte(word)
  else if (place === undefined) spell(text)
  else if (place < nearRoomWords) byte(tag.roomWord + place)
  else {
    byte(tag.farRoomWord)
    natural(place)
  }
}

function spell(text: string): void {
  const shape = spelling.shapeOf(text)
  // A character takes three bytes at most, and what stands before the text a few.
  need(3 * text.length + 12)
  if (shape !== null) {
    const start = at
    out[at++] = tag[shape]
    const end = spelling.write[shape](text, out, at)
    if (end > 0) {
      at = end
      return
    }
    at = start
  }
  if (!text.isWellFormed()) throw new CanonicalError('a lone surrogate has no bytes', at)
  out[at++] = tag.text
  // The length stands first and is known last: the text is written behind the most that it can take, and moved up.
  const start = at + lengthOfNatural(3 * text.length)
  const { written } = encoder.encodeInto(text, out.subarray(start))
  natural(written)
  if (at < start) out.copyWithin(at, start, start + written)
  at += written
}

function lengthOfNatural(value: number): number {
  let bytes = 1
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes++
  return bytes
}
