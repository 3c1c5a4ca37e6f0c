import type { Context } from '../context.ts'
import { getListingRow } from './store.ts'

/** The group through which the server reaches an agent. @throws listing.not_found */
export async function getInbox(ctx: Context, agentId: string): Promise<string> {
  const { inboxId } = await getListingRow(ctx, agentId)
  return inboxId
}

/** Every agent of our own that offers a skill, whose it is and where to reach it; oldest listing first. */
export async function listAgentsOf(ctx: Context, skillId: string): Promise<{ agentId: string; ownerId: string; inboxId: string }[]> {
  return ctx.db.listing.findMany({
    where: { withdrawnAt: null, origin: null, skills: { some: { skillId } } },
    orderBy: { agentId: 'asc' },
    take: 5_000,
    select: { agentId: true, ownerId: true, inboxId: true },
  })
}
