import {
  chainHash,
  type DeliveredEnvelope,
  type Envelope,
  type EnvelopeDraft,
  randomSeed,
  type Signer,
  signDelegation,
  signEnvelope,
  signerFromSeed,
  transcriptStart,
  uuidv7,
  verifyTranscript,
  vouchEnvelope,
} from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { verificationSentence } from '../../../../../../app/goals/[id]/transcript/_audit/verification-sentence.ts'
import { translate } from '../../../../translate.ts'

const room_id = `rom_${'1'.repeat(32)}`
let server: Signer
let agent: Signer
let messages: DeliveredEnvelope[]
const hashes: string[] = []

async function say(by: Signer, seq: number, text: string, sender: string = by.did): Promise<DeliveredEnvelope> {
  const draft = {
    id: uuidv7(seq, new Uint8Array(10).fill(seq)),
    room_id,
    sender_id: sender,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text }],
  }
  const signed = sender === by.did ? await signEnvelope(by, draft) : await vouchEnvelope(by, draft)
  return { ...signed, seq, received_at: '2026-11-21T12:00:00Z' } as DeliveredEnvelope
}

beforeAll(async () => {
  server = await signerFromSeed(randomSeed())
  agent = await signerFromSeed(randomSeed())
  const person = `did:pkh:eip155:31337:0x${'a'.repeat(40)}`
  messages = [
    await say(agent, 1, 'hello'),
    await say(server, 2, 'asked', person),
    await say(server, 3, 'recorded'),
    await say(agent, 4, 'after'),
  ]
  let head: string = transcriptStart
  for (const message of messages) {
    head = await chainHash(head, message)
    hashes.push(head)
  }
})

const check = (list: readonly DeliveredEnvelope[], expected: string | null) => verifyTranscript(list, { serverDid: server.did, expected })

describe('verifyTranscript', () => {
  it('proves a transcript whose chain runs into the hash on chain, at the message that it stands for', async () => {
    const result = await check(messages, `0x${hashes[2]?.toUpperCase()}`)
    expect(result).toMatchObject({ outcome: 'proven', matchedSeq: 3, count: 4, head: hashes[3], broken: [] })
    expect(verificationSentence(result, translate('views.verification'))).toContain('after message 3')
  })

  it('calls an unpaid transcript unbroken, not proven', async () => {
    expect((await check(messages, null)).outcome).toBe('intact')
  })

  it('says so where no message leads to the hash that was paid for', async () => {
    expect((await check(messages, '0'.repeat(64))).outcome).toBe('differs')
  })

  it('shows the message whose text was changed', async () => {
    const changed = messages.map((one) => (one.seq === 2 ? { ...one, parts: [{ text: 'asked for more' }] } : one))
    const result = await check(changed, hashes[2] ?? null)
    expect(result).toMatchObject({ outcome: 'broken', broken: [{ seq: 2, reason: 'signature' }], matchedSeq: null })
    expect(verificationSentence(result, translate('views.verification'))).toContain('message 2')
  })

  it('shows where a message is missing, and does not match behind the gap', async () => {
    const result = await check(
      messages.filter((one) => one.seq !== 2),
      hashes[2] ?? null,
    )
    expect(result).toMatchObject({ outcome: 'broken', broken: [{ seq: 3, reason: 'gap' }], matchedSeq: null })
  })

  it('refuses a message that another key signed in the sender’s name', async () => {
    const forged = await vouchEnvelope(agent, {
      id: uuidv7(2, new Uint8Array(10)),
      room_id,
      sender_id: messages[1]?.sender_id ?? '',
      state: 'discussion',
      type: 'discussion',
      parts: [],
    })
    const list = messages.map((one) => (one.seq === 2 ? ({ ...forged, seq: 2, received_at: one.received_at } as DeliveredEnvelope) : one))
    expect((await check(list, null)).broken).toEqual([{ seq: 2, reason: 'signature' }])
  })

  it('refuses what the server signed for an agent with a key, unless it is a text that the agent delegated', async () => {
    const at = Date.UTC(2026, 10, 21, 12)
    const terms = { not_before: at / 1_000 - 60, expires_at: at / 1_000 + 60 }
    const delegation = await signDelegation(agent, server.did, terms)
    const draft = (parts: object[], type = 'discussion') =>
      ({ id: uuidv7(at, new Uint8Array(10)), room_id, sender_id: agent.did, state: 'discussion', type, parts }) as unknown as EnvelopeDraft
    const accept = draft([{ data: { kind: 'charter.accept', charter_hash: `0x${'a'.repeat(64)}` } }], 'accept')
    const outcomeOf = async (forged: Promise<Envelope>) => {
      const last = { ...(await forged), seq: 5, received_at: '2026-11-21T12:00:00Z' } as DeliveredEnvelope
      return (await check([...messages, last], await chainHash(hashes[3] ?? '', last))).outcome
    }
    expect(await outcomeOf(vouchEnvelope(server, draft([{ text: 'Hello.' }])))).toBe('broken')
    expect(await outcomeOf(vouchEnvelope(server, accept))).toBe('broken')
    expect(await outcomeOf(vouchEnvelope(server, accept, delegation))).toBe('broken')
    expect(await outcomeOf(vouchEnvelope(server, draft([{ text: 'Hello.' }]), delegation))).toBe('proven')
  })

  it('does not care for the server’s clock, which is not in the chain', async () => {
    const later = messages.map((one) => ({ ...one, received_at: '2027-01-01T00:00:00Z' }))
    expect((await check(later, hashes[2] ?? null)).outcome).toBe('proven')
  })
})
