import type { Plan } from '../plan/plan.ts'

/** A criterion for each output type that the built-in reviewer checks by rule. */
const byType: { readonly [type: string]: string } = {
  'report.markdown': 'The report describes the trend.',
  'chart.text': 'There is a chart in text format.',
  'chart.svg': 'There is a chart as a picture (SVG).',
}
const maxYears = 100

/** Criteria for a plan, each checkable by rule where a reviewer is part of the plan. Never empty. */
export function suggestCriteria(plan: Plan): string[] {
  const types = new Set(plan.steps.flatMap((step) => step.outputs))
  const files = Object.entries(byType).flatMap(([type, text]) => (types.has(type) ? [text] : []))
  const criteria = types.has('report.markdown') ? [...files, ...yearsOf(plan)] : files
  if (criteria.length > 0) return criteria
  const last = plan.steps.at(-1)?.offer.skill
  return [`The result answers the goal: ${last?.name ?? 'the work'}.`]
}

function yearsOf(plan: Plan): string[] {
  const query = plan.steps.flatMap(({ inputs }) => inputs).find(({ type }) => type === 'query.figures')?.given?.data
  const [from, to] = [query?.from, query?.to]
  if (typeof from !== 'number' || typeof to !== 'number' || from >= to || to - from > maxYears) return []
  return [`The report covers every year from ${from} to ${to}.`]
}
