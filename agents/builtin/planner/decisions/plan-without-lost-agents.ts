/** The next version of a charter that has lost agents: other agents for their steps, or else a new plan for the rest. */
import type { Charter, CharterStep } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { returnAmountsToParentSteps, totalAmount } from '../charter/build-charter.ts'
import { replaceAgents } from '../charter/replace-agents.ts'
import { describeNewSteps, replanCharter } from '../charter/replan-charter.ts'
import { parseGoal } from '../intent/parse-goal.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { lastAttempt } from '../room/planner-room-state.ts'
import type { Gap } from '../sourcing/find-missing-artifact-types.ts'
import { type DecisionContext, shownHandle } from './decision-context.ts'
import { toPlanningInput } from './to-planning-input.ts'

export type NextCharter = {
  readonly charter: Charter
  /** The sentence that the planner posts. */
  readonly announcement: string
}

/** Undefined if there is no such version. @param numbers of the steps without an agent */
export function planWithoutLostAgents(
  context: DecisionContext,
  charter: Charter,
  numbers: readonly number[],
  offers: readonly SkillOffer[],
): NextCharter | undefined {
  const { room, offer, self } = context
  const now = returnAmountsToParentSteps(charter, room.canceled, self)
  const payable = BigInt(offer.payable)
  const sameWay = replaceAgents(now, numbers, offers, payable)
  if (sameWay) {
    const hands = sameWay.steps.filter((step) => numbers.includes(step.step))
    return { charter: sameWay, announcement: `I ask ${formatList(hands.map((step) => shownHandle(context, step.sender_id)))} instead.` }
  }
  const { goal } = toPlanningInput(context)
  const parsed = parseGoal(goal, offers)
  const intent = 'intent' in parsed ? parsed.intent : undefined
  const kept = now.steps
    .map((step) => step.step)
    .filter((step) => !numbers.includes(step) && ['completed', 'open'].includes(lastAttempt(room, step)?.status ?? ''))
  const otherWay = replanCharter({
    charter: now,
    kept: new Set(kept),
    wanted: intent?.wants.map((want) => want.type) ?? [],
    givens: intent?.givens ?? [],
    offers,
    payable,
  })
  return (
    otherWay && {
      charter: otherWay,
      announcement: `No other agent has that skill, so I reach the same result by other steps: ${describeNewSteps(now, otherWay)}.`,
    }
  )
}

/** The gap for a gateway search: the outputs of these steps, for the rest of the budget. */
export function gapFor({ offer }: DecisionContext, charter: Charter, steps: readonly CharterStep[]): Gap {
  const left = BigInt(offer.payable) - totalAmount(charter.steps) + totalAmount(steps)
  return { outputs: [...new Set(steps.flatMap((step) => step.outputs))].slice(0, 8), max_price: left.toString() }
}
