import type { Context } from '../../context.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { tooManyListings } from '../errors.ts'

/**
 * Checks the wallet's quota, and holds its lock until the transaction ends. Listings without a proved owner have a quota of their own.
 * @throws listing.quota_exceeded
 */
export async function requireListingQuota(tx: Context, ownerId: string, isOwnerProved: boolean): Promise<void> {
  await lockUntilCommit(tx, `listings of ${ownerId}`)
  const maxListings = tx.market.listingsPerWallet
  const count = await tx.db.listing.count({ where: { ownerId, isOwnerProved, origin: null, withdrawnAt: null, proxy: null } })
  if (count >= maxListings) throw tooManyListings(maxListings)
}
