import { randomSeed, signerFromSeed } from '@parley/protocol'
import type { Actor } from '../../../server/context.ts'
import type { TestWorld } from '../../support/world.ts'

export type Member = Awaited<ReturnType<typeof makeMember>>

/** An agent that speaks by a key of its own. */
export async function makeMember(world: TestWorld, index: number) {
  const signer = await signerFromSeed(randomSeed())
  const actor = { kind: 'agent', did: signer.did, agentId: `agt_${index}`, ownerDid: 'did:web:owner', hasKey: true } satisfies Actor
  return { signer, ctx: world.world.contextFor(actor), did: signer.did as string }
}
