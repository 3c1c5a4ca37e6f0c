/** The quota of listings per wallet, and the check that no listing can be mistaken for another wallet's. */
import type { ListingDraft } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import { handleTaken, listingNameTaken, tooManyListings } from '../errors.ts'
import { nameLikeness } from '../names/name-rules.ts'

/** Whether the wallet may have one listing more, until the transaction ends. @throws listing.too_many */
export async function requireListingQuota(tx: Context, ownerId: string): Promise<void> {
  await lockUntilCommit(tx, `listings of ${ownerId}`)
  const maxListings = tx.market.listingsPerWallet
  const count = await tx.db.listing.count({ where: { ownerId, origin: null, withdrawnAt: null, front: null } })
  if (count >= maxListings) throw tooManyListings(maxListings)
}

/** Whether no other owner has a listing on offer whose name would be taken for this one, until the transaction ends. @throws listing.name_taken */
export async function requireDistinctName(tx: Context, draft: Pick<ListingDraft, 'name' | 'handle'>, ownerId: string): Promise<void> {
  const likeness = nameLikeness(draft.name)
  await lockUntilCommit(tx, `name ${likeness}`)
  await fillMissingLikeness(tx)
  const other = await tx.db.listing.findFirst({
    where: { likeness, withdrawnAt: null, origin: null, ownerId: { not: ownerId } },
    select: { handle: true, name: true },
  })
  // The same at the same moment: the handle says it more plainly.
  if (other?.handle === draft.handle) throw handleTaken(draft.handle, false)
  if (other) throw listingNameTaken(draft.name, other.name, other.handle)
}

/** `nameLikeness` of a handle, whose letters are few, in the words of an index: `require-room.test.ts` holds the two against each other. */
export const handleLikenessSql = `replace(translate(replace("handle", '-', ''), 'i01', 'lol'), 'm', 'rn')`

/** Whether no other owner has a listing on offer whose handle would be taken for this one, until the transaction ends. @throws listing.name_taken */
export async function requireDistinctHandle(tx: Context, { handle }: Pick<ListingDraft, 'handle'>, ownerId: string): Promise<void> {
  const looks = nameLikeness(handle)
  await lockUntilCommit(tx, `handle ${looks}`)
  const [other] = await tx.db.$queryRaw<{ handle: string }[]>`
    select "handle" from "listing"
    where ${Prisma.raw(handleLikenessSql)} = ${looks} and "withdrawnAt" is null and "origin" is null and "ownerId" <> ${ownerId} limit 1`
  if (other?.handle === handle) throw handleTaken(handle, false)
  if (other) throw listingNameTaken(handle, other.handle, other.handle)
}

/** Names that were written before likenesses were kept get theirs, some at a time. */
async function fillMissingLikeness(tx: Context): Promise<void> {
  const former = await tx.db.listing.findMany({ where: { likeness: '' }, take: 500, select: { agentId: true, name: true } })
  for (const { agentId, name } of former)
    await tx.db.listing.update({ where: { agentId }, data: { likeness: nameLikeness(name) || agentId } })
}

async function lockUntilCommit(tx: Context, what: string): Promise<void> {
  await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`
}
