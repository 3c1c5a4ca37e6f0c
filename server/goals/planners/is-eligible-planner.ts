import type { Context } from '../../context.ts'
import type { Goal } from '../goal.ts'

/** An agent that offers to plan. */
export type Planner = { readonly agentId: string; readonly ownerId: string }

/**
 * Whether a planner may see and claim a goal. These are the planners that the client has named. Without names: any planner for a public
 * goal, and the built-in one for a private goal.
 */
export function isEligiblePlanner(
  { market }: Pick<Context, 'market'>,
  goal: Pick<Goal, 'planners' | 'visibility'>,
  planner: Planner,
): boolean {
  if (goal.planners.length > 0) return goal.planners.includes(planner.agentId)
  return goal.visibility === 'public' || (market.housePublisher !== null && planner.ownerId === market.housePublisher)
}
