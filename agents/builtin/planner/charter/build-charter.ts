/** The charter of a plan, and the parts that later versions are built from. */
import { type Charter, type CharterStep, cancelSteps, type GoalOffer, reviewTimeoutOf } from '@parley/protocol'
import type { Plan, PlannedInput } from '../plan/plan.ts'
import { planSkillId, priceOf, type SkillOffer } from '../plan/skill-offers.ts'

/** The planner as a member of its team. Its own step aggregates the results. `price`: base units. */
export type PlannerIdentity = {
  readonly agent_id: string
  readonly did: string
  readonly payee: string
  readonly price: bigint
  readonly royalties?: CharterStep['royalties']
}

export const bundleType = 'answer.bundle'

/** The facts of a goal that its charter repeats. */
export type CharterFrame = Pick<
  GoalOffer,
  'goal_id' | 'room_id' | 'client_id' | 'evaluator_id' | 'asset' | 'total' | 'fee_bps' | 'on_silence' | 'plan'
>

export function buildCharter(plan: Plan, offer: CharterFrame, self: PlannerIdentity, version: number): Charter {
  const steps = plan.steps.map(
    (step): CharterStep => ({
      step: step.step,
      ...assigneeFields(step.offer),
      title: step.offer.skill.name.slice(0, 120),
      mode: step.mode,
      depends_on: [...step.depends_on],
      inputs: step.inputs.map(toStepInput),
      outputs: [...new Set(step.outputs)],
    }),
  )
  return sealable([...steps, buildPlannerStep(steps, self)], offer, self, version)
}

export const assigneeFields = (offer: SkillOffer) => ({
  skill_id: offer.skill.id,
  agent_id: offer.agent_id,
  sender_id: offer.sender_id,
  payee: offer.payee,
  amount: priceOf(offer).toString(),
  ...(offer.royalties.length > 0 && { royalties: offer.royalties }),
})

export function toStepInput({ port, type, step, given }: PlannedInput): CharterStep['inputs'][number] {
  if (step !== undefined) return { port, type, step }
  if (given?.attachment !== undefined) return { port, type, attachment: given.attachment }
  return { port, type, data: { ...given?.data } }
}

export function buildPlannerStep(others: readonly CharterStep[], self: PlannerIdentity, step = others.length + 1): CharterStep {
  return {
    step,
    title: 'Coordinate and aggregate',
    skill_id: planSkillId,
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

function sealable(steps: CharterStep[], offer: CharterFrame, self: PlannerIdentity, version: number): Charter {
  return {
    v: '1',
    goal_id: offer.goal_id,
    room_id: offer.room_id,
    version,
    client_id: offer.client_id as Charter['client_id'],
    principal_id: self.did as Charter['principal_id'],
    evaluator_id: offer.evaluator_id,
    asset: offer.asset,
    total: offer.total,
    fee_bps: offer.fee_bps,
    on_review_timeout: reviewTimeoutOf(offer.on_silence),
    ...(offer.plan && { plan: offer.plan }),
    steps,
  }
}

export const totalAmount = (steps: readonly CharterStep[]): bigint => steps.reduce((sum, step) => sum + BigInt(step.amount), 0n)

/** The charter with the amounts of canceled sub-team steps returned to their parent steps. The version stays. */
export function returnAmountsToParentSteps(charter: Charter, canceled: ReadonlySet<number>, self: PlannerIdentity): Charter {
  if (canceled.size === 0) return charter
  const by = { agent_id: self.agent_id as CharterStep['agent_id'], sender_id: self.did as CharterStep['sender_id'], payee: self.payee }
  return { ...cancelSteps(charter, [...canceled], by), version: charter.version }
}
