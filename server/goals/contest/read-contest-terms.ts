import type { Contest, GoalBrief, PostGoal } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { getHold } from '../../settlement/index.ts'
import { contestInvalid } from '../errors.ts'
import type { Goal } from '../goal.ts'
import { type ContestTerms, findContestFault } from './next-contest-action.ts'

/** The terms of a posted contest. */
export async function readContestTerms(ctx: Context, goal: Goal): Promise<ContestTerms> {
  const { contest, onSilence, deadline } = goal
  if (contest === null) throw new Error(`goal ${goal.id} is no contest`)
  const { vetoSeconds } = await getHold(ctx, goal.id)
  return { contest, onSilence, deadline, vetoHours: vetoSeconds / 3_600 }
}

/**
 * Passes if the goal is no contest, or can be one.
 * @throws goal.contest_invalid
 */
export function requireContest(ctx: Context, { goal, quote }: Pick<PostGoal, 'goal' | 'quote'>): void {
  if (!goal.contest) return
  const fault = findMixture(goal, quote !== undefined) ?? findContestFault(termsOf(goal, goal.contest), ctx.clock.now())
  if (fault !== null) throw contestInvalid(fault)
}

const termsOf = ({ on_silence, deadline, veto_hours }: GoalBrief, contest: Contest): ContestTerms => ({
  ...{ contest, onSilence: on_silence, deadline: new Date(deadline), vetoHours: veto_hours },
})

/** Why other terms of the goal do not go with a contest. */
function findMixture({ planner, team, contest }: GoalBrief, isQuoted: boolean): string | null {
  if (isQuoted) return 'A contest has no quote: its entries name their prices.'
  if (planner !== 'deterministic') return 'A contest is not planned here. Leave `planner` out.'
  return team && contest ? 'A contest has no team preferences. Name the agents that can submit in `planners`.' : null
}
