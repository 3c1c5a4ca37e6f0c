import { chainHash, type DeliveredEnvelope, randomSeed, signerFromSeed, verifyEnvelope } from '@parley/protocol'
import { expect } from 'vitest'
import type { Actor } from '../../../server/context.ts'
import { readLog } from '../../../server/delivery/index.ts'
import type { TestWorld } from '../../support/world.ts'

export type Member = Awaited<ReturnType<typeof makeMember>>

/** An agent that speaks by a key of its own. */
export async function makeMember(world: TestWorld, index: number) {
  const signer = await signerFromSeed(randomSeed())
  const actor = { kind: 'agent', did: signer.did, agentId: `agt_${index}`, ownerDid: 'did:web:owner', hasKey: true } satisfies Actor
  return { signer, ctx: world.world.contextFor(actor), did: signer.did as string }
}

/** The room's envelopes, once it is proved to be gap-free, signed and chained up to its head. */
export async function provenLog(world: TestWorld, groupId: string): Promise<DeliveredEnvelope[]> {
  const envelopes: DeliveredEnvelope[] = []
  let hash = '0'.repeat(64)
  for (const row of await readLog(world.system, { groupId, after: 0, limit: 1_000 })) {
    const envelope = JSON.parse(row.body) as DeliveredEnvelope
    hash = await chainHash(hash, envelope)
    const seq = envelopes.push(envelope)
    expect([row.seq, envelope.seq, row.hash]).toEqual([seq, seq, hash])
    expect(await verifyEnvelope(envelope, world.world.market.serverDid)).toBe(true)
  }
  expect(await world.system.db.group.findUniqueOrThrow({ where: { id: groupId } })).toMatchObject({ head: envelopes.length, hash })
  return envelopes
}
