import { canonicalBytes, canonicalize, isReservedKey, isUnescaped, type Json, limits, parseStrict, sha256 } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** JSON as the strict form has it: no lone surrogates, no NUL, no reserved keys, no numbers that have no digits. */
const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\0'))
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      text.filter((key) => !isReservedKey(key)),
      tie('value'),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
})).value

describe('canonicalize', () => {
  it('is a form: what it wrote reads back as the same, and is written the same', () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = canonicalize(value)
        expect(parseStrict(once)).toEqual(JSON.parse(once))
        expect(canonicalize(parseStrict(once))).toBe(once)
      }),
    )
  })

  it('is the same regardless of the order of keys and the white space', () => {
    const turned = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(turned)
      if (value === null || typeof value !== 'object') return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, turned(inner)]),
      )
    }
    fc.assert(fc.property(json, (value) => canonicalize(parseStrict(JSON.stringify(turned(value), null, 2))) === canonicalize(value)))
  })

  it('distinguishes different values', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const same = JSON.stringify(parseStrict(canonicalize(a))) === JSON.stringify(parseStrict(canonicalize(b)))
        return same === (canonicalize(a) === canonicalize(b))
      }),
    )
  })

  it('sorts keys by UTF-16 code units, not by code points', () => {
    expect(canonicalize({ '\ufb33': 1, '😀': 2 })).toBe('{"😀":2,"\ufb33":1}')
  })

  it('leaves out what is undefined, and refuses what has no JSON form', () => {
    expect(canonicalize({ a: undefined as unknown as Json, b: 1 })).toBe('{"b":1}')
    expect(() => canonicalize(undefined)).toThrow(TypeError)
    expect(() => canonicalize(Number.NaN)).toThrow(TypeError)
    expect(() => canonicalize('\ud83d')).toThrow('lone surrogate')
    expect(() => canonicalize({ '\ud83d': 1 })).toThrow('lone surrogate')
  })
})

describe('parseStrict', () => {
  it('reads what JSON.parse reads, where it is well formed', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseStrict(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('throws nothing but its own error on any text', () => {
    const shards = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '\\u',
      'd83d',
      '0',
      '1e',
      '-',
      '.',
      'true',
      'nul',
      ' ',
      'a',
      '\ud83d',
    )
    fc.assert(
      fc.property(
        fc.array(shards).map((list) => list.join('')),
        (input) => {
          try {
            const value = parseStrict(input)
            expect(JSON.parse(input)).toEqual(value)
          } catch (error) {
            expect(error).toMatchObject({ name: 'CanonicalError' })
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('states where', () => {
    expect(() => parseStrict('{"a":1,"a":2}')).toThrow('the key "a" occurs twice at character 10')
    expect(() => parseStrict('{"a":1,"a":2}')).toThrow(expect.objectContaining({ at: 10 }))
  })

  it('holds to its bounds exactly', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const wide = (keys: number) => `{${Array.from({ length: keys }, (_, key) => `"${key}":0`)}}`
    expect(parseStrict(nested(limits.depth + 1))).toBeDefined()
    expect(() => parseStrict(nested(limits.depth + 2))).toThrow('nested deeper than 32')
    expect(parseStrict(wide(limits.keys))).toBeDefined()
    expect(() => parseStrict(wide(limits.keys + 1))).toThrow('more than 256 keys')
    expect(() => parseStrict('[[1]]', { depth: 1 })).toThrow('nested deeper than 1')
  })
})

it('knows which texts stand in JSON as they are, independent of earlier calls', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      for (const text of [...texts, ...texts]) expect(isUnescaped(text)).toBe(JSON.stringify(text) === `"${text}"`)
    }),
  )
  for (const text of ['plain', 'pla"n', 'plain', 'pla\\n', '\u0007lain', '\ud800']) expect(isUnescaped(text)).toBe(text === 'plain')
})

describe('sha256', () => {
  it('hashes the canonical bytes', async () => {
    expect(await sha256(canonicalBytes({}))).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
    expect(canonicalBytes('é')).toEqual(Uint8Array.of(0x22, 0xc3, 0xa9, 0x22))
  })
})
