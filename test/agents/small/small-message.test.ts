// The client for small devices checks signatures with code of its own. Its verdicts are those of the protocol's own code.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Envelope, merkleNodeBytes, merkleRootBytes, randomSeed, signedBytes, signerFromSeed, verifyEnvelope } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { ed25519Signer, fromBase64Url, isEd25519Signature, sha256Hex } from '../../../agents/src/small/ed25519-signer.ts'
import { messageFault, readSmallInputs, readSmallMessage } from '../../../agents/src/small/small-message.ts'

type Vector = { server: { did: string; seed: string }; cases: { name: string; genuine: boolean; envelope: Envelope }[] }
const file = path.join(import.meta.dirname, '../../../protocol/vectors/signatures/envelope.json')
const vector = JSON.parse(readFileSync(file, 'utf8')) as Vector
const delivered = (envelope: unknown) => ({ room_id: 'rom_1', seq: 1, envelope })
const faultOf = (envelope: unknown) => messageFault(delivered(envelope), vector.server.did)?.code

describe('messageFault', () => {
  it.each(vector.cases)('agrees with the vector: $name', ({ genuine, envelope }) => {
    // A delegation permits plain discussion only, on which a small agent never acts.
    const isUsable = genuine && envelope.sig?.delegation === undefined
    expect(faultOf(envelope)).toBe(isUsable ? undefined : 'envelope.signature_invalid')
  })

  it('accepts one signature of the server for several messages, and refuses another path', async () => {
    const server = await signerFromSeed(vector.server.seed)
    const draft = (text: string) => ({ ...vector.cases[1]?.envelope, parts: [{ text }], sig: undefined })
    const [one, other] = ['one', 'other'].map((text) => Buffer.from(sha256Hex(signedBytes(draft(text))), 'hex'))
    if (!one || !other) return expect.fail()
    const root = Buffer.from(sha256Hex(merkleNodeBytes(one, other)), 'hex')
    const sig = { alg: 'session', kid: server.did, value: await server.sign(merkleRootBytes(root)), path: other.toString('base64url') }
    const envelope = { ...draft('one'), sig } as Envelope
    expect(await verifyEnvelope(envelope, server.did)).toBe(true)
    expect(faultOf(envelope)).toBeUndefined()
    for (const path of [
      one.toString('base64url'),
      '',
      'A',
      '!',
      Buffer.alloc(31).toString('base64url'),
      Buffer.alloc(17 * 32).toString('base64url'),
    ])
      expect(faultOf({ ...envelope, sig: { ...sig, path } }), path).toBe('envelope.signature_invalid')
  })

  it('refuses an extension that the receiver must know', () => {
    expect(faultOf({ ...vector.cases[0]?.envelope, crit: ['https://x.example/new'] })).toBe('session.message_unreadable')
  })

  it.each([[null], [1], [[]], [{}], [{ sig: 1 }], [{ sig: { alg: 'EdDSA', kid: 'did:web:x', value: 'A' }, sender_id: 'did:web:x' }]])(
    'refuses %j',
    (envelope) => {
      expect(faultOf(envelope)).toBe('envelope.signature_invalid')
    },
  )
})

describe('ed25519Signer', () => {
  it('signs as WebCrypto does, under the same name', async () => {
    const seed = randomSeed()
    const [small, large] = [ed25519Signer(seed), await signerFromSeed(seed)]
    const bytes = new TextEncoder().encode('Grüß dich')
    expect(small.did).toBe(large.did)
    const signature = await small.sign(bytes)
    expect(signature).toBe(await large.sign(bytes))
    expect(isEd25519Signature(small.did, bytes, signature)).toBe(true)
    expect(isEd25519Signature(small.did, new Uint8Array(1), signature)).toBe(false)
    expect(isEd25519Signature(small.did, bytes, `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`)).toBe(false)
  })

  it.each(['', 'ab', 'g'.repeat(64), '1'.repeat(65)])('refuses the seed "%s"', (seed) => {
    expect(() => ed25519Signer(seed)).toThrow(
      expect.objectContaining({ code: 'session.seed_invalid', message: expect.stringContaining('64 hexadecimal digits') }),
    )
  })

  it('reads base64url', () => {
    expect(fromBase64Url('-_8')).toEqual(Uint8Array.of(0xfb, 0xff))
    expect(() => fromBase64Url('A')).toThrow(RangeError)
  })
})

describe('readSmallMessage', () => {
  it('finds the first part of a wanted kind', () => {
    const parts = [null, { text: 'x' }, { data: 1 }, { data: { kind: 'a' } }, { data: { kind: 'b', n: 1 } }]
    expect(readSmallMessage(delivered({ parts, type: 7, to: 'x' }), ['b'])).toEqual({
      room_id: 'rom_1',
      sender_id: '',
      type: '',
      to: [],
      kind: 'b',
      data: { kind: 'b', n: 1 },
    })
    expect(readSmallMessage(delivered({ parts }), ['c'])).toBeUndefined()
    for (const envelope of [null, [], 'x', {}, { parts: 1 }]) expect(readSmallMessage(delivered(envelope), ['a'])).toBeUndefined()
  })

  it('leaves out inputs without a port, or with a malformed file', () => {
    const file = { sha256: 'aa', media_type: 'text/plain', size: 1, name: 'a' }
    const good = [
      { port: 'a', type: 't', data: { text: 'x' } },
      { port: 'a', type: 't' },
      { port: 'a', type: 't', artifact: file },
    ]
    const bad = [null, { type: 't' }, { port: 'a', type: 't', data: 1 }, { port: 'a', type: 't', artifact: { ...file, size: '1' } }]
    expect(readSmallInputs([...good, ...bad])).toEqual(good)
    expect(readSmallInputs('x')).toEqual([])
  })
})
