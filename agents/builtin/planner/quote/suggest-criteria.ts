import { findUnit } from '../../tools/numbers/find-unit.ts'
import { languageName } from '../intent/detect-language.ts'
import { withoutQuotations } from '../intent/find-quotations.ts'
import type { GoalInput } from '../intent/goal-intent.ts'
import type { Plan, PlannedStep } from '../plan/plan.ts'

/** A criterion for each output type that the built-in reviewer or a rule checks. */
const byType: { readonly [type: string]: string } = {
  'report.markdown': 'The report describes the trend.',
  'chart.text': 'There is a chart in text format.',
  'chart.svg': 'There is a chart as a picture (SVG).',
  'image.svg': 'The file is an SVG image.',
  'price.result': 'The answer states a number.',
  'loan.result': 'The answer states a number.',
}
const maxYears = 100

/** Criteria for a plan, each of which a rule or a reviewer of the plan can check. Never empty. */
export function suggestCriteria(plan: Plan, goal: Pick<GoalInput, 'text' | 'language'>): string[] {
  const types = new Set(plan.steps.flatMap((step) => step.outputs))
  const files = Object.entries(byType).flatMap(([type, text]) => (types.has(type) ? [text] : []))
  const derived = [...new Set([...files, ...unitOf(plan), ...lengthOf(plan, goal.text), ...languageOf(plan, goal)])]
  const criteria = types.has('report.markdown') ? [...derived, ...yearsOf(plan)] : derived
  if (criteria.length > 0) return criteria
  const last = plan.steps.at(-1)?.offer.skill
  return [`The result answers the goal: ${last?.name ?? 'the work'}.`]
}

const queryOf = ({ inputs }: PlannedStep, type: string) => inputs.find((one) => one.type === type)?.given?.data

function yearsOf(plan: Plan): string[] {
  const query = plan.steps.map((step) => queryOf(step, 'query.figures')).find((data) => data !== undefined)
  const [from, to] = [query?.from, query?.to]
  if (typeof from !== 'number' || typeof to !== 'number' || from >= to || to - from > maxYears) return []
  return [`The report covers every year from ${from} to ${to}.`]
}

/** The unit to which one quantity is converted. */
function unitOf(plan: Plan): string[] {
  const conversion = plan.steps.map((step) => queryOf(step, 'query.unit_conversion')?.conversion).find((one) => typeof one === 'string')
  if (typeof conversion !== 'string') return []
  const targets = [...conversion.matchAll(/\b(?:to|in|into)\s+([\p{L}°]{1,20})(?=[\s.?!,]*$)/giu)].map((match) => findUnit(match[1] ?? ''))
  const [unit] = targets
  return unit && /^[\p{L}°]+$/u.test(unit.symbol)
    ? [`The answer states a number with the unit ${unit.symbol}.`]
    : ['The answer states a number.']
}

/** A length that the goal itself names, where the only step writes a text. */
function lengthOf({ steps }: Plan, text: string): string[] {
  const match = /\b(at most|no more than|at least|up to|fewer than|more than|exactly) (\d{1,4}) words\b/i.exec(withoutQuotations(text))
  const isText = steps.length === 1 && steps[0]?.outputs.some((type) => type === 'text.summary')
  return match && isText ? [`The text has ${match[1]?.toLowerCase()} ${match[2]} words.`] : []
}

/** The language of the answer, where it is not English and the only step writes its answer in it. */
function languageOf({ steps }: Plan, { language }: Pick<GoalInput, 'language'>): string[] {
  const isText = !steps[0]?.outputs.some((type) => /^(?:image|chart|table\.chart)/.test(type))
  const isAnswered = isText && steps.length === 1 && (steps[0]?.inputs ?? []).some(({ given }) => given?.data?.answer_language === language)
  return language !== undefined && isAnswered ? [`The answer is in ${languageName(language)}.`] : []
}
