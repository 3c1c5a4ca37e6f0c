import { keyChangeTypedData } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { versionConflict } from '../../errors.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { ownerNotSigned } from '../errors.ts'
import type { ListingRow } from './listing.ts'
import { getListingRow, requireNotProxy, requireOwner } from './listing-store.ts'

type OwnerSignature = { readonly deadline?: number | undefined; readonly signature?: string | undefined }
/** What the owner's wallet signs, and its deadline in Unix seconds. */
export type OwnerTerms = { readonly typedData: Eip712TypedData; readonly deadline: number }

/** How long an owner's signature is valid, seconds. */
export const ownerSignatureSeconds = 3_600

/**
 * What the owner signs for a new token.
 * @throws listing.not_owner
 */
export async function getKeyTerms(ctx: Context, agentId: string, unbind: boolean): Promise<OwnerTerms> {
  const row = await requireOwnListing(ctx, agentId)
  const deadline = seconds(ctx.clock.now()) + ownerSignatureSeconds
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

/** The EIP-712 data of a new token, for the owner's wallet. */
export function keyChangeData(
  { market }: Context,
  row: ListingRow,
  given: { readonly unbind: boolean; readonly deadline: number },
): Eip712TypedData {
  return keyChangeTypedData(signedListingFields(market.chainId, row, given.deadline), { did: row.did, unbind: given.unbind })
}

/** The fields of all data that an owner signs about a listing. */
export function signedListingFields(chainId: number, { agentId, handle, ownerNonce }: ListingRow, deadline: number) {
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
  if (deadline === undefined || signature === undefined || deadline <= now || deadline > now + ownerSignatureSeconds)
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
