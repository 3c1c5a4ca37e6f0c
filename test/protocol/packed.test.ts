import {
  canonicalize,
  isReservedKey,
  type Json,
  maxRoomWord,
  pack,
  packedWords,
  parseStrict,
  type RoomWords,
  textFault,
  unpack,
} from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vector from '../../protocol/vectors/packed/frames.json' with { type: 'json' }

const text = fc.string({ unit: 'binary' }).filter((value) => textFault(value) === null)
const hex = (least: number, most: number) =>
  fc.uint8Array({ minLength: least, maxLength: most }).map((bytes) => Buffer.from(bytes).toString('hex'))
const instant = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const traceparent = fc.tuple(hex(1, 1), hex(16, 16), hex(8, 8), hex(1, 1)).map((all) => all.join('-'))
/** Strings that have a shape of their own, and their neighbours that just miss it. */
const shaped = fc.oneof(
  fc.uuid(),
  instant,
  traceparent,
  hex(1, 80),
  hex(1, 40).map((digits) => `0x${digits}`),
  hex(16, 16).map((digits) => `tsk_${digits}`),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.stringMatching(/^[A-Za-z0-9_-]{14,90}$/),
  fc.constantFrom(...packedWords),
)
const missed = fc.tuple(shaped, fc.nat(), fc.constantFrom('', 'g', 'A', '-', 'é', ' ')).map(([value, place, letter]) => {
  const at = value.length === 0 ? 0 : place % value.length
  return value.slice(0, at) + letter + value.slice(at + 1)
})
const anyText = fc.oneof(text, shaped, missed)
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.integer({ min: -200, max: 200 }),
    anyText,
    fc.array(tie('value'), { maxLength: 20 }),
    fc.dictionary(
      anyText.filter((key) => !isReservedKey(key)),
      tie('value'),
      { maxKeys: 20, noNullPrototype: true },
    ),
  ),
})).value

const roomOf = (number: number, words: readonly string[]): RoomWords => ({
  number,
  placeOf: (word) => (words.includes(word) ? words.indexOf(word) : undefined),
})
const none = () => undefined
const bytesOf = (digits: string) => Uint8Array.from(Buffer.from(digits, 'hex'))

describe('pack', () => {
  it('is undone by unpack to the same canonical text, whatever words the room has', () => {
    fc.assert(
      fc.property(json, fc.uniqueArray(anyText, { maxLength: 100 }), fc.integer({ min: 1, max: 100_000 }), (value, words, number) => {
        expect(canonicalize(unpack(pack(value, roomOf(number, words)), (room) => (room === number ? words : undefined)))).toBe(
          canonicalize(value),
        )
        expect(canonicalize(unpack(pack(value), none))).toBe(canonicalize(value))
      }),
      { numRuns: 300 },
    )
  })

  it('is the shorter the more of it has a shape or is a word of the room', () => {
    const sender_id = `did:key:z${'6'.repeat(47)}`
    const envelope = { group_id: `rom_${'0'.repeat(32)}`, sender_id, sig: { value: 'A'.repeat(86) } }
    expect(JSON.stringify(envelope).length).toBe(227)
    expect(pack(envelope).length).toBe(151)
    expect(pack(envelope, roomOf(1, [envelope.group_id, sender_id])).length).toBe(75)
  })

  it('leaves out members that JSON leaves out, and refuses what has no canonical form', () => {
    expect(unpack(pack({ type: 'ping', trace: undefined }), none)).toEqual({ type: 'ping' })
    for (const value of [['\ud800'], [Number.NaN], [Number.POSITIVE_INFINITY]])
      expect(() => pack(value)).toThrowError(expect.objectContaining({ name: 'CanonicalError' }))
    // The next frame is packed as if nothing had been.
    expect(unpack(pack([1]), none)).toEqual([1])
  })

  it('takes long texts, of one byte or three a character', () => {
    for (const value of ['x y'.repeat(50), 'ü '.repeat(100), '字 '.repeat(6_000), 'a b'.repeat(500_000)])
      expect(unpack(pack([value, 'behind']), none)).toEqual([value, 'behind'])
  })
})

describe('unpack', () => {
  it('reads garbage as nothing, or as what the strict reading would have taken', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uniqueArray(anyText, { maxLength: 70 }), (bytes, words) => {
        let value: Json
        try {
          value = unpack(bytes, (room) => (room < 10 ? words : undefined))
        } catch (error) {
          expect(error).toMatchObject({ name: 'CanonicalError' })
          return
        }
        expect(parseStrict(canonicalize(value), { depth: 40, keys: 512 })).toEqual(JSON.parse(canonicalize(value)))
      }),
      { numRuns: 1_000 },
    )
  })

  it('refuses a frame that was cut short anywhere', () => {
    fc.assert(
      fc.property(json, fc.nat(), (value, cut) => {
        const packed = pack(value)
        expect(() => unpack(packed.subarray(0, cut % packed.length), none)).toThrowError(
          expect.objectContaining({ name: 'CanonicalError' }),
        )
      }),
    )
  })

  it('bounds what short references stand for', () => {
    const words = ['w'.repeat(maxRoomWord)]
    const frame = (count: number) => pack(Array<string>(count).fill(words[0] ?? ''), roomOf(1, words))
    expect(unpack(frame(1_000), () => words)).toHaveLength(1_000)
    expect(() => unpack(frame(70_000), () => words)).toThrowError(/too long/)
  })
})

describe('the vector', () => {
  it('has the words of the source', () => {
    expect(vector.words).toEqual(packedWords)
  })

  it.each(vector.accepted)('reads $name', ({ bytes, room, value }) => {
    const words = (number: number) => (number === room?.number ? room.words : undefined)
    expect(unpack(bytesOf(bytes), words)).toEqual(value)
    expect(Buffer.from(pack(value as Json, room && roomOf(room.number, room.words))).toString('hex')).toBe(bytes)
  })

  it.each(vector.refused)('refuses $name', ({ bytes }) => {
    expect(() => unpack(bytesOf(bytes), (room) => (room === 1 ? ['one'] : undefined))).toThrowError(
      expect.objectContaining({ name: 'CanonicalError' }),
    )
  })
})
