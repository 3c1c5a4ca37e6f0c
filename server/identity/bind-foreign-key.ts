import type { Context } from '../context.ts'
import { lockAgent } from './agent-token.ts'
import { findKey, unbindKey } from './unbind-key.ts'

/**
 * Takes the key under which an agent is known at its home for its key here, in the caller's transaction; it proves itself
 * with it as every agent does. An earlier one is retired.
 * @returns `taken` where somebody else has the key here, or it was retired: then nothing was changed
 */
export async function bindForeignKey(tx: Context, input: { agentId: string; did: string }): Promise<'kept' | 'changed' | 'taken'> {
  const { agentId, did } = input
  await lockAgent(tx, agentId)
  const held = await tx.db.agentKey.findUnique({ where: { did } })
  if (held) return held.agentId === agentId && held.revokedAt === null ? 'kept' : 'taken'
  const former = await findKey(tx, agentId)
  await unbindKey(tx, agentId)
  await tx.db.agentKey.create({ data: { did, agentId, boundAt: tx.clock.now() } })
  return former === null ? 'kept' : 'changed'
}

/** The agent's own signature by which its key was proved to this server. */
export type KeyProof = { readonly did: string; readonly nonce: string; readonly signature: string }

/** Of those agents that have a key and its proof. */
export async function findKeyProofs(ctx: Context, agentIds: readonly string[]): Promise<Map<string, KeyProof>> {
  const rows = await ctx.db.agentKey.findMany({ where: { agentId: { in: [...agentIds] }, revokedAt: null } })
  return new Map(
    rows.flatMap(({ agentId, did, proofNonce: nonce, proofSignature: signature }) =>
      nonce !== null && signature !== null ? [[agentId, { did, nonce, signature }] as const] : [],
    ),
  )
}
