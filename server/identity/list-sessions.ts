import type { Context } from '../context.ts'
import { loginRequired } from './errors.ts'

export type SessionView = {
  readonly id: string
  /** What the browser called itself at sign-in. */
  readonly agent: string
  readonly created_at: string
  readonly seen_at: string
  readonly expires_at: string
}

/** The actor's own sessions that still stand, newest first. */
export async function listSessions(ctx: Context): Promise<SessionView[]> {
  if (ctx.actor.kind !== 'person') throw loginRequired()
  const rows = await ctx.db.session.findMany({
    where: { personId: ctx.actor.did, revokedAt: null, expiresAt: { gt: ctx.clock.now() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 100,
  })
  return rows.map((row) => ({
    id: row.id,
    agent: row.agent,
    created_at: row.createdAt.toISOString(),
    seen_at: row.seenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }))
}
