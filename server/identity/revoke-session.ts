import { appendAudit } from '../audit/index.ts'
import { actingAs, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { loginRequired, requireBrowserLogin } from './errors.ts'
import { hashSecret } from './hash-secret.ts'

/** Ends the session of a cookie. Does nothing for an unknown or ended session. */
export async function signOut(ctx: Context, token: string): Promise<void> {
  await revoke(ctx, { tokenHash: hashSecret(token) })
}

/** Ends one of the actor's own sessions. A session of another person looks like an unknown one. */
export async function revokeSession(ctx: Context, sessionId: string): Promise<{ revoked: boolean }> {
  if (ctx.actor.kind !== 'person') throw loginRequired()
  requireBrowserLogin(ctx.actor)
  return { revoked: await revoke(ctx, { id: sessionId, personId: ctx.actor.did }) }
}

async function revoke(ctx: Context, which: { tokenHash: string } | { id: string; personId: string }): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now()
    const session = await tx.db.session.findFirst({ where: { ...which, revokedAt: null }, include: { person: true } })
    if (!session) return false
    const ended = await tx.db.session.updateMany({ where: { id: session.id, revokedAt: null }, data: { revokedAt: now } })
    if (ended.count === 0) return false
    const { id, address } = session.person
    const owner = {
      kind: 'person',
      did: id as `did:pkh:eip155:${string}:0x${string}`,
      address: address as `0x${string}`,
      isOperator: false,
    } as const
    await appendAudit(actingAs(tx, owner), { stream: id, action: 'session.revoke', after: { session: session.id } })
    return true
  })
}
