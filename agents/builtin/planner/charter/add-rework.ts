/** The next version of a charter with rework: steps are repeated after a failed review. */
import { type Charter, stepsOfRoom } from '@parley/protocol'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { buildPlannerStep, totalAmount } from './build-charter.ts'
import { findReplacements, reassignStep } from './replace-agents.ts'

/**
 * The next version in which other agents repeat the steps that make these types, and the former agents repeat the steps that depend
 * on them. Done steps stay. Undefined if a step has no replacement or the budget is too small.
 */
export function addRework(charter: Charter, types: readonly string[], offers: readonly SkillOffer[], payable: bigint): Charter | undefined {
  const led = stepsOfRoom(charter, charter.room_id)
  const own = led.at(-1)
  if (!own || own.sender_id !== charter.principal_id || types.length === 0) return undefined
  const others = led.slice(0, -1)
  const steps = charter.steps.filter((step) => step !== own)
  /** The first repeated step takes the number of the planner's own step, which moves to the end. Other steps keep their numbers. */
  const numberOf = (index: number) => (index === 0 ? own.step : charter.steps.length + index)
  const repeated = new Map<number, number>()
  for (const step of others) {
    const asked =
      step.outputs.some((type) => types.includes(type)) &&
      !others.some((later) => later.step > step.step && later.outputs.some((type) => step.outputs.includes(type)))
    const touched = step.depends_on.some((number) => repeated.has(number))
    if (!asked && !touched) continue
    const left = payable - totalAmount(steps) - BigInt(own.amount)
    const fresh = offers.filter((offer) => offer.sender_id !== step.sender_id)
    const [offer] = asked ? findReplacements(charter, step, fresh, left) : []
    if (asked && !offer) return undefined
    if (BigInt(step.amount) > left && !asked) return undefined
    const base = asked && offer ? reassignStep(step, offer) : step
    const number = numberOf(repeated.size)
    const newNumber = (from: number) => repeated.get(from) ?? from
    steps.push({
      ...base,
      step: number,
      title: `${base.title} (again)`.slice(0, 120),
      depends_on: [...new Set(base.depends_on.map(newNumber))].sort((a, b) => a - b),
      inputs: base.inputs.map((input) => (input.step === undefined ? input : { ...input, step: newNumber(input.step) })),
    })
    repeated.set(step.step, number)
  }
  if (repeated.size === 0 || steps.length >= 64) return undefined
  const self = { agent_id: own.agent_id, did: own.sender_id, payee: own.payee, price: BigInt(own.amount), royalties: own.royalties }
  return {
    ...charter,
    version: charter.version + 1,
    steps: [
      ...steps.toSorted((a, b) => a.step - b.step),
      buildPlannerStep(
        steps.filter((step) => step.parent === undefined),
        self,
        numberOf(repeated.size),
      ),
    ],
  }
}
