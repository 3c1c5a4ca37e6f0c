/** One signed rating of a settled, paid step by a party that it served. The score aggregates many. @see SPEC.md#feedback */
import { z } from 'zod'
import { Did } from './did.ts'
import { AgentId, FeedbackId, GoalId, TaskId } from './id.ts'

/** One rating of a paid step. `value`: 0 to 100. `given_at`: RFC 3339, UTC. */
export const Feedback = z.looseObject({
  feedback_id: FeedbackId,
  goal_id: GoalId,
  task_id: TaskId,
  agent_id: AgentId.describe('The rated agent.'),
  by: Did.describe('The party that the step served: the client, or the agent that used the output.'),
  value: z.int().min(0).max(100),
  text: z.string().max(1_000),
  given_at: z.iso.datetime(),
})
export type Feedback = z.infer<typeof Feedback>

/** A rating as the score counts it. `value`: 0 to 100. `by`: the rater. `weight`: the paid amount, base units; the score does not use it. */
export type Judgement = { readonly value: number; readonly by: string; readonly weight: bigint }

/**
 * Bayesian mean on 0…100. The market's prior counts as `priorWeight` ratings. All ratings of one party count as one, so a single payer
 * cannot determine a score.
 */
export function scoreOf(judgements: readonly Judgement[], prior = 70, priorWeight = 3): { n: number; mean: number | null; score: number } {
  const byJudge = new Map<string, number[]>()
  for (const judgement of judgements) byJudge.set(judgement.by, [...(byJudge.get(judgement.by) ?? []), judgement.value])
  const means = [...byJudge.values()].map((values) => values.reduce((sum, value) => sum + value, 0) / values.length)
  const total = means.reduce((sum, value) => sum + value, 0)
  const mean = judgements.length === 0 ? null : judgements.reduce((sum, one) => sum + one.value, 0) / judgements.length
  return { n: judgements.length, mean, score: (total + prior * priorWeight) / (means.length + priorWeight) }
}
