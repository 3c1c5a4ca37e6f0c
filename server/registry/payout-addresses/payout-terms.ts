/** The payout terms of a listing: where its agent is paid, and its royalties. They change only with the owner's signature. */
import { canonicalize, type Json, type ListingDraft, payoutChangeTypedData } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'
import type { ListingRow } from '../listings/listing.ts'
import { lastDraft } from '../listings/listing-store.ts'
import { type OwnerTerms, ownerSignatureSeconds, requireOwnListing, signedListingFields } from '../listings/owner-signature.ts'
import { normalizeDraft } from '../listings/royalty-store.ts'

/** The payout terms. A login alone cannot change them. */
export type PayoutTerms = Pick<ListingDraft, 'payout' | 'royalties'>

/**
 * What the owner signs to change the payout.
 * @throws listing.not_owner
 */
export async function getPayoutTerms(ctx: Context, agentId: string, to: PayoutTerms): Promise<OwnerTerms> {
  const row = await requireOwnListing(ctx, agentId)
  const deadline = seconds(ctx.clock.now()) + ownerSignatureSeconds
  return { typedData: payoutChangeData(ctx, { row, from: await readPayoutTerms(ctx, row), to, deadline }), deadline }
}

/** The payout terms of the newest version. */
export async function readPayoutTerms(ctx: Context, row: ListingRow): Promise<PayoutTerms> {
  return payoutTermsOfDraft(await lastDraft(ctx, row))
}

export function payoutTermsOfDraft(draft: ListingDraft): PayoutTerms {
  const { payout, royalties } = normalizeDraft(draft)
  return { payout, ...(royalties && { royalties }) }
}

export function isSamePayout(a: PayoutTerms, b: PayoutTerms): boolean {
  return canonicalize(a as Json) === canonicalize(b as Json)
}

/** The EIP-712 data of a change of the payout terms, for the owner's wallet. */
export function payoutChangeData(
  { market }: Context,
  given: { readonly row: ListingRow; readonly from: PayoutTerms; readonly to: PayoutTerms; readonly deadline: number },
): Eip712TypedData {
  return payoutChangeTypedData(signedListingFields(market.chainId, given.row, given.deadline), given.from, given.to)
}
