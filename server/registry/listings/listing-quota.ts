import type { Context } from '../../context.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { tooManyListings } from '../errors.ts'

/**
 * Checks the wallet's quota, and holds its lock until the transaction ends.
 * @throws listing.quota_exceeded
 */
export async function requireListingQuota(tx: Context, ownerId: string): Promise<void> {
  await lockUntilCommit(tx, `listings of ${ownerId}`)
  const maxListings = tx.market.listingsPerWallet
  const count = await tx.db.listing.count({ where: { ownerId, origin: null, withdrawnAt: null, proxy: null } })
  if (count >= maxListings) throw tooManyListings(maxListings)
}
