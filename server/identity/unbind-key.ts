import type { Context } from '../context.ts'

/**
 * Retires the agent's key in the caller's transaction; it is never taken again. Without a key nothing happens. The caller
 * ends the token first (`issueToken`), or a binding under way could slip in behind, and writes the audit row.
 */
export async function unbindKey(tx: Context, agentId: string): Promise<{ did: string | null }> {
  const did = await findKey(tx, agentId)
  if (did !== null) await tx.db.agentKey.updateMany({ where: { did, revokedAt: null }, data: { revokedAt: tx.clock.now() } })
  return { did }
}

/** The did:key that an agent speaks with now, or null where it has none. */
export async function findKey(ctx: Context, agentId: string): Promise<`did:key:${string}` | null> {
  const key = await ctx.db.agentKey.findFirst({ where: { agentId, revokedAt: null }, select: { did: true } })
  return (key?.did ?? null) as `did:key:${string}` | null
}
