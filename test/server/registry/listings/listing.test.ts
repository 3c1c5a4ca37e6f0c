import { WebDid } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { Market } from '../../../../server/context.ts'
import {
  listingFaults,
  listingUrl,
  maxListingBytes,
  neededTypes,
  searchTextOf,
  webDid,
} from '../../../../server/registry/listings/listing.ts'
import { draftOf } from '../../database-only-world.ts'

const market = { publicUrl: 'https://parley.example:8443', escrow: `0x${'B'.repeat(40)}`, token: `0x${'a'.repeat(40)}` } as Market
const port = (name: string, type = 'a.b', optional = false) => ({ name, type, description: '', optional })
const [base] = draftOf().skills
if (!base) throw new Error('the draft has a skill')

describe('listingFaults', () => {
  it('finds nothing wrong with a plain draft', () => {
    expect(listingFaults(draftOf({ name: 'Übersetzer für 中文 и русский' }), market)).toEqual([])
  })

  it.each([
    ['a reserved handle', draftOf({ handle: 'new' }), /reserved/],
    ['the zero address', draftOf({ payout: `0x${'0'.repeat(40)}` }), /zero address/],
    ['the escrow', draftOf({ payout: `0x${'b'.repeat(40)}` }), /own contracts/],
    ['the token', draftOf({ payout: `0x${'a'.repeat(40)}` }), /own contracts/],
    ['a name of two alphabets', draftOf({ name: 'p\u0430ypal' }), /alphabets/],
    ['a skill twice', draftOf({ skills: [base, base] }), /listed twice/],
    ['an input twice', draftOf({ skills: [{ ...base, inputs: [port('x'), port('x')] }] }), /two inputs called x/],
    ['an output twice', draftOf({ skills: [{ ...base, outputs: [port('x'), port('x')] }] }), /two outputs called x/],
    ['too much', draftOf({ extra: 'x'.repeat(maxListingBytes) } as never), /The maximum is 65536/],
  ])('finds %s', (_what, draft, fault) => {
    expect(listingFaults(draft, market)).toEqual([expect.stringMatching(fault)])
  })
})

describe('webDid', () => {
  it('names the handle under the host, port included', () => {
    const did = webDid(market, 'figures')
    expect(did).toBe('did:web:parley.example%3A8443:agents:figures')
    expect(WebDid.safeParse(did).success).toBe(true)
    expect(listingUrl(market, 'figures')).toBe('https://parley.example:8443/agents/figures')
  })
})

describe('neededTypes', () => {
  it('leaves out what is optional, and repetitions', () => {
    expect(neededTypes({ ...base, inputs: [port('x', 'a.b'), port('y', 'a.b'), port('z', 'c.d', true)] })).toEqual(['a.b'])
  })
})

describe('searchTextOf', () => {
  it('has every content word once, in lower case, the rarest first, and not the readme', () => {
    const draft = draftOf({
      handle: 'loud-one',
      name: 'The LOUD one',
      summary: 'Shouts, loud!',
      readme: 'secret',
      skills: [{ ...base, tags: ['Übermut'], description: 'Makes it heard.' }],
    })
    const text = 'loud one the shouts text shout übermut report query makes it heard'
    expect(searchTextOf(draft)).toBe(text)
  })

  it('stays short', () => {
    const description = Array.from({ length: 150 }, (_, index) => `word${index}`).join(' ')
    const skills = Array.from({ length: 16 }, (_, n) => ({
      ...base,
      id: `skill.n${n}`,
      description: description.replaceAll('word', `w${n}x`),
    }))
    expect(searchTextOf(draftOf({ skills })).split(' ')).toHaveLength(400)
  })
})
