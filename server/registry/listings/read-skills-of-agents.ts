import type { Skill } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { skillOf } from './listing.ts'

/** The skills of some agents, as they are listed now. */
export async function readSkillsOfAgents(
  ctx: Context,
  agentIds: readonly string[],
): Promise<{ readonly agentId: string; readonly skill: Skill }[]> {
  const rows = await ctx.db.listingSkill.findMany({ where: { agentId: { in: [...agentIds] } } })
  return rows.map((row) => ({ agentId: row.agentId, skill: skillOf(row) }))
}
