/** The artifact type `analysis.trend`. */
import { z } from 'zod'
import { refuse } from '../skill.ts'

const At = z.looseObject({ label: z.string(), value: z.number() })
const Change = z.looseObject({
  from: z.string(),
  label: z.string(),
  change: z.number(),
  share: z.number().nullable().describe('Of the value before; null where that is not above zero.'),
  gap: z.number().int().min(1).describe('Periods that the change spans; more than 1 where values are missing.'),
})

export const ColumnTrend = z.looseObject({
  column: z.string(),
  n: z.int().min(1),
  missing: z.array(z.string()),
  first: At,
  last: At,
  highest: At,
  lowest: At,
  sum: z.number(),
  mean: z.number(),
  median: z.number(),
  deviation: z.number().nullable().describe('Sample standard deviation.'),
  direction: z.enum(['rising', 'falling', 'flat', 'mixed', 'too_short', 'unordered']),
  change: z.number().nullable(),
  change_share: z.number().nullable(),
  cagr: z.number().nullable().describe('Compound growth per period; per year where the labels are years.'),
  changes: z.array(Change),
  best: Change.nullable(),
  worst: Change.nullable(),
  turns: z.array(z.looseObject({ label: z.string(), value: z.number(), kind: z.enum(['peak', 'trough']) })),
  linear: z.looseObject({ slope: z.number(), intercept: z.number(), r2: z.number() }).nullable(),
  log_linear: z.looseObject({ rate: z.number(), r2: z.number() }).nullable(),
  outliers: z.array(z.looseObject({ label: z.string(), kind: z.enum(['value', 'growth']), value: z.number(), z: z.number().nullable() })),
})
export type ColumnTrend = z.infer<typeof ColumnTrend>

export const TrendAnalysis = z.looseObject({
  title: z.string(),
  unit: z.string(),
  period: z.enum(['year', 'quarter', 'month', 'day', 'none']),
  columns: z.array(ColumnTrend).min(1),
  method: z.array(z.string()),
})
export type TrendAnalysis = z.infer<typeof TrendAnalysis>

/** @throws {SkillRefused} if the text is not an analysis */
export function parseAnalysis(text: string): TrendAnalysis {
  try {
    return TrendAnalysis.parse(JSON.parse(text))
  } catch {
    return refuse('The trend analysis is not in the shape of analysis.trend.')
  }
}
