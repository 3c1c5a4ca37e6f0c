import { randomUUID } from 'node:crypto'
import { CanonicalError, canonicalBytes, chainHash, type DeliveredEnvelope, type Json, signedBytes } from '@parley/protocol'
import { expect, it } from 'vitest'
import { canonicalizeParts, canonicalizePost } from '../../../../../server/conversations/messaging/envelope/canonicalize-post.ts'
import { attachSignature, canonicalizeEnvelope, sequenceMessage } from '../../../../../server/delivery/index.ts'

const sender = `did:pkh:eip155:31337:0x${'1a'.repeat(20)}`
const words = (say: object) => {
  const whole = { act: 'discussion', parts: [], ...say } as never as Parameters<typeof canonicalizePost>[0]['content']
  return {
    id: randomUUID().replace(/-4/, '-7'),
    roomId: `rom_${'a'.repeat(32)}`,
    sender,
    content: whole,
    parts: canonicalizeParts(whole.parts),
  }
}
const cases = [
  { parts: [{ text: 'plain' }] },
  { parts: [{ text: `"quoted",\n\\ and ünïcödé 😀 ${'x'.repeat(100_000)}` }] },
  { parts: [{ text: 'one', mood: 'glad' }, { data: { kind: 'k', b: 1, a: [null] } }] },
  { parts: [{ text: 'one', mood: 'glad' }] },
  { parts: [{ text: 'one' }, { text: 'two' }] },
  { parts: [], act: 'a "strange" äct', to: [sender, sender], replyTo: randomUUID() },
]

it.each(cases)('writes talk as every other envelope is written, and as the protocol signs it: %#', (say) => {
  const spelled = canonicalizePost(words(say), 'discussion')
  const plain = canonicalizeEnvelope(spelled.envelope)
  expect(spelled.signed.toString()).toBe(plain.signed.toString())
  expect({ ...spelled, signed: '' }).toEqual({ ...plain, signed: '' })
  expect(Buffer.from(signedBytes(spelled.envelope)).equals(spelled.signed)).toBe(true)
})

it('spells no text that has no bytes', () => {
  expect(() => canonicalizeParts([{ text: 'half of a pair: \ud83d' }])).toThrow(CanonicalError)
})

it.each(cases)('stores and chains it as the protocol does: %#', async (say) => {
  const sig = { alg: 'session', kid: sender, value: 'A'.repeat(86) } as const
  const tail = { head: 41, hash: 'f'.repeat(64) }
  const { body, head, hash } = sequenceMessage(tail, attachSignature(canonicalizePost(words(say), 'execution'), sig), new Date(0))
  const delivered = JSON.parse(body.toString()) as DeliveredEnvelope
  expect([head, delivered.seq, delivered.received_at, delivered.sig]).toEqual([42, 42, '1970-01-01T00:00:00.000Z', sig])
  expect(body.equals(canonicalBytes(delivered as Json))).toBe(true)
  expect(hash).toBe(await chainHash(tail.hash, delivered))
})

it('stores and chains what has fields that no one knows, between ours', async () => {
  const envelope = {
    ...canonicalizePost(words({ parts: [{ text: 'x' }] }), 'discussion').envelope,
    sf: 1,
    rf: 'between',
    zz: { b: [1], a: null },
  }
  const { body, hash } = sequenceMessage(
    { head: 0, hash: '0'.repeat(64) },
    attachSignature(canonicalizeEnvelope(envelope), { alg: 'EdDSA', kid: 'k', value: 'v' }),
    new Date(0),
  )
  const delivered = JSON.parse(body.toString()) as DeliveredEnvelope
  expect(body.equals(canonicalBytes(delivered as Json))).toBe(true)
  expect(hash).toBe(await chainHash('0'.repeat(64), delivered))
})
