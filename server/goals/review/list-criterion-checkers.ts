import { type CriterionChecker, chooseCriterionCheckers } from '../../../agents/builtin/reviewer/criteria/index.ts'
import type { Goal } from '../goal.ts'

/** Who checks each criterion of a goal. `steps`: of its charter, as far as there is one. */
export function listCriterionCheckers(
  goal: Goal,
  steps: readonly { readonly skillId: string; readonly agentId: string }[],
): CriterionChecker[] {
  return chooseCriterionCheckers(
    goal.criteria.map(({ text }) => text),
    steps,
  )
}
