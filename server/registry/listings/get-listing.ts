import { AgentId, type Listing } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { limitPageBytes } from '../../db/limit-page-bytes.ts'
import { listingNotFound } from '../errors.ts'
import { loadListings } from './listing-store.ts'

/**
 * One complete listing by its id or handle, including withdrawn ones.
 * @throws listing.not_found
 */
export async function getListing(ctx: Context, idOrHandle: string): Promise<Listing> {
  const row = await ctx.db.listing.findUnique({
    where: AgentId.safeParse(idOrHandle).success ? { agentId: idOrHandle } : { handle: idOrHandle },
    select: { agentId: true },
  })
  const [listing] = row ? await loadListings(ctx, [row.agentId]) : []
  if (!listing) throw listingNotFound(idOrHandle)
  return listing
}

/** The maximum number of listings per page. */
const pageSize = 50

/**
 * One page of an owner's listings, newest first, including withdrawn ones. `next`: the cursor. Long texts are left out; `getListing` has
 * them.
 */
export async function listListings(
  ctx: Context,
  { ownerId, after }: { ownerId: string; after?: string | undefined },
): Promise<{ listings: Listing[]; next: string | null }> {
  const rows = await ctx.db.listing.findMany({
    where: { ownerId },
    orderBy: [{ publishedAt: 'desc' }, { agentId: 'desc' }],
    ...(after !== undefined && { cursor: { agentId: after }, skip: 1 }),
    take: pageSize + 1,
    select: { agentId: true },
  })
  const ids = rows.slice(0, pageSize).map((row) => row.agentId)
  const listings = limitPageBytes(await loadListings(ctx, ids, { isShort: true }))
  return { listings, next: listings.length < rows.length ? (listings.at(-1)?.agent_id ?? null) : null }
}

export type OwnAgent = { readonly agentId: string; readonly name: string; readonly handle: string }

/** The names of all listings of an owner, newest first, including withdrawn ones. */
export async function listOwnAgents(ctx: Context, ownerId: string): Promise<OwnAgent[]> {
  return ctx.db.listing.findMany({
    where: { ownerId },
    orderBy: [{ publishedAt: 'desc' }, { agentId: 'desc' }],
    take: 500,
    select: { agentId: true, name: true, handle: true },
  })
}
