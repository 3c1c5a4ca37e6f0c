/** `trend.check`: recomputes the main figures of an analysis from its table. */
import { z } from 'zod'
import { parseTableSeries, type Series } from '../artifacts/table-series.ts'
import { formatList } from '../format-numbers-and-lists.ts'
import { refuse, requireData, requireText, type SkillRequest, type SkillResponse } from '../skill.ts'

/** The claimed figures of each column. */
const Claims = z.looseObject({
  columns: z
    .array(z.looseObject({ column: z.string(), first: z.number(), last: z.number(), sum: z.number(), highest: z.number() }))
    .min(1)
    .max(25),
})
export type Claims = z.infer<typeof Claims>

const figures = ['first', 'last', 'sum', 'highest'] as const
/** Decimal sums depend on the order of addition in their last digits. */
const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other))

/** The claims that differ from the table, as sentences. */
export function findMismatches(series: Series, claims: Claims): string[] {
  return claims.columns.flatMap((claim) => {
    const index = series.columns.indexOf(claim.column)
    if (index < 1) return [`There is no column ${claim.column}.`]
    const values = series.rows.flatMap((row) => (typeof row[index] === 'number' ? [row[index]] : []))
    const counted = {
      first: values[0] ?? Number.NaN,
      last: values.at(-1) ?? Number.NaN,
      sum: values.reduce((sum, value) => sum + value, 0),
      highest: Math.max(...values),
    }
    return figures
      .filter((figure) => !isNear(claim[figure], counted[figure]))
      .map((figure) => `${claim.column}: the ${figure} is ${counted[figure]}, not ${claim[figure]}.`)
  })
}

export function recomputeTrendSkill(work: SkillRequest): SkillResponse {
  const claims = Claims.safeParse(requireData(work, 'claims.trend'))
  if (!claims.success) return refuse('The claims name no columns with their figures.')
  const faults = findMismatches(parseTableSeries(requireText(work, 'table.series')), claims.data)
  const json = JSON.stringify({ agrees: faults.length === 0, faults, columns: claims.data.columns.map((one) => one.column) }, null, 1)
  return {
    outputs: [{ name: 'trend-check.json', media_type: 'application/json', artifact_type: 'check.trend', text: json }],
    text:
      faults.length === 0
        ? `Recalculated, with the same result: ${formatList(claims.data.columns.map((one) => one.column))}.`
        : faults.slice(0, 3).join(' '),
  }
}
