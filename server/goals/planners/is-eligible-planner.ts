import type { Context } from '../../context.ts'
import type { Goal } from '../goal.ts'

/** An agent that offers to plan, as far as a goal asks about it. */
export type Planner = { readonly agentId: string; readonly ownerId: string }

/**
 * Whether a goal may be offered to this planner, and claimed by it: one that its client has named; where none is named, any of
 * a public goal, and of a private goal the one that is built in.
 */
export function isEligiblePlanner(
  { market }: Pick<Context, 'market'>,
  goal: Pick<Goal, 'planners' | 'visibility'>,
  planner: Planner,
): boolean {
  if (goal.planners.length > 0) return goal.planners.includes(planner.agentId)
  return goal.visibility === 'public' || (market.housePublisher !== null && planner.ownerId === market.housePublisher)
}
