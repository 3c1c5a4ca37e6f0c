import { addressOf, isDid, keyDid, personDid, publicKeyOf } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('keyDid and publicKeyOf', () => {
  it('are each other backwards', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const did = keyDid(key)
        expect(isDid(did)).toBe(true)
        expect(publicKeyOf(did)).toEqual(key)
      }),
    )
  })

  it('know the test key of RFC 8032', () => {
    const key = new Uint8Array(Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex'))
    expect(keyDid(key)).toBe('did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw')
  })

  it('refuse a key of another kind', () => {
    expect(() => publicKeyOf(`did:key:z6Mk${'1'.repeat(44)}`)).toThrow(RangeError)
    expect(() => publicKeyOf('did:web:parley.example')).toThrow(RangeError)
  })
})

describe('people', () => {
  it('are wallets on a chain, lower-case', () => {
    const did = personDid(31_337, `0x${'Ab'.repeat(20)}`)
    expect(did).toBe(`did:pkh:eip155:31337:0x${'ab'.repeat(20)}`)
    expect(addressOf(did)).toBe(`0x${'ab'.repeat(20)}`)
  })
})

it('isDid knows three methods', () => {
  for (const text of ['did:web:parley.example', 'did:web:localhost%3A3000:agents:a', `did:pkh:eip155:1:0x${'0'.repeat(40)}`])
    expect(isDid(text), text).toBe(true)
  for (const text of [
    '',
    'did:',
    'did:web:',
    'did:ion:x',
    'did:pkh:solana:x',
    `did:pkh:eip155:01:0x${'0'.repeat(40)}`,
    'did:web:a b',
    `did:web:${'a'.repeat(300)}`,
  ])
    expect(isDid(text), text).toBe(false)
})
