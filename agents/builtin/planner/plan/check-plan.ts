/** What a plan of anybody's is held against before it is proposed: types and budget, the deadline, and what its agents allow. */

import { findPlanErrors, type Plan, type PlanningProblem } from './plan.ts'
import type { SkillOffer } from './skill-offers.ts'

/** A step is given this long at least, and talk, signatures and the chain as long once. */
export const minStepMs = 5_000
/** With the principal's own. */
const maxSteps = 60

/** What is wrong, in sentences that say how to mend it. `msLeft`: until the deadline. */
export function listPlanErrors(plan: Plan, task: PlanningProblem, msLeft: number): string[] {
  return [...findPlanErrors(plan, task), ...deadlineFaults(plan, msLeft), ...policyFaults(plan)]
}

function deadlineFaults({ critical_path }: Plan, msLeft: number): string[] {
  const needed = (critical_path.length + 1) * minStepMs
  return needed > msLeft
    ? [
        `${critical_path.length} steps stand one after the other, which takes ${needed / 1_000} s at least; ${Math.max(0, Math.floor(msLeft / 1_000))} s are left.`,
      ]
    : []
}

/** More at the same time than an agent takes, and more steps than a charter holds. */
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
