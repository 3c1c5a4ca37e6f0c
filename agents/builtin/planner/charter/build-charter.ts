/** Charters: the first from a plan, later ones with another agent for a step or with steps done anew. */
import { type Charter, type CharterStep, dropSteps, type GoalOffer, stepsOfRoom, type TaskInput } from '@parley/protocol'
import type { Plan, PlannedInput } from '../plan/plan.ts'
import { compareOffers, planSkill, priceOf, type SkillOffer } from '../plan/skill-offers.ts'

/** The principal as a member of its own team: its last step is to aggregate. */
export type Self = {
  readonly agent_id: string
  readonly did: string
  readonly payee: string
  readonly price: bigint
  readonly royalties?: CharterStep['royalties']
}

export const bundleType = 'answer.bundle'

export function charterOf(plan: Plan, offer: GoalOffer, self: Self, version: number): Charter {
  const steps = plan.steps.map(
    (step): CharterStep => ({
      step: step.step,
      ...handOf(step.offer),
      title: step.offer.skill.name.slice(0, 120),
      mode: step.mode,
      depends_on: [...step.depends_on],
      inputs: step.inputs.map(inputOf),
      outputs: [...new Set(step.outputs)],
    }),
  )
  return sealable([...steps, ownStep(steps, self)], offer, self, version)
}

export const handOf = (offer: SkillOffer) => ({
  skill_id: offer.skill.id,
  agent_id: offer.agent_id,
  sender_id: offer.sender_id,
  payee: offer.payee,
  amount: priceOf(offer).toString(),
  ...(offer.royalties.length > 0 && { royalties: offer.royalties }),
})

export function inputOf({ port, type, step, given }: PlannedInput): CharterStep['inputs'][number] {
  if (step !== undefined) return { port, type, step }
  if (given?.attachment !== undefined) return { port, type, attachment: given.attachment }
  return { port, type, data: { ...given?.data } }
}

export function ownStep(others: readonly CharterStep[], self: Self, step = others.length + 1): CharterStep {
  return {
    step,
    title: 'Coordinate and aggregate',
    skill_id: planSkill,
    agent_id: self.agent_id,
    sender_id: self.did,
    payee: self.payee,
    amount: self.price.toString(),
    ...(self.royalties?.length && { royalties: self.royalties }),
    mode: 'sync',
    depends_on: others.map((step) => step.step),
    inputs: others.slice(-16).map((step) => ({ port: `part_${step.step}`, type: step.outputs[0] ?? '', step: step.step })),
    outputs: [bundleType],
  }
}

function sealable(steps: CharterStep[], offer: GoalOffer, self: Self, version: number): Charter {
  return {
    v: '1',
    goal_id: offer.goal_id,
    group_id: offer.group_id,
    version,
    client_id: offer.client_id as Charter['client_id'],
    principal_id: self.did as Charter['principal_id'],
    evaluator_id: offer.evaluator_id,
    asset: offer.asset,
    total: offer.total,
    fee_bps: offer.fee_bps,
    on_silence: 'pay_if_delivered',
    ...(offer.plan && { plan: offer.plan }),
    steps,
  }
}

export const sumOf = (steps: readonly CharterStep[]): bigint => steps.reduce((sum, step) => sum + BigInt(step.amount), 0n)

/** The charter with what sub-teams have left undone given back to the steps that paid for it. Its version stays. */
export function withoutDropped(charter: Charter, dropped: ReadonlySet<number>, self: Self): Charter {
  if (dropped.size === 0) return charter
  const by = { agent_id: self.agent_id as CharterStep['agent_id'], sender_id: self.did as CharterStep['sender_id'], payee: self.payee }
  return { ...dropSteps(charter, [...dropped], by), version: charter.version }
}

/** Offers that can do a step of a charter as it stands: its outputs from its inputs, within the money that is left. */
function standIns(charter: Charter, step: CharterStep, offers: readonly SkillOffer[], left: bigint): SkillOffer[] {
  const have = new Set(step.inputs.map((input) => input.type))
  return offers
    .filter((offer) => offer.sender_id !== charter.principal_id && priceOf(offer) <= left)
    .filter((offer) => step.outputs.every((type) => offer.skill.outputs.some((port) => port.type === type)))
    .filter((offer) => offer.skill.inputs.every((port) => port.optional || have.has(port.type)))
    .toSorted(compareOffers)
}

