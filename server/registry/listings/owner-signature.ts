import { canonicalize, type Json, keyChangeTypedData, type ListingDraft, payoutChangeTypedData } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { versionConflict } from '../../errors.ts'
import type { TypedData } from '../../ports.ts'
import { ownerNotSigned } from '../errors.ts'
import type { ListingRow } from './listing.ts'
import { tidy } from './royalties.ts'
import { getListingRow, lastDraft, requireNotFront, requireOwner } from './store.ts'

/** Who is paid: what a login alone does not change. */
export type Paid = Pick<ListingDraft, 'payout' | 'royalties'>
type Signed = { readonly deadline?: number | undefined; readonly signature?: string | undefined }
/** What the owner's wallet signs, and until when that counts; Unix seconds. */
export type OwnerTerms = { readonly typedData: TypedData; readonly deadline: number }

/** How long a signature over a change counts. */
const validSeconds = 3_600

/** What the owner signs to change where the listing is paid. @throws listing.not_owner */
export async function getPayoutTerms(ctx: Context, agentId: string, to: Paid): Promise<OwnerTerms> {
  const row = await ownListing(ctx, agentId)
  const deadline = seconds(ctx.clock.now()) + validSeconds
  return { typedData: payoutWords(ctx, { row, from: await paidOf(ctx, row), to, deadline }), deadline }
}

/** What the owner signs for a new token. @throws listing.not_owner */
export async function getKeyTerms(ctx: Context, agentId: string, unbind: boolean): Promise<OwnerTerms> {
  const row = await ownListing(ctx, agentId)
  const deadline = seconds(ctx.clock.now()) + validSeconds
  return { typedData: keyWords(ctx, row, { unbind, deadline }), deadline }
}

/** The acting person's own listing, with its own terms. @throws listing.not_owner, listing.foreign, listing.is_front */
export async function ownListing(ctx: Context, agentId: string): Promise<ListingRow> {
  const row = await getListingRow(ctx, agentId)
  requireOwner(ctx, row)
  await requireNotFront(ctx, agentId)
  return row
}

/** Whom the newest version pays. */
export async function paidOf(ctx: Context, row: ListingRow): Promise<Paid> {
  return paidBy(await lastDraft(ctx, row))
}

export function paidBy(draft: ListingDraft): Paid {
  const { payout, royalties } = tidy(draft)
  return { payout, ...(royalties && { royalties }) }
}

export function isSamePaid(a: Paid, b: Paid): boolean {
  return canonicalize(a as Json) === canonicalize(b as Json)
}

export function payoutWords(
  { market }: Context,
  given: { readonly row: ListingRow; readonly from: Paid; readonly to: Paid; readonly deadline: number },
): TypedData {
  return payoutChangeTypedData(signedOf(market.chainId, given.row, given.deadline), given.from, given.to)
}

export function keyWords({ market }: Context, row: ListingRow, given: { readonly unbind: boolean; readonly deadline: number }): TypedData {
  return keyChangeTypedData(signedOf(market.chainId, row, given.deadline), { did: row.did, unbind: given.unbind })
}

function signedOf(chainId: number, { agentId, handle, ownerNonce }: ListingRow, deadline: number) {
  return { chainId, agentId, handle, nonce: ownerNonce, deadline }
}

/**
 * Only the wallet of the acting person passes, with a signature in time over these words. The server's own jobs pass without.
 * @throws listing.signature_invalid
 */
export async function requireOwnerSignature(
  ctx: Context,
  row: ListingRow,
  given: Signed,
  words: (deadline: number) => TypedData,
): Promise<void> {
  if (ctx.actor.kind === 'system') return
  if (ctx.actor.kind !== 'person') throw ownerNotSigned(row.agentId)
  const { deadline, signature } = given
  const now = seconds(ctx.clock.now())
  if (deadline === undefined || signature === undefined || deadline <= now || deadline > now + validSeconds)
    throw ownerNotSigned(row.agentId)
  const { address } = ctx.actor
  const isOwn = await ctx.ports.verifyWallet.typedData({ address, typedData: words(deadline), signature: signature as `0x${string}` })
  if (!isOwn) throw ownerNotSigned(row.agentId)
}

/** Uses the signature up: of two at the same moment one counts. @throws version.conflict */
export async function spendOwnerNonce(tx: Context, { agentId, ownerNonce }: ListingRow): Promise<void> {
  const { count } = await tx.db.listing.updateMany({ where: { agentId, ownerNonce }, data: { ownerNonce: { increment: 1 } } })
  if (count !== 1) throw versionConflict('The listing')
}
