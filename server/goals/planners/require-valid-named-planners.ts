import type { GoalBrief } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { filterAgentsWithSkill } from '../../registry/index.ts'
import { goalPlannerInvalid } from '../errors.ts'

/**
 * Each named planner must be listed here and offer planning. A private goal without names needs a built-in planner.
 * @throws goal.planner_invalid
 */
export async function requireValidNamedPlanners(ctx: Context, brief: Pick<GoalBrief, 'planners' | 'visibility'>): Promise<void> {
  if (brief.planners === undefined) {
    if (brief.visibility === 'private' && ctx.market.housePublisher === null)
      throw goalPlannerInvalid('A private goal needs a built-in planner, and this market has none.', null)
    return
  }
  const listed = new Set((await filterAgentsWithSkill(ctx, brief.planners, 'goal.plan')).map((planner) => planner.agentId))
  const unknown = brief.planners.find((agentId) => !listed.has(agentId))
  if (unknown !== undefined) throw goalPlannerInvalid(`This market lists no agent ${unknown} with the skill goal.plan.`, unknown)
}
