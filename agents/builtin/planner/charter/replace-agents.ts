/** The next version of a charter with other agents for some steps. */
import type { Charter, CharterStep } from '@parley/protocol'
import { compareOffers, priceOf, type SkillOffer } from '../plan/skill-offers.ts'
import { assigneeFields, totalAmount } from './build-charter.ts'

/** Offers that make a step's outputs from its inputs for at most `budget`, best first. */
export function findReplacements(charter: Charter, step: CharterStep, offers: readonly SkillOffer[], budget: bigint): SkillOffer[] {
  const have = new Set(step.inputs.map((input) => input.type))
  return offers
    .filter((offer) => offer.sender_id !== charter.principal_id && priceOf(offer) <= budget)
    .filter((offer) => step.outputs.every((type) => offer.skill.outputs.some((port) => port.type === type)))
    .filter((offer) => offer.skill.inputs.every((port) => port.optional || have.has(port.type)))
    .toSorted(compareOffers)
}

/** The step with another assignee. Its inputs move to the ports of the new skill by artifact type. */
export function reassignStep(step: CharterStep, offer: SkillOffer): CharterStep {
  const inputs = offer.skill.inputs.flatMap((port) => {
    const input = step.inputs.find((one) => one.type === port.type)
    return input ? [{ ...input, port: port.name }] : []
  })
  const { royalties: _former, ...kept } = step
  return { ...kept, ...assigneeFields(offer), inputs }
}

/** The next version with other agents for these steps; undefined if one of them has no replacement. */
export function replaceAgents(
  charter: Charter,
  numbers: readonly number[],
  offers: readonly SkillOffer[],
  payable: bigint,
): Charter | undefined {
  let steps = charter.steps
  for (const number of numbers) {
    const step = steps.find((one) => one.step === number)
    if (!step) return undefined
    const left = payable - totalAmount(steps) + BigInt(step.amount)
    const [offer] = findReplacements(charter, step, offers, left)
    if (!offer) return undefined
    steps = steps.map((one) => (one === step ? reassignStep(one, offer) : one))
  }
  return { ...charter, version: charter.version + 1, steps }
}
