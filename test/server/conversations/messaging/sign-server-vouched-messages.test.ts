import { randomBytes } from 'node:crypto'
import {
  canonicalize,
  type Envelope,
  type Json,
  randomSeed,
  type Signer,
  signDelegation,
  signerFromSeed,
  uuidv7,
  verifyEnvelope,
} from '@parley/protocol'
import { expect, it } from 'vitest'
import { signServerVouchedMessages } from '../../../../server/conversations/messaging/sign-server-vouched-messages.ts'
import { canonicalizeEnvelope } from '../../../../server/delivery/index.ts'

const sender = `did:pkh:eip155:31337:0x${'1a'.repeat(20)}`
const at = Date.parse('2026-03-01T12:00:00.000Z')
const post = (text: string, by = sender) =>
  ({
    v: '1',
    id: uuidv7(at, randomBytes(10)),
    room_id: `rom_${'a'.repeat(32)}`,
    sender_id: by,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text }],
  }) as unknown as Envelope

const readSignature = (text = '') => JSON.parse(text) as NonNullable<Envelope['sig']>

it.each([1, 2, 3, 31, 32, 33, 70])('proves each of %d messages separately, and none as another', async (count) => {
  const server = await signerFromSeed(randomSeed())
  let signatures = 0
  const counting = {
    ...server,
    sign: (bytes: Uint8Array<ArrayBuffer>) => {
      signatures++
      return server.sign(bytes)
    },
  }
  const envelopes = Array.from({ length: count }, (_, index) => post(`Grüße ${index}`))
  const sigs = await signServerVouchedMessages(
    counting,
    envelopes.map((envelope) => ({ canonical: canonicalizeEnvelope(envelope), delegation: null })),
  )
  expect(signatures).toBe(Math.ceil(count / 32))
  for (const [index, envelope] of envelopes.entries()) {
    const sig = readSignature(sigs[index])
    expect(canonicalize(sig as Json)).toBe(sigs[index])
    expect(await verifyEnvelope({ ...envelope, sig }, server.did)).toBe(true)
    expect(await verifyEnvelope({ ...envelope, sig, parts: [] }, server.did)).toBe(false)
    const other = readSignature(sigs[(index + 1) % count])
    if (count > 1) expect(await verifyEnvelope({ ...envelope, sig: other }, server.did)).toBe(false)
    expect(sig.path?.length ?? 0).toBeLessThanOrEqual(214)
  }
})

it('names the delegation of each agent that has a key, beside senders without one', async () => {
  const [server, agent, other] = (await Promise.all([1, 2, 3].map(() => signerFromSeed(randomSeed())))) as [Signer, Signer, Signer]
  const terms = { not_before: at / 1_000 - 60, expires_at: at / 1_000 + 60 }
  const [own, others] = await Promise.all([agent, other].map((signer) => signDelegation(signer, server.did, terms)))
  const posts = [
    { envelope: post('one', agent.did), delegation: own },
    { envelope: post('two') },
    { envelope: post('three', other.did), delegation: others },
  ]
  for (const batch of [posts, posts.slice(0, 1)]) {
    const sigs = await signServerVouchedMessages(
      server,
      batch.map(({ envelope, delegation }) => ({
        canonical: canonicalizeEnvelope(envelope),
        delegation: delegation ? canonicalize(delegation as Json) : null,
      })),
    )
    for (const [index, { envelope, delegation }] of batch.entries()) {
      const sig = readSignature(sigs[index])
      expect(canonicalize(sig as Json)).toBe(sigs[index])
      expect(sig.delegation).toEqual(delegation)
      expect(await verifyEnvelope({ ...envelope, sig }, server.did)).toBe(true)
    }
  }
})

it('spells what is signed as the protocol does', () => {
  const envelope = { ...post('ä'), sf: 1, zz: { b: [1], a: null }, received_at: '2026-01-01T00:00:00Z', seq: 3 }
  expect(JSON.parse(canonicalizeEnvelope(envelope).signed.toString())).toEqual({
    ...post('ä'),
    id: envelope.id,
    sf: 1,
    zz: { a: null, b: [1] },
  })
})
