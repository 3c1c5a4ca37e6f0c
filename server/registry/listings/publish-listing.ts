import { type ListingDraft, type PublishListing, personDid } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { type Actor, actingAs, type Context } from '../../context.ts'
import { inTransaction, isUniqueViolation } from '../../db.ts'
import { enqueue, openInbox } from '../../delivery/index.ts'
import { issueAgentToken } from '../../identity/index.ts'
import { permit } from '../../policy/index.ts'
import { requireAcceptableContent } from '../../safety/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { handleTaken, listingMalformed, loginNeededToPublish, walletHasAccount } from '../errors.ts'
import { type ListingOwner, requireDistinctHandle, requireDistinctName } from '../names/require-distinct-name.ts'
import { listingFaults, listingUrl, webDid } from './listing.ts'
import { auditedTerms, columnsOf, saveSkills } from './listing-store.ts'
import { requireListingQuota } from './require-listing-quota.ts'
import { normalizeDraft, saveRoyalties } from './royalty-store.ts'

/** `token` is shown only once. */
export type PublishedListing = { agent_id: string; did: string; token: string; url: string; version: number }

/** Lists an agent for the owner's wallet, creates its inbox and its connect token. */
export async function publishListing(ctx: Context, input: PublishListing): Promise<PublishedListing> {
  await permit(ctx, 'listing.publish')
  return createListing(ctx, input.listing, provedOwner)
}

/** Lists the proxy of a resource. The gateway has its own quota. */
export function publishProxy(ctx: Context, listing: ListingDraft): Promise<PublishedListing> {
  return createListing(ctx, listing, { ...provedOwner, requireQuota: async () => undefined })
}

/** `isOwnerProved`: the owner has signed in. */
type Publication = { readonly isOwnerProved: boolean; requireQuota(tx: Context, ownerId: string): Promise<void> }
const provedOwner: Publication = { isOwnerProved: true, requireQuota: (tx, ownerId) => requireListingQuota(tx, ownerId, true) }

async function createListing(ctx: Context, listing: ListingDraft, publication: Publication): Promise<PublishedListing> {
  const { isOwnerProved, requireQuota } = publication
  const draft = normalizeDraft(listing)
  validateDraft(ctx, draft)
  const ownerId = ctx.actor.kind === 'person' ? ctx.actor.did : personDid(ctx.market.chainId, draft.payout)
  const earlier = await ctx.db.listing.findUnique({ where: { handle: draft.handle }, select: { ownerId: true } })
  if (earlier) throw handleTaken(draft.handle, earlier.ownerId === ownerId)
  try {
    return await inTransaction(ctx, async (tx) => {
      await requireQuota(tx, ownerId)
      const owner = { ownerId, isOwnerProved }
      await requireDistinctHandle(tx, draft, owner)
      await requireDistinctName(tx, draft, owner)
      return insertListing(tx, draft, owner)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw handleTaken(draft.handle, false)
    throw error
  }
}

async function insertListing(tx: Context, draft: ListingDraft, { ownerId, isOwnerProved }: ListingOwner): Promise<PublishedListing> {
  const now = tx.clock.now()
  const agentId = tx.ids.next('agt')
  const did = webDid(tx.market, draft.handle)
  const inboxId = await openInbox(tx)
  await tx.db.listing.create({
    data: {
      ...{ agentId, did, ownerId, isOwnerProved, inboxId, ...columnsOf(draft) },
      ...{ publishedAt: now, revisedAt: now, textSince: now, payoutSince: now },
    },
  })
  await saveSkills(tx, agentId, draft)
  await saveRoyalties(tx, agentId, draft)
  await tx.db.listingRevision.create({ data: { agentId, version: 1, body: draft as object, at: now } })
  const token = await issueAgentToken(tx, agentId)
  await appendAudit(tx, { stream: agentId, action: 'listing.publish', after: { owner: ownerId, did, ...auditedTerms(draft, 1) } })
  await enqueue(tx, { type: 'listing.published', agent_id: agentId })
  await sendSignal(tx, { topic: 'market', id: 'listings' })
  return { agent_id: agentId, did, token, url: listingUrl(tx.market, draft.handle), version: 1 }
}

/**
 * Validates a well-formed draft.
 * @throws request.malformed, content.refused
 */
export function validateDraft(ctx: Context, draft: ListingDraft): void {
  const [fault] = listingFaults(draft, ctx.market)
  if (fault !== undefined) throw listingMalformed(fault, { handle: draft.handle })
  requireAcceptableContent(ctx, draft, 'listing')
}

/**
 * Publishes without a login. Only on a chain without value, where the payout wallet counts as the owner if it has no account.
 * @throws auth.required elsewhere, or if the wallet has an account
 */
export async function publishWithoutLogin(ctx: Context, draft: ListingDraft): Promise<PublishedListing> {
  requireOpenPublishing(ctx)
  await requireUnclaimedPayout(ctx, draft)
  const owner = actingAs(ctx, payoutOwner(ctx, draft))
  await permit(owner, 'listing.publish')
  return createListing(owner, draft, { isOwnerProved: false, requireQuota: (tx, ownerId) => requireListingQuota(tx, ownerId, false) })
}

/**
 * Refuses a payout wallet whose owner must sign in: it has signed in before, is named by a listing of an owner who has, or belongs to the
 * installation.
 * @throws auth.required
 */
export async function requireUnclaimedPayout(ctx: Context, { payout }: Pick<ListingDraft, 'payout'>): Promise<void> {
  const { db, market } = ctx
  const did = personDid(market.chainId, payout)
  const isOwn = did === market.housePublisher || [market.evaluator, market.arbitrator, market.feeTo].includes(payout as `0x${string}`)
  const isClaimed =
    isOwn ||
    (await db.person.findUnique({ where: { id: did }, select: { id: true } })) !== null ||
    (await db.listing.findFirst({
      where: { isOwnerProved: true, origin: null, OR: [{ ownerId: did }, { payout }] },
      select: { agentId: true },
    })) !== null
  if (isClaimed) throw walletHasAccount(payout, new URL('/publish/new', market.publicUrl).toString())
}

/** @throws auth.required if publishing needs a login */
export function requireOpenPublishing({ market }: Context): void {
  if (!market.isLocalChain) throw loginNeededToPublish(new URL('/publish/new', market.publicUrl).toString())
}

/** The payout wallet as the owner. */
export function payoutOwner(ctx: Context, draft: ListingDraft): Actor {
  const address = draft.payout as `0x${string}`
  return { kind: 'person', did: personDid(ctx.market.chainId, address), address, isOperator: false }
}
