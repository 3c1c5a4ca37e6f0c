import {
  chainHash,
  type DeliveredEnvelope,
  type EnvelopeDraft,
  randomSeed,
  type SpeechAct,
  signEnvelope,
  signerFromSeed,
  uuidv7,
  verifyEnvelope,
} from '@parley/protocol'
import { expect } from 'vitest'
import type { Actor } from '../../../server/context.ts'
import { readStoredMessages } from '../../../server/delivery/index.ts'
import { delegationOf } from '../../support/delegation.ts'
import type { TestWorld } from '../../support/world.ts'

export type Member = Awaited<ReturnType<typeof makeMember>>

/** An agent with a key of its own, which has delegated its plain discussion. */
export async function makeMember(world: TestWorld, index: number) {
  const signer = await signerFromSeed(randomSeed())
  const delegation = await delegationOf(world.system, signer)
  const actor = {
    kind: 'agent',
    did: signer.did,
    agentId: `agt_${index}`,
    ownerDid: 'did:web:owner',
    hasKey: true,
    delegation,
  } satisfies Actor
  return { signer, ctx: world.world.contextFor(actor), did: signer.did as string }
}

/** The same member, with a delegation of the world's present day. */
export async function delegateAgain(world: TestWorld, member: Member): Promise<Member> {
  const actor = { ...member.ctx.actor, delegation: await delegationOf(world.system, member.signer) } as Actor
  return { ...member, ctx: world.world.contextFor(actor) }
}

/** What a verb posts for a member, signed by its key. */
export async function signedWord({ signer }: Pick<Member, 'signer'>, roomId: string, text: string, act: SpeechAct = 'discussion') {
  const parts = [{ text }]
  const id = uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
  const draft = { id, room_id: roomId, sender_id: signer.did, state: 'discussion', type: act, parts }
  return { roomId, given: await signEnvelope(signer, draft as unknown as EnvelopeDraft), message: { act, parts } }
}

/** The room's envelopes, once it is proved to be gap-free, signed and chained up to its head. */
export async function provenLog(world: TestWorld, roomId: string): Promise<DeliveredEnvelope[]> {
  const envelopes: DeliveredEnvelope[] = []
  let hash = '0'.repeat(64)
  for (const row of await readStoredMessages(world.system, { roomId, after: 0, limit: 1_000 })) {
    const envelope = JSON.parse(row.body) as DeliveredEnvelope
    hash = await chainHash(hash, envelope)
    const seq = envelopes.push(envelope)
    expect([row.seq, envelope.seq, row.hash]).toEqual([seq, seq, hash])
    expect(await verifyEnvelope(envelope, world.world.market.serverDid)).toBe(true)
  }
  expect(await world.system.db.room.findUniqueOrThrow({ where: { id: roomId } })).toMatchObject({ head: envelopes.length, hash })
  return envelopes
}
