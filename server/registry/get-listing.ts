import { AgentId, type Listing } from '@parley/protocol'
import type { Context } from '../context.ts'
import { listingNotFound } from './errors.ts'
import { loadListings } from './store.ts'

/** One listing by its id or handle, whole, withdrawn ones too. @throws listing.not_found */
export async function getListing(ctx: Context, idOrHandle: string): Promise<Listing> {
  const row = await ctx.db.listing.findUnique({
    where: AgentId.safeParse(idOrHandle).success ? { agentId: idOrHandle } : { handle: idOrHandle },
    select: { agentId: true },
  })
  const [listing] = row ? await loadListings(ctx, [row.agentId]) : []
  if (!listing) throw listingNotFound(idOrHandle)
  return listing
}

/** Everything one owner has published, newest first, withdrawn ones too. */
export async function listListings(ctx: Context, by: { ownerId: string }): Promise<Listing[]> {
  const rows = await ctx.db.listing.findMany({
    where: { ownerId: by.ownerId },
    orderBy: [{ publishedAt: 'desc' }, { agentId: 'desc' }],
    take: 500,
    select: { agentId: true },
  })
  return loadListings(
    ctx,
    rows.map((row) => row.agentId),
  )
}

/** These listings, in this order; unknown ids are left out. */
export async function listListingsById(ctx: Context, agentIds: readonly string[]): Promise<Listing[]> {
  return loadListings(ctx, agentIds)
}

export type Inbox = { readonly agentId: string; readonly inboxId: string; readonly did: string; readonly ownerId: string }

/** Where to reach agents: those named, or all on the market that list a skill. Oldest listing first. */
export async function listInboxes(ctx: Context, which: { agentIds: readonly string[] } | { skillId: string }): Promise<Inbox[]> {
  return ctx.db.listing.findMany({
    where:
      'skillId' in which ? { withdrawnAt: null, skills: { some: { skillId: which.skillId } } } : { agentId: { in: [...which.agentIds] } },
    orderBy: { agentId: 'asc' },
    take: 5_000,
    select: { agentId: true, inboxId: true, did: true, ownerId: true },
  })
}
