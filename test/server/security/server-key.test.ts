import {
  chainHash,
  type DelegationTerms,
  type DeliveredEnvelope,
  type EnvelopeDraft,
  randomSeed,
  type Signer,
  type SpeechAct,
  signDelegation,
  signEnvelope,
  signerFromSeed,
  transcriptStart,
  uuidv7,
  verifyEnvelope,
  verifyTranscript,
  vouchEnvelope,
} from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasValidSignature } from '../../../agents/src/messages/message-events.ts'
import { checkTranscript } from '../../demo/check-transcript.ts'

// A holder of the server's signing key makes no agent's acceptance, result or conclusion, and only the talk that the agent delegated.

const room_id = `rom_${'0'.repeat(32)}`
const at = Date.UTC(2026, 10, 1, 12)
const terms: DelegationTerms = { not_before: at / 1_000 - 60, expires_at: at / 1_000 + 3_600 }
const hash = `0x${'a'.repeat(64)}`
let server: Signer
let agent: Signer
beforeAll(async () => {
  ;[server, agent] = (await Promise.all([1, 2].map(() => signerFromSeed(randomSeed())))) as [Signer, Signer]
})

const draft = (type: SpeechAct, more: object = {}, ms = at) =>
  ({
    id: uuidv7(ms, crypto.getRandomValues(new Uint8Array(10))),
    room_id,
    sender_id: agent.did,
    state: 'discussion',
    type,
    parts: [{ text: 'I agree.' }],
    ...more,
  }) as unknown as EnvelopeDraft

/** What binds an agent: its team, its work and the end of the goal. */
const binding = (): EnvelopeDraft[] => [
  draft('accept', { parts: [{ data: { kind: 'charter.accept', charter_hash: hash } }] }),
  draft('propose', { parts: [{ data: { kind: 'charter', charter: {}, charter_hash: hash } }] }),
  draft('discussion', { parts: [{ data: { kind: 'charter.seal', version: 1, charter_hash: hash } }] }),
  draft('task_result', { state: 'execution', task_id: `tsk_${'0'.repeat(32)}` }),
  draft('conclusion', { state: 'conclusion', parts: [{ data: { kind: 'conclusion', outcome: 'delivered' } }] }),
  draft('vote', { reply_to: draft('propose').id, parts: [{ data: { kind: 'vote', choice: 'Yes' } }] }),
]

/** A transcript of one honest message and then this one, chained as the holder of the key can chain it. */
async function transcriptWith(forged: Awaited<ReturnType<typeof vouchEnvelope>>): Promise<DeliveredEnvelope[]> {
  const honest = await signEnvelope(agent, draft('discussion'))
  return [honest, forged].map((one, index) => ({ ...one, seq: index + 1, received_at: '2026-11-01T12:00:00.000Z' }) as DeliveredEnvelope)
}

async function isCaught(forged: Awaited<ReturnType<typeof vouchEnvelope>>): Promise<boolean> {
  const messages = await transcriptWith(forged)
  let expected: string = transcriptStart
  for (const message of messages) expected = await chainHash(expected, message)
  // The payment on chain names the forged end of the room: only the signature shows the forgery.
  const page = await verifyTranscript(messages, { serverDid: server.did, expected })
  const audit = await checkTranscript(messages, server.did)
  const found = [
    !(await verifyEnvelope(forged, server.did)),
    !(await hasValidSignature(forged, server.did)),
    page.broken.some(({ seq, reason }) => seq === 2 && reason === 'signature'),
    audit.faults.some((fault) => fault.startsWith('message 2 is not signed')),
  ]
  expect(new Set(found).size).toBe(1)
  expect(page.outcome).toBe(found[0] ? 'broken' : 'proven')
  return found[0] ?? false
}

describe('the holder of the server’s signing key', () => {
  it('forges no message of an agent that has delegated nothing, in any form', async () => {
    for (const one of [...binding(), draft('discussion')]) {
      expect(await isCaught(await vouchEnvelope(server, one)), one.type).toBe(true)
      const asOwn = await signEnvelope(server, one)
      expect(await isCaught(asOwn), one.type).toBe(true)
      expect(await isCaught({ ...asOwn, sig: { ...asOwn.sig, kid: agent.did } as never }), one.type).toBe(true)
      // A delegation that the server has made for itself.
      expect(await isCaught(await vouchEnvelope(server, one, await signDelegation(server, server.did, terms))), one.type).toBe(true)
    }
  })

  it('writes texts of an agent that has delegated them, until that ends', async () => {
    const delegation = await signDelegation(agent, server.did, terms)
    expect(await isCaught(await vouchEnvelope(server, draft('discussion'), delegation))).toBe(false)
  })

  it('goes no step further with a delegation: it binds no one, and not in another room, later, or at another server', async () => {
    const delegation = await signDelegation(agent, server.did, terms)
    for (const one of binding()) expect(await isCaught(await vouchEnvelope(server, one, delegation)), one.type).toBe(true)
    const later = draft('discussion', {}, terms.expires_at * 1_000)
    expect(await isCaught(await vouchEnvelope(server, later, delegation))).toBe(true)
    const elsewhere = await signDelegation(agent, server.did, { ...terms, room_id: `rom_${'1'.repeat(32)}` })
    expect(await isCaught(await vouchEnvelope(server, draft('discussion'), elsewhere))).toBe(true)
    const toOther = await signDelegation(agent, agent.did, terms)
    expect(await isCaught(await vouchEnvelope(server, draft('discussion'), toOther))).toBe(true)
    expect(await isCaught(await vouchEnvelope(server, draft('discussion'), { ...delegation, expires_at: terms.expires_at + 60 }))).toBe(
      true,
    )
  })
})
