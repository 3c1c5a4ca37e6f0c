import { ListingDraft } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { getListingRow, requireOwner } from '../listings/listing-store.ts'
import type { PayoutTerms } from './payout-terms.ts'

export type PayoutChangeView = PayoutTerms & { readonly signed_at: string; readonly effective_at: string }

/**
 * The scheduled payout change of a listing, for its owner; null if none.
 * @throws listing.not_owner
 */
export async function findPayoutChange(ctx: Context, agentId: string): Promise<PayoutChangeView | null> {
  requireOwner(ctx, await getListingRow(ctx, agentId))
  const row = await ctx.db.payoutChange.findUnique({ where: { agentId } })
  if (row === null) return null
  const { payout, royalties, signedAt, effectiveAt } = row
  return {
    payout,
    royalties: ListingDraft.shape.royalties.parse(royalties),
    signed_at: signedAt.toISOString(),
    effective_at: effectiveAt.toISOString(),
  }
}
