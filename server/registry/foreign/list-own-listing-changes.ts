import { ListingDraft, type RegistryStatement } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { findKeyProofs } from '../../identity/index.ts'
import { loadScores } from '../../reputation/index.ts'

/** The current state of one of our own listings, for peers. */
export type ListingChange = Pick<RegistryStatement, 'agent_id' | 'revision' | 'withdrawn_at' | 'entry'>

/** The number of the last change of our own listings; 0 before the first. */
export async function lastRevision(ctx: Context): Promise<number> {
  const { _max } = await ctx.db.listing.aggregate({ where: { origin: null }, _max: { revision: true } })
  return Number(_max.revision ?? 0n)
}

/**
 * Our own listings that changed after a revision, in order of their last change. An agent without a key has no entry, because it cannot
 * authenticate at a peer.
 */
export async function listOwnListingChanges(ctx: Context, input: { after: number; limit: number }): Promise<ListingChange[]> {
  const rows = await ctx.db.listing.findMany({
    where: { origin: null, revision: { gt: BigInt(input.after) } },
    orderBy: { revision: 'asc' },
    take: input.limit,
  })
  const agentIds = rows.map((row) => row.agentId)
  const [proofs, scores, drafts] = await Promise.all([
    findKeyProofs(ctx, agentIds),
    loadScores(ctx, agentIds),
    ctx.db.listingRevision.findMany({ where: { OR: rows.map(({ agentId, version }) => ({ agentId, version })) } }),
  ])
  return rows.map((row) => {
    const proof = proofs.get(row.agentId)
    const score = scores.get(row.agentId)
    const draft = drafts.find((one) => one.agentId === row.agentId)
    const isOffered = row.withdrawnAt === null && proof && score && draft
    return {
      agent_id: row.agentId,
      revision: Number(row.revision),
      withdrawn_at: row.withdrawnAt?.toISOString() ?? null,
      entry: isOffered
        ? {
            did: proof.did,
            key_proof: { nonce: proof.nonce, signature: proof.signature },
            owner_id: row.ownerId as NonNullable<RegistryStatement['entry']>['owner_id'],
            asset: ctx.market.asset,
            version: row.version,
            published_at: row.publishedAt.toISOString(),
            listing: ListingDraft.parse(draft.body),
            score,
          }
        : null,
    }
  })
}
