import {
  type Delegation,
  type DeliveredEnvelope,
  type EnvelopeDraft,
  maxDelegationSeconds,
  randomSeed,
  type Signer,
  signDelegation,
  signEnvelope,
  signerFromSeed,
  speechActs,
  uuidv7,
  verifyDelegation,
  verifyEnvelope,
  vouchEnvelope,
} from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'

const room = `rom_${'0'.repeat(32)}`
const otherRoom = `rom_${'1'.repeat(32)}`
const at = Date.UTC(2026, 10, 1, 12)
const seconds = at / 1_000
const terms = { not_before: seconds - 60, expires_at: seconds + 3_600 }
let agent: Signer
let other: Signer
let server: Signer
let delegation: Delegation

beforeAll(async () => {
  ;[agent, other, server] = (await Promise.all([1, 2, 3].map(() => signerFromSeed(randomSeed())))) as [Signer, Signer, Signer]
  delegation = await signDelegation(agent, server.did, terms)
})

function draft(change: object = {}, ms = at): EnvelopeDraft {
  const id = uuidv7(ms, crypto.getRandomValues(new Uint8Array(10)))
  const plain = { id, room_id: room, sender_id: agent.did, state: 'discussion', type: 'discussion', parts: [{ text: 'Hello.' }] }
  return { ...plain, ...change } as EnvelopeDraft
}
/** Whether a reader accepts this message if the server signs it. */
const isAccepted = async (change: object = {}, given: Delegation | null = delegation, ms = at) =>
  verifyEnvelope(await vouchEnvelope(server, draft(change, ms), given ?? undefined), server.did)

describe('a message that the server signs for an agent with a key', () => {
  it('is accepted under the agent’s delegation, also as delivered, and refused without one', async () => {
    expect(await isAccepted()).toBe(true)
    expect(await isAccepted({ to: [other.did], reply_to: draft().id })).toBe(true)
    const vouched = await vouchEnvelope(server, draft(), delegation)
    const delivered = { ...vouched, seq: 4, received_at: '2026-11-01T12:00:00.000Z' } as DeliveredEnvelope
    expect(await verifyEnvelope(delivered, server.did)).toBe(true)
    expect(await verifyEnvelope({ ...delivered, parts: [{ text: 'Changed.' }] }, server.did)).toBe(false)
    expect(await isAccepted({}, null)).toBe(false)
  })

  it('is refused if it is not plain discussion: every other act, data, files, and fields that could bind', async () => {
    for (const type of speechActs.filter((act) => act !== 'discussion')) expect(await isAccepted({ type }), type).toBe(false)
    expect(await isAccepted({ type: 'an act of the future' })).toBe(false)
    const artifact = { sha256: 'a'.repeat(64), name: 'a.txt', media_type: 'text/plain', size: 1, artifact_type: 'text.plain' }
    for (const part of [
      { data: { kind: 'charter.accept', charter_hash: `0x${'a'.repeat(64)}` } },
      { data: { kind: 'charter' } },
      { artifact },
      { text: 'Read more.', more: true },
      {},
    ])
      expect(await isAccepted({ parts: [{ text: 'I agree.' }, part] }), JSON.stringify(part)).toBe(false)
    for (const field of [
      { task_id: `tsk_${'0'.repeat(32)}` },
      { next_speakers: [other.did] },
      { triggers: [] },
      { expects: 'reply' },
      { payment: {} },
      { ext: {} },
      { unknown: 1 },
    ])
      expect(await isAccepted(field), JSON.stringify(field)).toBe(false)
  })

  it('is refused under a delegation of another time, room, agent or server', async () => {
    const signed = (change: object, by = agent, to = server.did) => signDelegation(by, to, { ...terms, ...change })
    expect(await isAccepted({}, delegation, terms.not_before * 1_000)).toBe(true)
    expect(await isAccepted({}, delegation, terms.not_before * 1_000 - 1)).toBe(false)
    expect(await isAccepted({}, delegation, terms.expires_at * 1_000 - 1)).toBe(true)
    expect(await isAccepted({}, delegation, terms.expires_at * 1_000)).toBe(false)
    expect(await isAccepted({}, await signed({ room_id: room }))).toBe(true)
    expect(await isAccepted({ room_id: otherRoom }, await signed({ room_id: room }))).toBe(false)
    expect(await isAccepted({}, await signed({}, other))).toBe(false)
    expect(await isAccepted({}, await signed({}, server))).toBe(false)
    expect(await isAccepted({}, await signed({}, agent, other.did))).toBe(false)
  })

  it('is refused under a delegation whose terms were changed, or that is longer than a day', async () => {
    expect(await isAccepted({}, { ...delegation, expires_at: terms.expires_at + 60 })).toBe(false)
    const bound = await signDelegation(agent, server.did, { ...terms, room_id: room as never })
    const { room_id: _, ...unbound } = bound
    expect(await isAccepted({}, unbound)).toBe(false)
    const lasting = (length: number) => signDelegation(agent, server.did, { ...terms, expires_at: terms.not_before + length })
    expect(await isAccepted({}, await lasting(maxDelegationSeconds))).toBe(true)
    expect(await isAccepted({}, await lasting(maxDelegationSeconds + 1))).toBe(false)
    expect(await isAccepted({}, await lasting(0))).toBe(false)
  })

  it('is refused if a key other than the server’s signed it, under any delegation', async () => {
    expect(await verifyEnvelope(await vouchEnvelope(other, draft(), delegation), server.did)).toBe(false)
    const own = await signDelegation(agent, other.did, terms)
    expect(await verifyEnvelope(await vouchEnvelope(other, draft(), own), server.did)).toBe(false)
    expect(await verifyEnvelope(await vouchEnvelope(agent, draft(), own), server.did)).toBe(false)
  })
})

describe('a delegation', () => {
  it('stands in no signature of the sender’s own key, and in none for a sender without a key', async () => {
    const signed = await signEnvelope(agent, draft())
    expect(await verifyEnvelope({ ...signed, sig: { ...signed.sig, delegation } as never }, server.did)).toBe(false)
    for (const sender_id of [`did:pkh:eip155:1:0x${'a'.repeat(40)}`, 'did:web:parley.example:agents:a']) {
      expect(await isAccepted({ sender_id, type: 'vote' }, null), sender_id).toBe(true)
      expect(await isAccepted({ sender_id }), sender_id).toBe(false)
    }
  })

  it('is verified again for other parties, however often it was valid for its own', async () => {
    for (let times = 0; times < 3; times++) expect(await verifyDelegation({ agent: agent.did, server: server.did }, delegation)).toBe(true)
    expect(await verifyDelegation({ agent: agent.did, server: other.did }, delegation)).toBe(false)
    expect(await verifyDelegation({ agent: other.did, server: server.did }, delegation)).toBe(false)
    expect(await verifyDelegation({ agent: agent.did, server: server.did }, { ...delegation, value: 'A'.repeat(86) })).toBe(false)
  })
})
