/** Who checks a criterion: a rule, an agent of the plan, or the client. */
import { readCriterionRule } from './criterion-rule.ts'

/** `agentId`: of the reviewer, if it is an agent. A reviewer may still leave a criterion to the client. */
export type CriterionChecker = { readonly text: string; readonly by: 'rule' | 'agent' | 'client'; readonly agentId: string | null }

/** The skill with which an agent reviews a goal's criteria. */
const reviewWorkSkill = 'work.review'

export function chooseCriterionCheckers(
  criteria: readonly string[],
  steps: readonly { readonly skillId: string; readonly agentId: string }[],
): CriterionChecker[] {
  const reviewer = steps.find(({ skillId }) => skillId === reviewWorkSkill)?.agentId ?? null
  return criteria.map((text): CriterionChecker => {
    if (readCriterionRule(text) !== null) return { text, by: 'rule', agentId: null }
    return reviewer === null ? { text, by: 'client', agentId: null } : { text, by: 'agent', agentId: reviewer }
  })
}
