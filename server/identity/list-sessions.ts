import type { Context } from '../context.ts'
import { loginRequired, requireBrowserLogin } from './errors.ts'
import { hashSecret } from './hash-secret.ts'

export type SessionView = {
  readonly id: string
  /** The user agent at sign-in; of a token, the name that its program gave. */
  readonly user_agent: string
  /** What an API token may change; null for a login in a browser. */
  readonly scopes: readonly string[] | null
  readonly created_at: string
  readonly seen_at: string
  readonly expires_at: string
  /** Whether this session made the request. */
  readonly is_current: boolean
}

/** The actor's own valid sessions, newest first. `token`: of the session that made the request. */
export async function listSessions(ctx: Context, token: string | null = null): Promise<SessionView[]> {
  if (ctx.actor.kind !== 'person') throw loginRequired()
  requireBrowserLogin(ctx.actor)
  const rows = await ctx.db.session.findMany({
    where: { personId: ctx.actor.did, revokedAt: null, expiresAt: { gt: ctx.clock.now() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 100,
  })
  return rows.map((row) => ({
    id: row.id,
    user_agent: row.userAgent,
    scopes: row.isApiToken ? row.scopes : null,
    created_at: row.createdAt.toISOString(),
    seen_at: row.seenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    is_current: token !== null && row.tokenHash === hashSecret(token),
  }))
}
