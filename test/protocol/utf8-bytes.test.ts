// Engines of small devices have neither TextEncoder nor TextDecoder. Without them the bytes and texts are the same.
import { utf8Bytes, utf8Text } from '@parley/protocol'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'

/** All code points: fast-check's own units take seconds to prepare. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0x10ffff })))
  .map((points) => String.fromCodePoint(...points))
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
afterEach(() => vi.unstubAllGlobals())

function removeCoders(): void {
  vi.stubGlobal('TextEncoder', undefined)
  vi.stubGlobal('TextDecoder', undefined)
}

it('encodes any text as an encoder does', () => {
  removeCoders()
  fc.assert(
    fc.property(text, (value) => {
      expect([...utf8Bytes(value)]).toEqual([...encoder.encode(value)])
    }),
  )
  for (const value of ['a\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}', '\ud800x', 'x\udc00'])
    expect([...utf8Bytes(value)]).toEqual([...encoder.encode(value)])
})

it('decodes what an encoder wrote, however long, without its byte order mark', () => {
  removeCoders()
  fc.assert(
    fc.property(text, (value) => {
      expect(utf8Text(encoder.encode(value))).toBe(decoder.decode(encoder.encode(value)))
    }),
  )
  const long = 'aé€😀'.repeat(3_000)
  expect(utf8Text(encoder.encode(long))).toBe(long)
  expect(utf8Text(encoder.encode('\u{feff}a\u{feff}'))).toBe('a\u{feff}')
})

it('decodes malformed bytes without an error, and keeps what is around them', () => {
  removeCoders()
  for (const bytes of [[0xff], [0xc3], [0xe2, 0x82], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xf8, 0x88]])
    expect(utf8Text(Uint8Array.of(0x61, ...bytes, 0x62))).toMatch(/^a\ufffd+b$/)
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(utf8Text(bytes).isWellFormed()).toBe(true)
    }),
  )
})

it('uses the engine where it has them', () => {
  expect(utf8Bytes('é')).toEqual(Uint8Array.of(0xc3, 0xa9))
  expect(utf8Text(Uint8Array.of(0xc3, 0xa9))).toBe('é')
})
