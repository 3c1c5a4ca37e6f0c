import type { Context } from '../../context.ts'
import { offlineAfterMs } from '../presence.ts'

/** An agent that offers a skill, with its owner and inbox. */
export type AgentWithSkill = { readonly agentId: string; readonly ownerId: string; readonly inboxId: string; readonly isOnline: boolean }

/** The maximum number of agents per owner. */
const maxPerOwner = 20
const maxTotal = 5_000

/**
 * Our own agents with a skill. Owners are served round-robin, oldest listing first, so that an owner with many listings blocks no other.
 */
export async function listAgentsWithSkill(ctx: Context, skillId: string): Promise<AgentWithSkill[]> {
  const receivedSince = new Date(ctx.clock.now().getTime() - offlineAfterMs)
  return ctx.db.$queryRaw<AgentWithSkill[]>`
    select "agentId", "ownerId", "inboxId", "isOnline" from (
      select "listing".*, coalesce("presence"."leftAt" is null and "presence"."seenAt" >= ${receivedSince}, false) as "isOnline",
        row_number() over (partition by "ownerId" order by "listing"."agentId") as "turn"
      from "listing" left join "presence" using ("agentId")
      where "withdrawnAt" is null and "origin" is null
        and exists (select from "listing_skill" where "listing_skill"."agentId" = "listing"."agentId" and "skillId" = ${skillId})
    ) as "offering"
    where "turn" <= ${maxPerOwner} order by "turn", "agentId" limit ${maxTotal}`
}

/** Those of the given agents that are our own and offer a skill. All count as online: the client has named them. */
export async function filterAgentsWithSkill(ctx: Context, agentIds: readonly string[], skillId: string): Promise<AgentWithSkill[]> {
  const where = { agentId: { in: [...agentIds] }, withdrawnAt: null, origin: null, skills: { some: { skillId } } }
  const rows = await ctx.db.listing.findMany({
    where,
    select: { agentId: true, ownerId: true, inboxId: true },
    orderBy: { agentId: 'asc' },
  })
  return rows.map((row) => ({ ...row, isOnline: true }))
}

/** One owner's agents with a skill, oldest listing first. */
export async function listOwnerAgentsWithSkill(ctx: Context, ownerId: string, skillId: string): Promise<AgentWithSkill[]> {
  const where = { ownerId, withdrawnAt: null, origin: null, skills: { some: { skillId } } }
  const select = { agentId: true, ownerId: true, inboxId: true }
  const rows = await ctx.db.listing.findMany({ where, select, orderBy: { agentId: 'asc' }, take: maxPerOwner })
  return rows.map((row) => ({ ...row, isOnline: true }))
}
