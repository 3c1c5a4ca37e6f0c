import type { Context } from '../../context.ts'
import { readSkills } from '../../registry/index.ts'
import { skillDigest } from './skill-test.ts'

export type TestedSkill = { readonly agent_id: string; readonly skill_id: string }

/** The skills of the agents that have passed a test as they are now. */
export async function listTestedSkills(ctx: Context, agentIds: readonly string[]): Promise<TestedSkill[]> {
  const [skills, passed] = await Promise.all([
    readSkills(ctx, agentIds),
    ctx.db.skillTest.findMany({
      where: { agentId: { in: [...agentIds] }, passedAt: { not: null } },
      select: { agentId: true, skillId: true, digest: true },
    }),
  ])
  const known = new Set(passed.map(({ agentId, skillId, digest }) => `${agentId} ${skillId} ${digest}`))
  return skills
    .filter(({ agentId, skill }) => known.has(`${agentId} ${skill.id} ${skillDigest(skill)}`))
    .map(({ agentId, skill }) => ({ agent_id: agentId, skill_id: skill.id }))
}
