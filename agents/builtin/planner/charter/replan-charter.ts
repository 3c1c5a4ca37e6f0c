/**
 * A new plan for the rest of a charter, over other skills, if a step has no replacement. Done and running steps keep their number,
 * agent and pay.
 */
import { type Charter, type CharterStep, stepsOfRoom } from '@parley/protocol'
import { type AvailableInput, executionModes, type Plan, type PlannedStep, searchPlan } from '../plan/plan.ts'
import { preferAgents, type SkillOffer } from '../plan/skill-offers.ts'
import { assigneeFields, buildPlannerStep, type PlannerIdentity, toStepInput, totalAmount } from './build-charter.ts'

export type ReplanInput = {
  readonly charter: Charter
  /** Numbers of the steps that are done or running. */
  readonly kept: ReadonlySet<number>
  /** Types that the goal asks for. If it names none, the charter's final outputs are wanted. */
  readonly wanted: readonly string[]
  readonly givens: readonly AvailableInput[]
  readonly offers: readonly SkillOffer[]
  /** Upper bound for all steps together, the planner's own included, base units. */
  readonly payable: bigint
}

/** The next version of the charter; undefined if there is no plan, or no valid numbering. */
export function replanCharter({ charter, kept, wanted, givens, offers, payable }: ReplanInput): Charter | undefined {
  const own = charter.steps.findLast((step) => step.parent === undefined && step.sender_id === charter.principal_id)
  // Steps of sub-teams stay. The step that pays for one keeps its number, too.
  const nested = charter.steps.filter((step) => step.parent !== undefined)
  const standing = charter.steps.filter((step) => step !== own && (kept.has(step.step) || nested.includes(step)))
  const numbers = new Set(standing.map((step) => step.step))
  if (!own || nested.some((step) => !numbers.has(step.parent ?? 0))) return undefined
  const led = stepsOfRoom(charter, charter.room_id).filter((step) => step !== own)
  const made = standing
    .filter((step) => step.parent === undefined)
    .flatMap((step) => step.outputs.map((type): AvailableInput => ({ type, made: step.step })))
  const task = {
    wants: promised(led, wanted).map((type) => ({ type, needed: true })),
    // Later entries replace earlier ones: outputs of steps take precedence over inputs of the client.
    givens: [...new Map([...givensIn(led), ...givens, ...made].map((given) => [given.type, given])).values()],
    payable: payable - totalAmount(standing) - BigInt(own.amount),
  }
  const agents = charter.steps.map((step) => step.agent_id)
  const plan = searchPlan({ ...task, offers: preferAgents(offers, agents) }) ?? searchPlan({ ...task, offers })
  if (!plan || plan.steps.length === 0) return undefined
  const steps = numbered(standing, plan)
  if (!steps || steps.length >= 60) return undefined
  const self: PlannerIdentity = {
    agent_id: own.agent_id,
    did: own.sender_id,
    payee: own.payee,
    price: BigInt(own.amount),
    royalties: own.royalties,
  }
  const answered = steps.filter((step) => step.parent === undefined)
  return { ...charter, version: charter.version + 1, steps: [...steps, buildPlannerStep(answered, self, steps.length + 1)] }
}

/** The outputs to plan for: the wanted types that the charter makes, and the outputs of steps on which no other step depends. */
function promised(led: readonly CharterStep[], wanted: readonly string[]): string[] {
  const makes = new Set(led.flatMap((step) => step.outputs))
  const ends = led.filter((step) => !led.some((other) => other.depends_on.includes(step.step)))
  const last = ends.flatMap((step) => {
    const asked = step.outputs.filter((type) => wanted.includes(type))
    return asked.length > 0 ? asked : step.outputs
  })
  return [...new Set([...wanted.filter((type) => makes.has(type)), ...last])]
}

/** The inputs that the charter names: attachments and values. */
function givensIn(led: readonly CharterStep[]): AvailableInput[] {
  return led.flatMap((step) =>
    step.inputs.flatMap(({ type, attachment, data }): AvailableInput[] =>
      attachment !== undefined ? [{ type, attachment }] : data !== undefined ? [{ type, data }] : [],
    ),
  )
}

/** Numbers the new steps around the kept ones, without gaps, each after the steps that it depends on. Undefined if that is impossible. */
function numbered(standing: readonly CharterStep[], plan: Plan): CharterStep[] | undefined {
  const place = new Map<number, number>()
  const taken = new Map(standing.map((step) => [step.step, step]))
  const waiting = [...plan.steps]
  const steps: CharterStep[] = []
  for (let number = 1; steps.length < standing.length + plan.steps.length; number++) {
    const stands = taken.get(number)
    const isFed = (step: PlannedStep) =>
      step.depends_on.every((one) => place.has(one)) && step.inputs.every(({ given }) => (given?.made ?? 0) < number)
    const index = waiting.findIndex(isFed)
    const [next] = stands || index < 0 ? [] : waiting.splice(index, 1)
    if (!stands && !next) return undefined
    if (next) place.set(next.step, number)
    steps.push(stands ?? stepOf(next as PlannedStep, number, place))
  }
  const modes = executionModes(steps)
  return steps.map((step, index) => (taken.has(step.step) ? step : { ...step, mode: modes[index] ?? step.mode }))
}

function stepOf(planned: PlannedStep, step: number, place: ReadonlyMap<number, number>): CharterStep {
  const inputs = planned.inputs.map((input): CharterStep['inputs'][number] => {
    const { port, type } = input
    if (input.given?.made !== undefined) return { port, type, step: input.given.made }
    return toStepInput(input.step === undefined ? input : { ...input, step: place.get(input.step) ?? 0 })
  })
  const needed = inputs.flatMap((input) => input.step ?? [])
  return {
    step,
    ...assigneeFields(planned.offer),
    title: planned.offer.skill.name.slice(0, 120),
    mode: planned.mode,
    depends_on: [...new Set(needed)].sort((a, b) => a - b),
    inputs,
    outputs: [...new Set(planned.outputs)],
  }
}

/** The new steps in order, as a sentence. */
export function describeNewSteps(before: Charter, after: Charter): string {
  const had = new Set(before.steps.map((step) => `${step.step} ${step.skill_id}`))
  const fresh = after.steps.filter((step) => step.sender_id !== after.principal_id && !had.has(`${step.step} ${step.skill_id}`))
  return fresh.map((step) => `${step.skill_id} (step ${step.step})`).join(', then ')
}
