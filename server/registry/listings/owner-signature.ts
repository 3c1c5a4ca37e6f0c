import { canonicalize, type Json, keyChangeTypedData, type ListingDraft, payoutChangeTypedData } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { versionConflict } from '../../errors.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { ownerNotSigned } from '../errors.ts'
import type { ListingRow } from './listing.ts'
import { normalizeDraft } from './royalties.ts'
import { getListingRow, lastDraft, requireNotProxy, requireOwner } from './store.ts'

/** The payout terms. A login alone cannot change them. */
export type PayoutTerms = Pick<ListingDraft, 'payout' | 'royalties'>
type OwnerSignature = { readonly deadline?: number | undefined; readonly signature?: string | undefined }
/** What the owner's wallet signs, and its deadline in Unix seconds. */
export type OwnerTerms = { readonly typedData: Eip712TypedData; readonly deadline: number }

/** How long a signature is valid. */
const validSeconds = 3_600

/**
 * What the owner signs to change the payout.
 * @throws listing.not_owner
 */
export async function getPayoutTerms(ctx: Context, agentId: string, to: PayoutTerms): Promise<OwnerTerms> {
  const row = await requireOwnListing(ctx, agentId)
  const deadline = seconds(ctx.clock.now()) + validSeconds
  return { typedData: payoutChangeData(ctx, { row, from: await payoutOf(ctx, row), to, deadline }), deadline }
}

/**
 * What the owner signs for a new token.
 * @throws listing.not_owner
 */
export async function getKeyTerms(ctx: Context, agentId: string, unbind: boolean): Promise<OwnerTerms> {
  const row = await requireOwnListing(ctx, agentId)
  const deadline = seconds(ctx.clock.now()) + validSeconds
  return { typedData: keyChangeData(ctx, row, { unbind, deadline }), deadline }
}

/**
 * The acting person's own listing, if it is not a proxy.
 * @throws listing.not_owner, listing.foreign, listing.is_proxy
 */
export async function requireOwnListing(ctx: Context, agentId: string): Promise<ListingRow> {
  const row = await getListingRow(ctx, agentId)
  requireOwner(ctx, row)
  await requireNotProxy(ctx, agentId)
  return row
}

/** The payout terms of the newest version. */
export async function payoutOf(ctx: Context, row: ListingRow): Promise<PayoutTerms> {
  return payoutIn(await lastDraft(ctx, row))
}

export function payoutIn(draft: ListingDraft): PayoutTerms {
  const { payout, royalties } = normalizeDraft(draft)
  return { payout, ...(royalties && { royalties }) }
}

export function isSamePayout(a: PayoutTerms, b: PayoutTerms): boolean {
  return canonicalize(a as Json) === canonicalize(b as Json)
}

export function payoutChangeData(
  { market }: Context,
  given: { readonly row: ListingRow; readonly from: PayoutTerms; readonly to: PayoutTerms; readonly deadline: number },
): Eip712TypedData {
  return payoutChangeTypedData(signedFields(market.chainId, given.row, given.deadline), given.from, given.to)
}

export function keyChangeData(
  { market }: Context,
  row: ListingRow,
  given: { readonly unbind: boolean; readonly deadline: number },
): Eip712TypedData {
  return keyChangeTypedData(signedFields(market.chainId, row, given.deadline), { did: row.did, unbind: given.unbind })
}

function signedFields(chainId: number, { agentId, handle, ownerNonce }: ListingRow, deadline: number) {
  return { chainId, agentId, handle, nonce: ownerNonce, deadline }
}

/**
 * Requires a valid signature of the acting person's wallet. The server's own jobs need none.
 * @throws listing.signature_invalid
 */
export async function requireOwnerSignature(
  ctx: Context,
  row: ListingRow,
  given: OwnerSignature,
  typedDataUntil: (deadline: number) => Eip712TypedData,
): Promise<void> {
  if (ctx.actor.kind === 'system') return
  if (ctx.actor.kind !== 'person') throw ownerNotSigned(row.agentId)
  const { deadline, signature } = given
  const now = seconds(ctx.clock.now())
  if (deadline === undefined || signature === undefined || deadline <= now || deadline > now + validSeconds)
    throw ownerNotSigned(row.agentId)
  const { address } = ctx.actor
  const isOwn = await ctx.ports.verifyWallet.typedData({
    address,
    typedData: typedDataUntil(deadline),
    signature: signature as `0x${string}`,
  })
  if (!isOwn) throw ownerNotSigned(row.agentId)
}

/**
 * Uses up the nonce, so that of two concurrent uses one fails.
 * @throws version.conflict
 */
export async function spendOwnerNonce(tx: Context, { agentId, ownerNonce }: ListingRow): Promise<void> {
  const { count } = await tx.db.listing.updateMany({ where: { agentId, ownerNonce }, data: { ownerNonce: { increment: 1 } } })
  if (count !== 1) throw versionConflict('The listing')
}
