/** The values that a model writes for the inputs of a plan: their check, and how a client reads them. */
import type { Json } from '@parley/protocol'
import { z } from 'zod'
import { readSchema } from '../plan/list-value-faults-by-schema.ts'
import type { Plan, PlannedInput, PlannedStep } from '../plan/plan.ts'

const maxShownValue = 300
const maxShown = 1_200

type WrittenValue = { readonly step: PlannedStep; readonly input: PlannedInput; readonly data: { readonly [key: string]: Json } }

const listModelValues = ({ steps }: Plan): WrittenValue[] =>
  steps.flatMap((step) =>
    step.inputs.flatMap((input) => (input.given?.data === undefined ? [] : [{ step, input, data: input.given.data }])),
  )

/** Errors of values that their port's schema does not accept, as sentences that a model can correct. */
export function findValueErrors(plan: Plan): string[] {
  return listModelValues(plan).flatMap(({ step, input, data }) => {
    const schema = step.offer.skill.inputs.find(({ name }) => name === input.port)?.schema
    const read = schema && readSchema(schema)?.safeParse(data)
    return read && !read.success
      ? [
          `Step ${step.step}: the value for ${input.type} is not of its schema. ${z.prettifyError(read.error).replace(/\s+/g, ' ').slice(0, 400)}`,
        ]
      : []
  })
}

/** The model's sentence, and the values exactly as they go to the agents, so that the client sees how the goal is read. */
export function summaryWithValues(summary: string, plan: Plan): string {
  const shown = listModelValues(plan).flatMap(({ step, input, data }) =>
    input.type === 'goal.criteria' ? [] : [`${step.offer.skill.name}: ${shorten(JSON.stringify(data), maxShownValue)}`],
  )
  const sentence = summary.slice(0, 500)
  return shown.length === 0 ? sentence : `${sentence} Read as: ${shorten(shown.join('; '), maxShown)}`
}

const shorten = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)
