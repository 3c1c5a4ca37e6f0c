import type { ApiScope, PersonDid } from '@parley/protocol'
import type { Actor, Context } from '../context.ts'
import { hashSecret } from './hash-secret.ts'
import { personOf } from './open-session.ts'

/** How stale `seenAt` may be. Writing it for every request would turn each read into a write. */
const seenEveryMs = 60_000

/** The actor of a session cookie or of an API token; anonymous if the session is unknown, expired or revoked. */
export async function findActorByToken(ctx: Context, token: string, operators: readonly string[] = []): Promise<Actor> {
  const now = ctx.clock.now()
  const session = await ctx.db.session.findUnique({
    where: { tokenHash: hashSecret(token) },
    include: { person: { select: { address: true } } },
  })
  // A database that was moved to another chain still holds logins of the former one.
  const isOfThisMarket = session?.personId.startsWith(`did:pkh:eip155:${ctx.market.chainId}:`)
  if (!session || !isOfThisMarket || session.revokedAt !== null || session.expiresAt <= now) return { kind: 'anonymous' }
  if (now.getTime() - session.seenAt.getTime() > seenEveryMs)
    await ctx.db.session.updateMany({ where: { id: session.id, revokedAt: null }, data: { seenAt: now } })
  return personOf({
    did: session.personId as PersonDid,
    address: session.person.address as `0x${string}`,
    operators,
    scopes: session.isApiToken ? (session.scopes as ApiScope[]) : null,
  })
}