/** The step in another's hands; its inputs move to the ports of the new skill by their types. */
function inHandsOf(step: CharterStep, offer: SkillOffer): CharterStep {
  const inputs = offer.skill.inputs.flatMap((port) => {
    const input = step.inputs.find((one) => one.type === port.type)
    return input ? [{ ...input, port: port.name }] : []
  })
  const { royalties: _former, ...kept } = step
  return { ...kept, ...handOf(offer), inputs }
}

/** The next version with somebody else for the given steps; undefined where one of them finds nobody. */
export function withStandIns(
  charter: Charter,
  numbers: readonly number[],
  offers: readonly SkillOffer[],
  payable: bigint,
): Charter | undefined {
  let steps = charter.steps
  for (const number of numbers) {
    const step = steps.find((one) => one.step === number)
    if (!step) return undefined
    const left = payable - sumOf(steps) + BigInt(step.amount)
    const [offer] = standIns(charter, step, offers, left)
    if (!offer) return undefined
    steps = steps.map((one) => (one === step ? inHandsOf(one, offer) : one))
  }
  return { ...charter, version: charter.version + 1, steps }
}

/**
 * The next version in which the steps that make the given types are done anew by others, and what was built on them again by
 * whoever did it. What is done stays as it is; undefined where nobody else can be had or the money does not reach.
 */
export function withRework(
  charter: Charter,
  types: readonly string[],
  offers: readonly SkillOffer[],
  payable: bigint,
): Charter | undefined {
  const led = stepsOfRoom(charter, charter.group_id)
  const own = led.at(-1)
  if (!own || own.sender_id !== charter.principal_id || types.length === 0) return undefined
  const others = led.slice(0, -1)
  const steps = charter.steps.filter((step) => step !== own)
  /** The principal's own step makes room; sub-teams' steps behind it keep their numbers. */
  const numberOf = (place: number) => (place === 0 ? own.step : charter.steps.length + place)
  const anew = new Map<number, number>()
  for (const step of others) {
    const asked =
      step.outputs.some((type) => types.includes(type)) &&
      !others.some((later) => later.step > step.step && later.outputs.some((type) => step.outputs.includes(type)))
    const touched = step.depends_on.some((number) => anew.has(number))
    if (!asked && !touched) continue
    const left = payable - sumOf(steps) - BigInt(own.amount)
    const fresh = offers.filter((offer) => offer.sender_id !== step.sender_id)
    const [offer] = asked ? standIns(charter, step, fresh, left) : []
    if (asked && !offer) return undefined
    if (BigInt(step.amount) > left && !asked) return undefined
    const base = asked && offer ? inHandsOf(step, offer) : step
    const number = numberOf(anew.size)
    const moved = (from: number) => anew.get(from) ?? from
    steps.push({
      ...base,
      step: number,
      title: `${base.title} (again)`.slice(0, 120),
      depends_on: [...new Set(base.depends_on.map(moved))].sort((a, b) => a - b),
      inputs: base.inputs.map((input) => (input.step === undefined ? input : { ...input, step: moved(input.step) })),
    })
    anew.set(step.step, number)
  }
  if (anew.size === 0 || steps.length >= 64) return undefined
  const self = { agent_id: own.agent_id, did: own.sender_id, payee: own.payee, price: BigInt(own.amount), royalties: own.royalties }
  return {
    ...charter,
    version: charter.version + 1,
    steps: [
      ...steps.toSorted((a, b) => a.step - b.step),
      ownStep(
        steps.filter((step) => step.parent === undefined),
        self,
        numberOf(anew.size),
      ),
    ],
  }
}

/** The inputs of a step as its worker receives them; undefined while one is missing. */
export function resolveInputs(
  step: CharterStep,
  offer: GoalOffer,
  outputOfStep: (step: number, type: string) => TaskInput['artifact'],
): TaskInput[] | undefined {
  const inputs: TaskInput[] = []
  for (const { port, type, step: from, attachment, data } of step.inputs) {
    const artifact =
      from !== undefined
        ? outputOfStep(from, type)
        : attachment !== undefined
          ? offer.attachments.find((file) => file.sha256 === attachment)
          : undefined
    if (artifact) inputs.push({ port, type, artifact })
    else if (data) inputs.push({ port, type, data })
    else return undefined
  }
  return inputs
}
