import { ListingDraft } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { diffListings, type ListingFieldChange } from './listing-diff.ts'
import { getListingRow } from './listing-store.ts'

export type ListingRevision = {
  readonly version: number
  readonly at: string
  /** Compared with the previous version; the first has none. */
  readonly changes: readonly ListingFieldChange[]
  /** False if this version or the previous one does not parse. */
  readonly isReadable: boolean
}

/**
 * The last versions of a listing, newest first, each with its changes.
 * @throws listing.not_found
 */
export async function listRevisions(ctx: Context, agentId: string): Promise<ListingRevision[]> {
  await getListingRow(ctx, agentId)
  const rows = await ctx.db.listingRevision.findMany({ where: { agentId }, orderBy: { version: 'desc' }, take: 101 })
  const drafts = rows.map((row) => ListingDraft.safeParse(row.body).data)
  return rows.slice(0, 100).map((row, index) => {
    const after = drafts[index]
    const before = drafts[index + 1]
    const changes = before && after ? diffListings(before, after) : []
    // The first version has no previous one.
    return {
      version: row.version,
      at: row.at.toISOString(),
      changes,
      isReadable: after !== undefined && (before !== undefined || !rows[index + 1]),
    }
  })
}
