/** The check that no listing can be mistaken for one of another wallet. */
import type { ListingDraft } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { Prisma } from '../../db.ts'
import { handleTaken, listingNameTaken } from '../errors.ts'
import { skeletonOf } from './name-faults.ts'

/** `isOwnerProved`: the owner has signed in, and is not only the payee that a caller has named. */
export type ListingOwner = { readonly ownerId: string; readonly isOwnerProved: boolean }

/**
 * The listings whose names an owner may not resemble. Anyone can publish without a login, so such a listing takes no name from an owner
 * who has signed in.
 */
function namesOfOthers({ ownerId, isOwnerProved }: ListingOwner) {
  return isOwnerProved ? { ownerId: { not: ownerId }, isOwnerProved } : { NOT: { ownerId, isOwnerProved } }
}

/**
 * Checks that no other owner has a listing with a confusable name, and holds the lock until the transaction ends.
 * @throws listing.name_taken
 */
export async function requireDistinctName(tx: Context, draft: Pick<ListingDraft, 'name' | 'handle'>, owner: ListingOwner): Promise<void> {
  const nameSkeleton = skeletonOf(draft.name)
  await lockUntilCommit(tx, `name ${nameSkeleton}`)
  await fillMissingSkeletons(tx)
  const other = await tx.db.listing.findFirst({
    where: { nameSkeleton, withdrawnAt: null, origin: null, ...namesOfOthers(owner) },
    select: { handle: true, name: true },
  })
  // A concurrent publication of the same listing: the error about the handle is clearer.
  if (other?.handle === draft.handle) throw handleTaken(draft.handle, false)
  if (other) throw listingNameTaken(draft.name, other.name, other.handle)
}

/** `skeletonOf` of a handle as SQL, for an index. A test compares both. */
export const handleSkeletonSql = `replace(translate(replace("handle", '-', ''), 'i01', 'lol'), 'm', 'rn')`

/**
 * Checks that no other owner has a listing with a confusable handle, and holds the lock until the transaction ends.
 * @throws listing.name_taken
 */
export async function requireDistinctHandle(tx: Context, { handle }: Pick<ListingDraft, 'handle'>, owner: ListingOwner): Promise<void> {
  const skeleton = skeletonOf(handle)
  const { ownerId, isOwnerProved } = owner
  await lockUntilCommit(tx, `handle ${skeleton}`)
  const [other] = await tx.db.$queryRaw<{ handle: string }[]>`
    select "handle" from "listing"
    where ${Prisma.raw(handleSkeletonSql)} = ${skeleton} and "withdrawnAt" is null and "origin" is null
      and ("ownerId" <> ${ownerId} or "isOwnerProved" <> ${isOwnerProved}) and ("isOwnerProved" or not ${isOwnerProved}) limit 1`
  if (other?.handle === handle) throw handleTaken(handle, false)
  if (other) throw listingNameTaken(handle, other.handle, other.handle)
}

/** Computes the skeletons of names that were stored without one, in batches. */
async function fillMissingSkeletons(tx: Context): Promise<void> {
  const former = await tx.db.listing.findMany({ where: { nameSkeleton: '' }, take: 500, select: { agentId: true, name: true } })
  for (const { agentId, name } of former)
    await tx.db.listing.update({ where: { agentId }, data: { nameSkeleton: skeletonOf(name) || agentId } })
}
