/** The next version of a charter where somebody falls out of it: other hands for the step, or else another way to the same. Pure. */
import type { Charter, CharterStep } from '@parley/protocol'
import { listed } from '../../artifacts/table-series.ts'
import { sumOf, withoutDropped, withStandIns } from '../charter/build-charter.ts'
import { routeText, withRoute } from '../charter/replan.ts'
import { parseGoal } from '../intent/parse-goal.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { attemptOf } from '../room/reduce.ts'
import type { Need } from '../sourcing/gap.ts'
import { handleOf, planningInput, type Scene } from './decision-context.ts'

export type NextVersion = {
  readonly charter: Charter
  /** What the room is told of it. */
  readonly says: string
}

/** `numbers`: the steps that have lost their agent. Undefined where `offers` and the money lead nowhere. */
export function nextVersion(
  scene: Scene,
  charter: Charter,
  numbers: readonly number[],
  offers: readonly SkillOffer[],
): NextVersion | undefined {
  const { floor, offer, self } = scene
  const now = withoutDropped(charter, floor.dropped, self)
  const payable = BigInt(offer.payable)
  const sameWay = withStandIns(now, numbers, offers, payable)
  if (sameWay) {
    const hands = sameWay.steps.filter((step) => numbers.includes(step.step))
    return { charter: sameWay, says: `I ask ${listed(hands.map((step) => handleOf(scene, step.sender_id)))} instead.` }
  }
  const { goal } = planningInput(scene)
  const parsed = parseGoal(goal, offers)
  const wish = 'wish' in parsed ? parsed.wish : undefined
  const kept = now.steps
    .map((step) => step.step)
    .filter((step) => !numbers.includes(step) && ['completed', 'open'].includes(attemptOf(floor, step)?.status ?? ''))
  const otherWay = withRoute({
    charter: now,
    kept: new Set(kept),
    wanted: wish?.wants.map((want) => want.type) ?? [],
    givens: wish?.givens ?? [],
    offers,
    payable,
  })
  return (
    otherWay && { charter: otherWay, says: `Nobody else has that skill, so I take another way to the same: ${routeText(now, otherWay)}.` }
  )
}

/** What others are asked for where steps have lost their agent: the types that those steps were to make, for what is left. */
export function needFor({ offer }: Scene, charter: Charter, steps: readonly CharterStep[]): Need {
  const left = BigInt(offer.payable) - sumOf(charter.steps) + sumOf(steps)
  return { outputs: [...new Set(steps.flatMap((step) => step.outputs))].slice(0, 8), max_price: left.toString() }
}
