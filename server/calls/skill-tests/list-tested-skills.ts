import type { Context } from '../../context.ts'
import { listOwnAgents, readSkillsOfAgents } from '../../registry/index.ts'
import { skillDigest } from './skill-test.ts'

export type TestedSkill = { readonly agent_id: string; readonly skill_id: string }

/**
 * The skills of the agents that have passed a test as they are now. The agents that are part of Parley count as tested, because its own
 * tests run their skills.
 */
export async function listTestedSkills(ctx: Context, agentIds: readonly string[]): Promise<TestedSkill[]> {
  const { housePublisher } = ctx.market
  const [skills, own, passed] = await Promise.all([
    readSkillsOfAgents(ctx, agentIds),
    housePublisher === null ? [] : listOwnAgents(ctx, housePublisher),
    ctx.db.skillTest.findMany({
      where: { agentId: { in: [...agentIds] }, passedAt: { not: null } },
      select: { agentId: true, skillId: true, digest: true },
    }),
  ])
  const builtinIds = new Set<string>(own.map(({ agentId }) => agentId))
  const known = new Set(passed.map(({ agentId, skillId, digest }) => `${agentId} ${skillId} ${digest}`))
  return skills
    .filter(({ agentId, skill }) => builtinIds.has(agentId) || known.has(`${agentId} ${skill.id} ${skillDigest(skill)}`))
    .map(({ agentId, skill }) => ({ agent_id: agentId, skill_id: skill.id }))
}
