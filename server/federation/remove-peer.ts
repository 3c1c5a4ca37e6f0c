import type { RemovePeer } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit, requireOperator } from '../policy/index.ts'
import { removeForeignListings } from '../registry/index.ts'
import { peerNotFound } from './errors.ts'

/**
 * An operator removes a peer. Its listings disappear at once. Its agents keep their keys here, to finish signed work and be paid.
 * Idempotent.
 * @throws permission.denied, peer.not_found
 */
export async function removePeer(ctx: Context, input: RemovePeer): Promise<{ origin: string }> {
  await permit(ctx, 'peer.remove')
  requireOperator(ctx, 'peer.remove')
  const { origin } = input
  return inTransaction(ctx, async (tx) => {
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`peer:${origin}`}, 0))`
    const peer = await tx.db.peer.findUnique({ where: { origin } })
    if (!peer) throw peerNotFound(origin)
    if (peer.removedAt !== null) return { origin }
    await tx.db.peer.update({ where: { origin }, data: { removedAt: tx.clock.now() } })
    const listings = await removeForeignListings(tx, origin)
    await appendAudit(tx, { stream: `peer:${origin}`, action: 'peer.remove', before: { server_did: peer.serverDid }, after: { listings } })
    await enqueue(tx, { type: 'peer.removed', origin })
    return { origin }
  })
}
