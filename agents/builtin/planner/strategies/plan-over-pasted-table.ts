/** Plans a goal whose table stands in its text, as if it were a file. The query of the tool then has the table. */
import type { ArtifactRef, Json } from '@parley/protocol'
import type { GoalInput } from '../intent/goal-intent.ts'
import { findPastedTable, type PastedTable } from '../intent/pasted-tables/find-pasted-table.ts'
import type { Plan, PlannedStep } from '../plan/plan.ts'
import type { PlanningInput, PlanningResult } from './strategy.ts'

/** No file has this hash. */
const pastedHash = 'pasted'

/** The goal with its pasted table as a file; undefined if it has none, or has files. */
export function withPastedTable(goal: GoalInput): { readonly goal: GoalInput; readonly pasted: PastedTable } | undefined {
  if (goal.attachments.length > 0) return undefined
  const texts = [goal.text, ...goal.answers]
  for (const [index, text] of texts.entries()) {
    const pasted = findPastedTable(text)
    if (!pasted) continue
    const [words = '', ...answers] = texts.map((one, at) => (at === index ? pasted.words : one))
    const isJson = pasted.type === 'table.json'
    const file: ArtifactRef = {
      ...{ sha256: pastedHash, name: isJson ? 'pasted.json' : 'pasted.csv', media_type: isJson ? 'application/json' : 'text/csv' },
      ...{ size: pasted.table.length, artifact_type: pasted.type },
    }
    const heads = { [pastedHash]: { text: pasted.table, isWhole: true } }
    return { goal: { ...goal, text: words, answers: answers.filter((one) => one !== ''), attachments: [file], heads }, pasted }
  }
  return undefined
}

/** The plan over the pasted table, or the question about it. Undefined if there is no table, or no tool takes it in its query. */
export function planOverPastedTable(input: PlanningInput, plan: (input: PlanningInput) => PlanningResult): PlanningResult | undefined {
  const found = withPastedTable(input.goal)
  if (!found) return undefined
  const planned = plan({ ...input, goal: found.goal })
  if ('question' in planned) return planned.isUnmatched ? undefined : planned
  if (!('plan' in planned)) return undefined
  const steps = planned.plan.steps.map((step) => withTableInQuery(step, found.pasted.table))
  const isWhole = steps.every((step) => step !== undefined)
  return isWhole ? { ...planned, plan: { ...planned.plan, steps } satisfies Plan, goal: found.goal } : undefined
}

/** Undefined if the step needs the file itself. */
function withTableInQuery(step: PlannedStep, table: string): PlannedStep | undefined {
  if (!step.inputs.some(({ given }) => given?.attachment === pastedHash)) return step
  const takesTable = (port: string): boolean => {
    const schema = step.offer.skill.inputs.find(({ name }) => name === port)?.schema as
      | { properties?: { [name: string]: Json } }
      | undefined
    return schema?.properties?.table !== undefined
  }
  const query = step.inputs.find(({ port, given }) => given?.data !== undefined && takesTable(port))
  if (!query) return undefined
  const inputs = step.inputs
    .filter(({ given }) => given?.attachment !== pastedHash)
    .map((one) => (one === query ? { ...one, given: { ...one.given, type: one.type, data: { ...one.given?.data, table } } } : one))
  return { ...step, inputs }
}
