/** Checks of every plan before it is proposed: types, budget, deadline, and the limits of its agents. */

import type { TeamPreferences } from '@parley/protocol'
import { planTeamFaults } from './filter-offers-by-team-preferences.ts'
import { findPlanErrors, type Plan, type PlanningProblem } from './plan.ts'
import type { SkillOffer } from './skill-offers.ts'

/** Minimum time for each step on the critical path, and once for signatures and the chain. */
export const minStepMs = 5_000
/** Including the planner's own step. */
const maxSteps = 60

/** Errors as sentences that a model can correct. @param msLeft until the deadline @param team what the client says about it */
export function listPlanErrors(plan: Plan, task: PlanningProblem, msLeft: number, team?: TeamPreferences): string[] {
  return [...findPlanErrors(plan, task), ...deadlineFaults(plan, msLeft), ...policyFaults(plan), ...planTeamFaults(plan, team)]
}

function deadlineFaults({ critical_path }: Plan, msLeft: number): string[] {
  const needed = (critical_path.length + 1) * minStepMs
  return needed > msLeft
    ? [
        `${critical_path.length} steps stand one after the other, which takes ${needed / 1_000} s at least; ${Math.max(0, Math.floor(msLeft / 1_000))} s are left.`,
      ]
    : []
}

/** Checks the concurrency of each agent, and the number of steps. */
function policyFaults({ steps }: Plan): string[] {
  const faults =
    steps.length >= maxSteps ? [`The plan has ${steps.length} steps; a charter holds ${maxSteps - 1} beside the planner's.`] : []
  const before = new Map<number, Set<number>>()
  for (const { step, depends_on } of steps) before.set(step, new Set(depends_on.flatMap((one) => [one, ...(before.get(one) ?? [])])))
  const isApart = (a: number, b: number) => a !== b && !before.get(a)?.has(b) && !before.get(b)?.has(a)
  const byAgent = Map.groupBy(steps, (step) => step.offer.agent_id)
  for (const [, own] of byAgent) {
    const offer = own[0]?.offer as SkillOffer
    const atOnce = Math.max(...own.map((one) => 1 + own.filter((other) => isApart(one.step, other.step)).length))
    if (atOnce > offer.max_concurrency)
      faults.push(`${offer.handle} would have ${atOnce} steps at the same time; it takes ${offer.max_concurrency}.`)
  }
  return faults
}
