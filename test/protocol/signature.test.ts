import { base64urlDecode, base64urlEncode, helloBytes, randomSeed, signerFromSeed, verifyBytes } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('base64url', () => {
  it('gives back every byte, without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        const text = base64urlEncode(value)
        expect(text).toMatch(/^[A-Za-z0-9_-]*$/)
        expect(base64urlDecode(text)).toEqual(value)
      }),
    )
  })
})

describe('signerFromSeed', () => {
  it('signs as RFC 8032 has it', async () => {
    const signer = await signerFromSeed('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
    expect(signer.did).toBe('did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw')
    expect(Buffer.from(base64urlDecode(await signer.sign(new Uint8Array(0)))).toString('hex')).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    )
  })

  it('refuses a seed of another length', async () => {
    await expect(signerFromSeed('00')).rejects.toThrow(RangeError)
    expect(randomSeed()).toMatch(/^[0-9a-f]{64}$/)
    expect(randomSeed()).not.toBe(randomSeed())
  })
})

describe('verifyBytes', () => {
  it('takes the signature of that key over those bytes, and answers no to everything else', async () => {
    const [signer, other] = [await signerFromSeed(randomSeed()), await signerFromSeed(randomSeed())]
    const value = await signer.sign(bytes('a'))
    expect(await verifyBytes(signer.did, bytes('a'), value)).toBe(true)
    expect(await verifyBytes(signer.did, bytes('b'), value)).toBe(false)
    expect(await verifyBytes(other.did, bytes('a'), value)).toBe(false)
    expect(await verifyBytes('did:web:a', bytes('a'), value)).toBe(false)
    for (const odd of ['', '!', `${value}A`, value.slice(1)]) expect(await verifyBytes(signer.did, bytes('a'), odd)).toBe(false)
  })
})

it('helloBytes bind the audience, the nonce and the key', () => {
  const hello = { audience: 'a', nonce: 'n', did: 'd' }
  const all = [hello, { ...hello, audience: 'b' }, { ...hello, nonce: 'm' }, { ...hello, did: 'e' }].map((one) =>
    new TextDecoder().decode(helloBytes(one)),
  )
  expect(new Set(all).size).toBe(4)
})
