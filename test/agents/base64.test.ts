import fc from 'fast-check'
import { expect, it } from 'vitest'
import { base64Decode, base64Encode } from '../../agents/src/base64.ts'

it('writes and reads what others write and read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(base64Encode(bytes)).toBe(text)
      expect([...base64Decode(text)]).toEqual([...bytes])
      expect([...base64Decode(text.replaceAll('=', ''))]).toEqual([...bytes])
    }),
  )
  const large = new Uint8Array(20_000).map((_, at) => at * 7)
  expect(base64Encode(large)).toBe(Buffer.from(large).toString('base64'))
  expect(base64Decode(base64Encode(large))).toEqual(large)
})

it.each(['A', 'AB=C', '====', 'AA-_', 'AAA\u{e9}', 'A A=', 'AAAAA'])('refuses "%s"', (text) => {
  expect(() => base64Decode(text)).toThrow(RangeError)
})
