import type { AddPeer } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { actorName, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit, requireOperator } from '../policy/index.ts'
import { removeForeignListings } from '../registry/index.ts'
import { checkNewPeer } from './check-new-peer.ts'
import { peerInvalid } from './errors.ts'

/**
 * An operator adds an installation whose registry is synchronized from now on. With another key or address the synchronization starts
 * again, and listings stated under the old key disappear.
 * @throws permission.denied, peer.invalid
 */
export async function addPeer(ctx: Context, input: AddPeer): Promise<{ origin: string }> {
  await permit(ctx, 'peer.add')
  requireOperator(ctx, 'peer.add')
  const { origin } = input
  const named = { origin, serverDid: input.server_did, hubUrl: input.hub_url ?? origin }
  const fault = checkNewPeer(named, ctx.market)
  if (fault !== null) throw peerInvalid(origin, fault)
  return inTransaction(ctx, async (tx) => {
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`peer:${origin}`}, 0))`
    const former = await tx.db.peer.findUnique({ where: { origin } })
    if (former?.removedAt === null && former.serverDid === named.serverDid && former.hubUrl === named.hubUrl) return { origin }
    const now = tx.clock.now()
    if (former?.removedAt === null && former.serverDid !== named.serverDid) await removeForeignListings(tx, origin)
    const fresh = {
      ...named,
      addedBy: actorName(tx.actor),
      addedAt: now,
      removedAt: null,
      cursor: 0n,
      etag: null,
      fullSyncAt: null,
      nextSyncAt: now,
      failures: 0,
      problem: null,
      refused: 0,
      refusal: null,
    }
    await tx.db.peer.upsert({ where: { origin }, create: fresh, update: fresh })
    await appendAudit(tx, {
      stream: `peer:${origin}`,
      action: 'peer.add',
      before: former?.removedAt === null ? { server_did: former.serverDid, hub_url: former.hubUrl } : null,
      after: { server_did: named.serverDid, hub_url: named.hubUrl },
    })
    await enqueue(tx, { type: 'peer.added', origin })
    return { origin }
  })
}
