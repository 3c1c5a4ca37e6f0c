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
