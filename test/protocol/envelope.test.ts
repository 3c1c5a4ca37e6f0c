import {
  canonicalize,
  chainHash,
  type DeliveredEnvelope,
  Envelope,
  type EnvelopeDraft,
  isReservedKey,
  type Json,
  jsonFault,
  knownExtensions,
  limits,
  randomSeed,
  readEnvelope,
  readSpeechAct,
  type Signer,
  serverFields,
  signEnvelope,
  signedBytes,
  signerFromSeed,
  speechActs,
  transcriptStart,
  unknownBytes,
  verifyEnvelope,
  vouchEnvelope,
} from '@parley/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'

const room_id = `rom_${'0'.repeat(32)}`
let agent: Signer
let server: Signer
let draft: EnvelopeDraft

beforeAll(async () => {
  agent = await signerFromSeed(randomSeed())
  server = await signerFromSeed(randomSeed())
  draft = { id: '0192f0c1-a2b3-7c4d-8e5f-60718293a4b5', room_id, sender_id: agent.did, state: 'discussion', type: 'discussion', parts: [] }
})

const bytes = (value: unknown) => new TextEncoder().encode(canonicalize(value as Json)).length
const refusal = (input: string | Json) => {
  const got = readEnvelope(input)
  return got.ok ? 'accepted' : got.fault.code
}
const known = Object.keys(Envelope.shape)
const unknownFields = fc.dictionary(
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((key) => !isReservedKey(key) && !known.includes(key)),
  fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }),
  { maxKeys: 8, noNullPrototype: true },
)
const passes = (fields: object) => {
  return jsonFault(fields) === null && bytes(JSON.parse(JSON.stringify(fields))) <= limits.unknownBytes
}

describe('readEnvelope', () => {
  it('carries fields that it does not know byte for byte, under the same signature', async () => {
    await fc.assert(
      fc.asyncProperty(unknownFields.filter(passes), async (fields) => {
        const sent = await signEnvelope(agent, { ...(JSON.parse(JSON.stringify(fields)) as object), ...draft })
        const got = readEnvelope(JSON.stringify(sent))
        expect(got).toMatchObject({ ok: true })
        if (!got.ok) return
        expect(canonicalize(got.envelope as Json)).toBe(canonicalize(sent as Json))
        expect(await verifyEnvelope(got.envelope, server.did)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('refuses what is too large, too deep, malformed or critical and unknown, each by its code', () => {
    const filler = (size: number) => ({ ...draft, v: '1', parts: Array.from({ length: size }, () => ({ text: 'x'.repeat(60_000) })) })
    expect(refusal(filler(4) as Json)).toBe('accepted')
    expect(refusal(filler(5) as Json)).toBe('request.too_large')
    expect(refusal({ ...draft, v: '1', mood: 'x'.repeat(limits.unknownBytes) } as Json)).toBe('request.too_large')
    expect(refusal(JSON.stringify({ ...draft, v: '1' }).replace('{', '{"v":"1",'))).toBe('request.malformed')
    expect(refusal(`{"v":"1","deep":${'['.repeat(40)}${']'.repeat(40)}}`)).toBe('request.malformed')
    expect(refusal('not json')).toBe('request.malformed')
    expect(refusal({})).toBe('request.malformed')
    expect(refusal({ ...draft, v: '1', crit: ['https://example.org/x'] } as Json)).toBe('request.unknown_critical')
    expect(knownExtensions).toEqual([])
  })

  it('counts bytes, not characters', () => {
    const parts = Array.from({ length: 2 }, () => ({ text: '中'.repeat(60_000) }))
    expect(refusal(JSON.stringify({ ...draft, v: '1', parts }))).toBe('request.too_large')
  })
})

describe('size', () => {
  it('the smallest legal envelope is small, for every sender', async () => {
    const unsigned = Envelope.parse({ v: '1', ...draft })
    const person = { ...unsigned, sender_id: `did:pkh:eip155:1:0x${'a'.repeat(40)}` }
    const short = { ...unsigned, sender_id: 'did:web:a', state: '', type: '' }
    const signed = await signEnvelope(agent, draft)
    // Ids have a fixed length, a did:key 56 characters and a signature 86: these are the figures that SPEC.md states.
    expect({ unsigned: bytes(unsigned), person: bytes(person), short: bytes(short), signed: bytes(signed) }).toEqual({
      unsigned: 225,
      person: 228,
      short: 158,
      signed: 409,
    })
  })
})

describe('verifyEnvelope', () => {
  it("takes the sender's own key, or the server's signature for a sender without one, and nothing else", async () => {
    const stranger = await signerFromSeed(randomSeed())
    expect(await verifyEnvelope(await signEnvelope(agent, draft), server.did)).toBe(true)
    const person = { ...draft, sender_id: `did:pkh:eip155:1:0x${'a'.repeat(40)}` } as const
    expect(await verifyEnvelope(await vouchEnvelope(server, person), server.did)).toBe(true)
    expect(await verifyEnvelope(await vouchEnvelope(server, draft), server.did)).toBe(false)
    expect(await verifyEnvelope(await signEnvelope(stranger, draft), server.did)).toBe(false)
    expect(await verifyEnvelope(await vouchEnvelope(stranger, person), server.did)).toBe(false)
    expect(await verifyEnvelope(await vouchEnvelope(agent, draft), server.did)).toBe(false)
    expect(await verifyEnvelope(Envelope.parse({ v: '1', ...draft }), server.did)).toBe(false)
  })

  it('takes the key bound to a name, and only that one', async () => {
    const named = await signEnvelope(agent, { ...draft, sender_id: 'did:web:parley.example:agents:a' })
    expect(await verifyEnvelope(named, server.did, agent.did)).toBe(true)
    expect(await verifyEnvelope(named, server.did, server.did)).toBe(false)
    expect(await verifyEnvelope(named, server.did)).toBe(false)
  })

  it('does not sign what the server sets', async () => {
    const signed = await signEnvelope(agent, draft)
    expect(signedBytes({ ...signed, seq: 7, received_at: 'x' })).toEqual(signedBytes(signed))
    expect(serverFields).toEqual(['seq', 'received_at'])
  })
})

describe('chainHash', () => {
  it('depends on every message and its place, and not on the clock of the server', async () => {
    const one = { ...(await signEnvelope(agent, draft)), seq: 1, received_at: '2026-01-01T00:00:00Z' } as DeliveredEnvelope
    const hash = await chainHash(transcriptStart, one)
    expect(await chainHash(transcriptStart, { ...one, received_at: '2027-01-01T00:00:00Z' })).toBe(hash)
    expect(await chainHash(transcriptStart, { ...one, seq: 2 })).not.toBe(hash)
    expect(await chainHash(transcriptStart, { ...one, parts: [{ text: 'x' }] })).not.toBe(hash)
    expect(await chainHash(hash, one)).not.toBe(hash)
  })
})

describe('unknownBytes and readSpeechAct', () => {
  it('count and read what this version does not know', () => {
    expect(unknownBytes({ v: '1', parts: [] })).toBe(0)
    expect(unknownBytes({ v: '1', mood: 1 })).toBe('{"mood":1}'.length)
    for (const act of speechActs) expect(readSpeechAct(act)).toBe(act)
    for (const odd of ['hum', '', 'Propose', undefined, 7, 'constructor']) expect(readSpeechAct(odd)).toBe('discussion')
  })
})
