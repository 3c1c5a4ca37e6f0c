import type { Context } from '../context.ts'

/**
 * Retires the agent's key permanently, in the caller's transaction. Does nothing without a key. The caller revokes the token first
 * (`issueAgentToken`), so that no concurrent binding can follow, and writes the audit row.
 */
export async function unbindAgentKey(tx: Context, agentId: string): Promise<{ did: string | null }> {
  const did = await findKey(tx, agentId)
  if (did !== null) await tx.db.agentKey.updateMany({ where: { did, revokedAt: null }, data: { revokedAt: tx.clock.now() } })
  return { did }
}

/** The agent's current did:key, or null. */
export async function findKey(ctx: Context, agentId: string): Promise<`did:key:${string}` | null> {
  const key = await ctx.db.agentKey.findFirst({ where: { agentId, revokedAt: null }, select: { did: true } })
  return (key?.did ?? null) as `did:key:${string}` | null
}
