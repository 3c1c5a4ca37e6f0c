import type { Listing, ListingDraft, Royalty } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { royaltyRefused } from '../errors.ts'

/** A royalty with its receiving listing, as stored. */
export type RoyaltyRow = { readonly upstreamId: string; readonly bps: number; readonly upstream: { handle: string; payout: string } }

/** Keeps only agent and share of each royalty; the other fields are derived when a listing is shown. */
export function normalizeDraft(draft: ListingDraft): ListingDraft {
  const { royalties = [], ...rest } = draft
  return royalties.length === 0 ? rest : { ...rest, royalties: royalties.map(({ agent_id, bps }): Royalty => ({ agent_id, bps })) }
}

export function listingRoyaltiesOf(rows: readonly RoyaltyRow[]): Pick<Listing, 'royalties'> {
  const royalties = rows.map(({ upstreamId, bps, upstream }) => ({
    agent_id: upstreamId as Royalty['agent_id'],
    bps,
    handle: upstream.handle,
    payee: upstream.payout,
  }))
  return royalties.length === 0 ? {} : { royalties }
}

/**
 * Replaces a listing's royalties. Writers take turns, so that no two of them create a cycle.
 * @throws listing.royalty_refused
 */
export async function saveRoyalties(tx: Context, agentId: string, { royalties = [] }: ListingDraft): Promise<void> {
  await tx.db.listingRoyalty.deleteMany({ where: { agentId } })
  if (royalties.length === 0) return
  await tx.db.$queryRaw`select 1 from pg_advisory_xact_lock(hashtext('listing_royalty'))`
  const upstreamIds = royalties.map((one) => one.agent_id)
  const found = await tx.db.listing.findMany({
    where: { agentId: { in: upstreamIds } },
    select: { agentId: true, withdrawnAt: true, origin: true },
  })
  for (const upstreamId of upstreamIds) {
    const listing = found.find((one) => one.agentId === upstreamId)
    if (upstreamId === agentId) throw royaltyRefused(upstreamId, 'An agent cannot receive a royalty from itself.')
    if (!listing) throw royaltyRefused(upstreamId, 'There is no such listing.')
    if (listing.origin !== null) throw royaltyRefused(upstreamId, `It is listed at ${listing.origin}, which can change its payout address.`)
    if (listing.withdrawnAt !== null) throw royaltyRefused(upstreamId, 'Its listing was withdrawn.')
  }
  const circle = await tx.db.$queryRaw<{ upstreamId: string }[]>`
    with recursive "upstream"("id") as (
      select unnest(${upstreamIds}::text[])
      union
      select "listing_royalty"."upstreamId" from "listing_royalty" join "upstream" on "listing_royalty"."agentId" = "upstream"."id"
    )
    select "id" as "upstreamId" from "upstream" where "id" = ${agentId}`
  if (circle.length > 0) throw royaltyRefused(upstreamIds.join(', '), 'It builds on this agent, so the royalties would form a cycle.')
  await tx.db.listingRoyalty.createMany({
    data: royalties.map(({ agent_id, bps }, position) => ({ agentId, upstreamId: agent_id, position, bps })),
  })
}
