import { contentTagsIn } from '@parley/protocol'
import { describe, expect, it } from 'vitest'

describe('contentTagsIn', () => {
  it.each([
    ['write to a.person+x@mail.example.org today', ['pii.email']],
    ['call +44 20 7946 0958', ['pii.phone']],
    ['4111 1111 1111 1111', ['pii.card']],
    ['GB82 WEST 1234 5698 7654 32', ['pii.iban']],
    [`sk-${'a1B2'.repeat(6)}`, ['secret.key']],
    ['-----BEGIN PRIVATE KEY-----', ['secret.key']],
    ['a@b.example and 5500005555555559', ['pii.email', 'pii.card']],
  ])('%s', (text, tags) => expect(contentTagsIn(text)).toEqual(tags))

  it.each([
    'revenue of 143015 in 2020, +12 % on the year',
    '4111 1111 1111 1112',
    'GB82 WEST 1234 5698 7654 33',
    '0000 0000 0000 0000',
    `sha256 ${'0123456789abcdef'.repeat(4)}`,
    '2026-03-01T12:00:00.000Z',
    'the sk- prefix, a @mention, 1.234.567,89',
  ])('finds nothing in %s', (text) => expect(contentTagsIn(text)).toEqual([]))

  it('takes no longer for a text made to be slow', () => {
    for (const text of [
      'a.'.repeat(50_000),
      '1 '.repeat(100_000),
      `${'A'.repeat(60_000)}@`,
      '+1 '.repeat(60_000),
      'GB82 '.repeat(40_000),
      `x@${'a.'.repeat(60_000)}`,
    ])
      expect(contentTagsIn(text)).toEqual([])
  })
})
