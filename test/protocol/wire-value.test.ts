import { decodeWireValue, encodeWireValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transformer } from '../../server/trpc/transformer.ts'

const overTheWire = (value: unknown) => decodeWireValue(JSON.parse(JSON.stringify(encodeWireValue(value))))

/** Keys that lists of paths in other serializers stumble over, and any others. */
const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'prototype', 'a.b', 'a\\.b', '', '0', 'toString', '\u0000'), fc.string())
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(null, true, ''),
    fc.string(),
    fc.integer(),
    fc.bigInt(),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.uniqueArray(fc.bigInt(), { maxLength: 3 }).map((items) => new Set(items)),
  ),
})).value

describe('a value on the wire', () => {
  it('returns what was sent, for all keys', () => {
    fc.assert(
      fc.property(value, (sent) => {
        expect(overTheWire(sent)).toEqual(sent)
      }),
    )
  })

  it('reads the same from one wire form as often as it is read, and changes nothing in it', () => {
    fc.assert(
      fc.property(value, (sent) => {
        const wire = JSON.parse(JSON.stringify(encodeWireValue(sent)))
        const before = JSON.stringify(wire)
        decodeWireValue(wire)
        expect(decodeWireValue(wire)).toEqual(sent)
        expect(JSON.stringify(wire)).toBe(before)
      }),
    )
  })

  it('keeps reserved keys as what they are, and gives no one a prototype', () => {
    const stored = JSON.parse('{"__proto__":{"isOperator":true},"constructor":{"prototype":[1]},"list":[{"prototype":"x"}]}') as object
    const got = overTheWire({ ...stored, at: new Date(0) }) as { isOperator?: unknown }
    expect(JSON.stringify(got)).toContain('"constructor":{"prototype":[1]}')
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype)
    expect(got.isOperator).toBeUndefined()
    expect(({} as { isOperator?: unknown }).isOperator).toBeUndefined()
  })

  it('throws on nothing that a row or a verb may hold', () => {
    let deep: unknown = 'end'
    for (let n = 0; n < 5_000; n++) deep = [deep]
    const odd = [
      deep,
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      new Date(Number.NaN),
      () => 1,
      Symbol('x'),
      '\ud800',
      new Error('x'),
    ]
    expect(() => overTheWire(odd)).not.toThrow()
    expect(overTheWire({ a: undefined })).toEqual({})
  })

  it('takes no word of a client about paths and kinds', () => {
    const { input, output } = transformer
    expect(input.deserialize({ json: { a: '1' }, types: [['bigint', 'a']] })).toEqual({ a: '1' })
    expect(input.deserialize(null)).toBeUndefined()
    for (const path of [['__proto__', 'polluted'], ['constructor', 'prototype', 'polluted'], ['missing', 'deeper'], []])
      expect(() => output.deserialize({ json: {}, types: [['bigint', ...path]] })).not.toThrow()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
