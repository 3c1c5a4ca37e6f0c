/** Plans a goal whose table stands in its text, as if it were a file. The query of the tool then has the table. */
import type { ArtifactRef, Json } from '@parley/protocol'
import type { GoalInput } from '../intent/goal-intent.ts'
import { translateGoalToEnglish } from '../intent/languages/translate-goal-to-english.ts'
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
  const named = (text: string): string => nameThePastedTable(text, found)
  if ('question' in planned) return planned.isUnmatched ? undefined : { ...planned, question: named(planned.question) }
  if (!('plan' in planned)) return undefined
  const steps = planned.plan.steps.map((step) => withTableInQuery(step, found.pasted.table))
  const isWhole = steps.every((step) => step !== undefined)
  return isWhole
    ? { ...planned, summary: named(planned.summary), plan: { ...planned.plan, steps } satisfies Plan, goal: found.goal }
    : undefined
}

/** The sentence on columns, and what it means for a list of numbers. */
const columnsOfList: readonly (readonly [RegExp, string])[] = [
  [/The columns are position and ([^.]+)\./, 'Your numbers are read as a list of “$1”.'],
  [/Die Spalten sind Position und ([^.]+)\./, 'Ihre Zahlen sind als Liste „$1“ gelesen.'],
  [/Les colonnes sont rang et ([^.]+)\./, 'Vos nombres sont lus comme une liste « $1 ».'],
  [/Las columnas son posición y ([^.]+)\./, 'Sus números se leen como una lista «$1».'],
  [/现有的列为 序号 和 ([^。]+)。/, '您的数字被读作一个列表“$1”。'],
]
type Pasted = NonNullable<ReturnType<typeof withPastedTable>>

const pastedNames = { en: 'pasted table', de: 'eingefügte Tabelle', fr: 'tableau collé', es: 'tabla pegada', zh: '粘贴的表格' }

/** The client has not named the table that stands in its text. */
function nameThePastedTable(written: string, { goal, pasted }: Pasted): string {
  const read = translateGoalToEnglish(goal)
  // Numbers alone have places instead of names.
  const isList = /^"[^"]+","([^"]+)"\n"#1",/.test(pasted.table.replaceAll('\r', ''))
  const text = isList ? columnsOfList.reduce((before, [columns, numbers]) => before.replace(columns, numbers), written) : written
  return text.replace(/(?<=[“„«]\s?)pasted\.(?:csv|json)(?=\s?[”“»])/g, pastedNames['language' in read ? read.language : 'en'])
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
