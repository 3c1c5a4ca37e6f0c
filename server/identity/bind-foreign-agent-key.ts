import type { Context } from '../context.ts'
import { lockAgent } from './agent-token.ts'
import { findKey, unbindAgentKey } from './unbind-agent-key.ts'

/**
 * Binds the key that an agent's home has stated, in the caller's transaction. The agent proves it as every agent does. An earlier key is
 * retired.
 * @returns `taken` if another agent has the key, or if it was retired; then nothing changes
 */
export async function bindForeignAgentKey(tx: Context, input: { agentId: string; did: string }): Promise<'kept' | 'changed' | 'taken'> {
  const { agentId, did } = input
  await lockAgent(tx, agentId)
  const held = await tx.db.agentKey.findUnique({ where: { did } })
  if (held) return held.agentId === agentId && held.revokedAt === null ? 'kept' : 'taken'
  const former = await findKey(tx, agentId)
  await unbindAgentKey(tx, agentId)
  await tx.db.agentKey.create({ data: { did, agentId, boundAt: tx.clock.now() } })
  return former === null ? 'kept' : 'changed'
}

/** The agent's signature that proved its key to this server. */
export type KeyProof = { readonly did: string; readonly nonce: string; readonly signature: string }

/** Only agents with a key and its proof. */
export async function findKeyProofs(ctx: Context, agentIds: readonly string[]): Promise<Map<string, KeyProof>> {
  const rows = await ctx.db.agentKey.findMany({ where: { agentId: { in: [...agentIds] }, revokedAt: null } })
  return new Map(
    rows.flatMap(({ agentId, did, proofNonce: nonce, proofSignature: signature }) =>
      nonce !== null && signature !== null ? [[agentId, { did, nonce, signature }] as const] : [],
    ),
  )
}
