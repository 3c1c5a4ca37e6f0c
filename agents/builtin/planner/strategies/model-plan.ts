/** The prompt for a plan, the schema of a model's answer, and its conversion to a plan. */
import { formatAmount, type Json } from '@parley/protocol'
import { z } from 'zod'
import { UnusableAnswerError } from '../../model/endpoint/unusable-answer-error.ts'
import { detectAttachmentType } from '../intent/detect-attachment-type.ts'
import type { GoalInput } from '../intent/goal-intent.ts'
import { type AvailableInput, buildPlan, type Plan, type PlannedInput, type PlanningProblem } from '../plan/plan.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import type { PlanningInput } from './strategy.ts'

/** Strict schemas have no optional fields, so a missing value is null. */
export const ModelPlan = z.object({
  question: z.string().nullable().describe('What only the client can say; null where the goal is clear.'),
  summary: z.string().describe('One sentence: how the goal is understood.'),
  values: z.array(z.object({ type: z.string(), json: z.string().describe('A JSON object: the value read from the goal.') })),
  wanted: z.array(z.string()).describe('Artifact types that the client gets.'),
  steps: z.array(
    z.object({
      offer: z.number().int().describe('Number of the offer.'),
      inputs: z.array(
        z.object({
          port: z.string(),
          from_step: z.number().int().nullable().describe('Number of an earlier step, from 1.'),
          value: z.number().int().nullable().describe('Number of a thing at hand, from 1: first the attachments, then `values`.'),
        }),
      ),
    }),
  ),
})
export type ModelPlan = z.infer<typeof ModelPlan>
export const planFormat = { name: 'plan', schema: ModelPlan }

export const maxOffers = 80

/** The part of every prompt that describes the goal. */
export function describeGoal({ goal, payable, decimals, refusals }: PlanningInput): { readonly [field: string]: Json } {
  return {
    goal: goal.text,
    criteria: [...goal.criteria],
    answers: [...goal.answers],
    refused_before: [...refusals],
    budget: formatAmount(payable, decimals),
    attachments: goal.attachments.map((file, index) => ({
      value: index + 1,
      name: file.name,
      type: detectAttachmentType(file),
      ...headOf(goal, file.sha256),
    })),
  }
}

/** Characters of each file that a model sees: headings and some rows. */
const maxHead = 1_500

const headOf = ({ heads }: GoalInput, sha256: string): { readonly head?: string } => {
  const head = heads?.[sha256]?.text
  return head === undefined ? {} : { head: head.slice(0, maxHead) }
}

/** One offer in a prompt. @param number by which the model names it */
export function describeOffer(
  { handle, skill, score, through }: SkillOffer,
  number: number,
  decimals: number,
): { readonly [field: string]: Json } {
  return {
    offer: number,
    agent: handle,
    skill: skill.id,
    description: skill.description.slice(0, 300),
    inputs: skill.inputs.map(({ name, type, optional, schema }) => ({ name, type, optional, schema: schema ?? null })),
    outputs: skill.outputs.map((port) => port.type),
    price: formatAmount(BigInt(skill.price), decimals),
    score: score.n > 0 ? Math.round(score.score) : null,
    judgements: score.n,
    // The gateway that tested a resource.
    ...(through !== undefined && { through }),
  }
}

export function planPrompt(input: PlanningInput, offers: readonly SkillOffer[]): string {
  return JSON.stringify({
    ...describeGoal(input),
    criteria_value: 'Write goal.criteria among `values` as {"text": …, "criteria": [{"text": …}]} where a reviewer needs it.',
    offers: offers.map((offer, index) => describeOffer(offer, index, input.decimals)),
  })
}

/** The model's choices as a plan. @throws {UnusableAnswerError} if they do not form one */
export function parseModelPlan(
  answer: ModelPlan,
  input: PlanningInput,
  numbered: readonly (SkillOffer | undefined)[],
): { plan: Plan; task: PlanningProblem } {
  const offers = numbered.filter((offer) => offer !== undefined)
  const files = input.goal.attachments.map((file): AvailableInput => ({ type: detectAttachmentType(file), attachment: file.sha256 }))
  const values = answer.values.map(({ type, json }): AvailableInput => {
    const value = z.record(z.string(), z.json()).safeParse(parsed(json))
    if (!value.success) throw new UnusableAnswerError(`the value for ${type} is not a JSON object`)
    return { type, data: value.data }
  })
  const givens = [...files, ...values]
  const chosen = answer.steps.map((step) => {
    const offer = numbered[step.offer]
    if (!offer) throw new UnusableAnswerError(`it hired offer ${step.offer}, which does not exist`)
    const inputs = step.inputs.map(({ port, from_step, value }): PlannedInput => {
      const type = offer.skill.inputs.find((one) => one.name === port)?.type
      if (type === undefined) throw new UnusableAnswerError(`${offer.skill.id} has no input ${port}`)
      const given = value === null ? undefined : givens[value - 1]
      return { port, type, ...(from_step !== null ? { step: from_step } : given ? { given } : {}) }
    })
    return { offer, inputs }
  })
  if (chosen.length === 0) throw new UnusableAnswerError('it has no step')
  const task: PlanningProblem = { wants: answer.wanted.map((type) => ({ type, needed: true })), givens, offers, payable: input.payable }
  return { plan: buildPlan(chosen), task }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
