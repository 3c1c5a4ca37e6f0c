/** The values of a step after the client has requested changes: those of a plan for the goal with the client's new words. */
import type { CharterStep, TaskInput } from '@parley/protocol'
import { planBySearch } from '../strategies/deterministic-strategy.ts'
import type { DecisionContext } from './decision-context.ts'
import { toPlanningInput } from './to-planning-input.ts'

/**
 * The same inputs, where a plan for the goal and the requested changes fills a value of the same skill otherwise. Files and outputs of
 * other steps stay. If the words fit no plan, the inputs stay, and the agent has the client's words in its description.
 */
export function reviseStepInputs(context: DecisionContext, step: CharterStep, inputs: readonly TaskInput[]): readonly TaskInput[] {
  const input = toPlanningInput(context)
  const words = context.room.revisions.map(({ reason }) => reason)
  const planned = planBySearch({ ...input, goal: { ...input.goal, text: [input.goal.text, ...words].join('\n') } })
  if (!('plan' in planned)) return inputs
  const same = planned.plan.steps.find(({ offer }) => offer.skill.id === step.skill_id)
  if (!same) return inputs
  return inputs.map((one) => {
    const given = same.inputs.find(({ port, type }) => port === one.port && type === one.type)?.given
    return one.data !== undefined && given?.data !== undefined ? { ...one, data: { ...given.data } } : one
  })
}
