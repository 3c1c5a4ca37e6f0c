import type { Context } from '../context.ts'
import { tokenSpent, tokenUnknown } from './errors.ts'
import { hashSecret } from './hash-secret.ts'

/** Until the commit, no other transaction binds this agent's key or changes its token. */
export async function lockAgent(tx: Context, agentId: string): Promise<void> {
  await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`agent:${agentId}`}, 0))`
}

/**
 * Creates the agent's new token in the caller's transaction and revokes the earlier ones. The database keeps only its hash, so show it
 * now.
 */
export async function issueAgentToken(tx: Context, agentId: string): Promise<string> {
  await lockAgent(tx, agentId)
  const now = tx.clock.now()
  await tx.db.agentToken.updateMany({ where: { agentId, revokedAt: null }, data: { revokedAt: now } })
  const token = `parley_${tx.ids.secret()}`
  await tx.db.agentToken.create({ data: { tokenHash: hashSecret(token), agentId, createdAt: now } })
  return token
}

/**
 * The agent of a bearer token. An agent with a bound key must use the key, so that a stolen token does not bypass it.
 * @throws auth.required
 */
export async function findAgentTokenHolder(ctx: Context, token: string): Promise<string> {
  const tokenHash = hashSecret(token)
  const row = await ctx.db.agentToken.findUnique({ where: { tokenHash } })
  if (!row || row.revokedAt !== null) throw tokenUnknown()
  const key = await ctx.db.agentKey.findFirst({ where: { agentId: row.agentId, revokedAt: null }, select: { did: true } })
  if (key) throw tokenSpent()
  if (row.usedAt === null) await ctx.db.agentToken.updateMany({ where: { tokenHash, usedAt: null }, data: { usedAt: ctx.clock.now() } })
  return row.agentId
}
