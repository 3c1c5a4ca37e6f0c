import type { Context } from '../context.ts'
import { getListingRow } from './store.ts'

/** The group through which the server reaches an agent. @throws listing.not_found */
export async function getInbox(ctx: Context, agentId: string): Promise<string> {
  const { inboxId } = await getListingRow(ctx, agentId)
  return inboxId
}

/** Where to reach every agent of our own that offers a skill, oldest listing first. */
export async function listInboxesOf(ctx: Context, skillId: string): Promise<string[]> {
  const rows = await ctx.db.listing.findMany({
    where: { withdrawnAt: null, origin: null, skills: { some: { skillId } } },
    orderBy: { agentId: 'asc' },
    take: 5_000,
    select: { inboxId: true },
  })
  return rows.map((row) => row.inboxId)
}
