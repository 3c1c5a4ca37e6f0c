/** Reads packed frames, as strictly as frames of text are read. @see SPEC.md#packed-frames */
import { CanonicalError, type Json } from './canonical.ts'
import { isReservedKey, requestBounds, textFault } from './json-bounds.ts'
import { limits } from './limits.ts'
import * as spelling from './packed-strings.ts'
import { fewItems, tag } from './packed-tags.ts'
import { packedWords } from './packed-words.ts'

/** As the server reads a frame of text. */
const most = { ...requestBounds, length: limits.requestBytes }
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The frame that was packed. `wordsOf`: the words of a room by its number, those that were told on this connection and no
 * others; undefined of a room that was not told.
 * @throws {CanonicalError} of what is no packed frame, and of what the strict reading of a text would refuse
 */
export function unpack(packed: Uint8Array, wordsOf: (room: number) => readonly string[] | undefined): Json {
  const bytes = packed
  const seen = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let from = 0
  let length = 0
  let values = 0
  const fail = (message: string): never => {
    throw new CanonicalError(`${message} at byte ${from}`, from)
  }
  /** Where so many bytes begin, which are stepped over. */
  const take = (count: number): number => {
    if (count > bytes.length - from) fail('a frame breaks off')
    from += count
    return from - count
  }
  const readNatural = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const next = bytes[take(1)] ?? 0
      value += (next & 127) * unit
      if (!Number.isSafeInteger(value)) fail('a number is too large')
      if (next < 128) return value
    }
  }
  /** A short reference may stand for a long string: what is read is bounded, too. */
  const counted = (text: string | undefined): string => {
    if (text === undefined) return fail('a word is not known')
    length += text.length + 2
    if (length > most.length) fail('a frame is too long')
    return text
  }
  const shaped = (shape: keyof typeof spelling.read): string => {
    const fixed = spelling.bytesOf[shape]
    const count = fixed ?? readNatural()
    const start = take(count)
    return counted(spelling.read[shape](bytes, start, count) ?? fail('a string is malformed'))
  }
  const utf8 = (): string => {
    const count = readNatural()
    const start = take(count)
    try {
      const read = decoder.decode(bytes.subarray(start, start + count))
      const fault = textFault(read)
      return fault === null ? counted(read) : fail(fault)
    } catch (error) {
      if (error instanceof CanonicalError) throw error
      return fail('a text is not UTF-8')
    }
  }

  const room = readNatural()
  const words = room === 0 ? [] : wordsOf(room)
  if (words === undefined) return fail('a room is not known')

  function text(first: number): string | null {
    if (first < tag.roomWord) return counted(packedWords[first])
    if (first < tag.integer) return counted(words?.[first - tag.roomWord])
    switch (first) {
      case tag.farRoomWord:
        return counted(words?.[readNatural()])
      case tag.text:
        return utf8()
      case tag.uuid:
        return shaped('uuid')
      case tag.instant:
        return shaped('instant')
      case tag.id:
        return shaped('id')
      case tag.base64url:
        return shaped('base64url')
      case tag.hex:
        return shaped('hex')
      case tag.prefixedHex:
        return shaped('prefixedHex')
      case tag.traceparent:
        return shaped('traceparent')
      default:
        return null
    }
  }
  function items(depth: number, few: number): Json[] {
    const count = few < fewItems ? few : readNatural()
    if (count > bytes.length - from) fail('a frame breaks off')
    const list: Json[] = []
    for (let n = 0; n < count; n++) list.push(value(depth + 1))
    return list
  }
  function members(depth: number, few: number): { [key: string]: Json } {
    const count = few < fewItems ? few : readNatural()
    if (count > most.keys) fail(`more than ${most.keys} keys in one object`)
    const object: { [key: string]: Json } = {}
    for (let n = 0; n < count; n++) {
      const key = text(bytes[take(1)] ?? 0) ?? fail('a key must be a string')
      if (isReservedKey(key)) fail(`the key ${JSON.stringify(key)} is not allowed`)
      if (Object.hasOwn(object, key)) fail(`the key ${JSON.stringify(key)} stands twice`)
      object[key] = value(depth + 1)
    }
    return object
  }
  function value(depth: number): Json {
    if (depth > most.depth) fail(`nested deeper than ${most.depth}`)
    if (++values > most.values) fail(`more than ${most.values} values`)
    const first = bytes[take(1)] ?? 0
    if (first >= tag.integer && first < tag.array) return first - tag.integer
    if (first >= tag.array && first < tag.object) return items(depth, first - tag.array)
    if (first >= tag.object && first < tag.null) return members(depth, first - tag.object)
    switch (first) {
      case tag.null:
        return null
      case tag.false:
        return false
      case tag.true:
        return true
      case tag.natural:
        return readNatural()
      case tag.negative: {
        const below = -readNatural() - 1
        return Number.isSafeInteger(below) ? below : fail('a number is too large')
      }
      case tag.double: {
        const double = seen.getFloat64(take(8))
        return Number.isFinite(double) ? double : fail('a number is not finite')
      }
      default:
        return text(first) ?? fail('this is the beginning of no value')
    }
  }
  const frame = value(0)
  if (from !== bytes.length) fail('something follows the frame')
  return frame
}
