/** `trend.analyse`: growth, compound growth, fits, outliers and turning points of every column of a series. */
import {
  linearRegression,
  linearRegressionLine,
  mean,
  median,
  medianAbsoluteDeviation,
  rSquared,
  sampleStandardDeviation,
} from 'simple-statistics'
import { type Period, type Point, parseTableSeries, periodOf, pointsOf, type Series } from '../artifacts/table-series.ts'
import type { ColumnTrend, TrendAnalysis } from '../artifacts/trend-analysis-types.ts'
import { formatList, formatNumber, formatPercent } from '../format-numbers-and-lists.ts'
import { refuse, requireText, type SkillRequest, type SkillResponse } from '../skill.ts'

/** Threshold of the robust z-score (Iglewicz and Hoaglin: 3.5). */
const outlierAt = 3.5
/** Relative change per period below which a column is flat. */
const flatBelow = 0.005

const sure = (value: number): number => Number(value.toPrecision(12))
/** Null if the ratio overflows. */
const ratio = (value: number): number | null => (Number.isFinite(value) ? sure(value) : null)

export function analyseTrend(series: Series): TrendAnalysis {
  const period = periodOf(series)
  const columns = series.columns.slice(1).flatMap((name, index) => {
    const points = pointsOf(series, index + 1)
    if (points.length === 0) return []
    const missing = series.rows.filter((row) => row[index + 1] === null).map((row) => row[0])
    return [analyseColumn(name, points, missing, period)]
  })
  if (columns.length === 0) refuse('The table holds no number to analyse.')
  return { title: series.title, unit: series.unit, period, columns, method: methodOf(period) }
}

function analyseColumn(column: string, points: readonly Point[], missing: string[], period: Period): ColumnTrend {
  const values = points.map((point) => point.value)
  const first = points[0] as Point
  const last = points[points.length - 1] as Point
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best))
  const lowest = points.reduce((best, point) => (point.value < best.value ? point : best))
  const ordered = period !== 'none'
  const changes = ordered ? changesOf(points) : []
  const single = changes.filter((one) => one.gap === 1 && one.share !== null)
  const byShare = [...single].sort((a, b) => (a.share ?? 0) - (b.share ?? 0))
  const spans = last.at - first.at
  const positive = values.every((value) => value > 0)
  const line = ordered && points.length >= 3 ? fit(points.map((point) => [point.at - first.at, point.value])) : null
  const logLine =
    ordered && positive && points.length >= 3 ? fit(points.map((point) => [point.at - first.at, Math.log(point.value)])) : null
  return {
    column,
    n: points.length,
    missing,
    first: at(first),
    last: at(last),
    highest: at(highest),
    lowest: at(lowest),
    sum: sure(values.reduce((sum, value) => sum + value, 0)),
    mean: sure(mean(values)),
    median: sure(median(values)),
    deviation: values.length > 1 ? sure(sampleStandardDeviation(values)) : null,
    direction: directionOf(points, ordered, line),
    change: ordered && points.length > 1 ? sure(last.value - first.value) : null,
    change_share: ordered && points.length > 1 && first.value > 0 ? ratio(last.value / first.value - 1) : null,
    cagr: ordered && spans > 0 && first.value > 0 && last.value > 0 ? ratio((last.value / first.value) ** (1 / spans) - 1) : null,
    changes,
    best: byShare.at(-1) ?? null,
    worst: byShare[0] ?? null,
    turns: ordered ? turnsOf(points) : [],
    linear: line,
    log_linear: logLine && Number.isFinite(Math.exp(logLine.slope)) ? { rate: sure(Math.exp(logLine.slope) - 1), r2: logLine.r2 } : null,
    outliers: [
      ...outliersOf(points, 'value', line),
      ...outliersOf(
        single.map((one) => ({ label: one.label, at: 0, value: one.share ?? 0 })),
        'growth',
        null,
      ),
    ],
  }
}

const at = (point: Point) => ({ label: point.label, value: point.value })

function changesOf(points: readonly Point[]): ColumnTrend['changes'] {
  return points.slice(1).map((point, index) => {
    const before = points[index] as Point
    return {
      from: before.label,
      label: point.label,
      change: sure(point.value - before.value),
      share: before.value > 0 ? ratio(point.value / before.value - 1) : null,
      gap: Math.max(1, Math.round(point.at - before.at)),
    }
  })
}

function fit(pairs: [number, number][]): { slope: number; intercept: number; r2: number } {
  const line = linearRegression(pairs)
  // A constant column has no variance, so R² is not a number. Its line is exact.
  const explained = rSquared(pairs, linearRegressionLine(line))
  return { slope: sure(line.m), intercept: sure(line.b), r2: Number.isFinite(explained) ? sure(explained) : 1 }
}

function directionOf(points: readonly Point[], ordered: boolean, line: { slope: number; r2: number } | null): ColumnTrend['direction'] {
  if (!ordered) return 'unordered'
  if (points.length < 2) return 'too_short'
  const values = points.map((point) => point.value)
  const level = Math.max(Math.abs(mean(values)), Number.EPSILON)
  const first = values[0] as number
  const last = values[values.length - 1] as number
  const spans = (points[points.length - 1] as Point).at - (points[0] as Point).at
  const slope = line ? line.slope : (last - first) / Math.max(spans, 1)
  const spread = (Math.max(...values) - Math.min(...values)) / level
  if (spread < 0.02 || (Math.abs(slope) / level < flatBelow && spread < 0.15)) return 'flat'
  if (line && line.r2 < 0.35) return 'mixed'
  return slope > 0 ? 'rising' : 'falling'
}

/** Local maxima and minima. A plateau counts at its first point. */
function turnsOf(points: readonly Point[]): ColumnTrend['turns'] {
  const turns: ColumnTrend['turns'] = []
  const steps = points.filter((point, index) => index === 0 || point.value !== points[index - 1]?.value)
  for (let i = 1; i < steps.length - 1; i++) {
    const [before, here, after] = [steps[i - 1], steps[i], steps[i + 1]] as [Point, Point, Point]
    if (here.value > before.value && here.value > after.value) turns.push({ ...at(here), kind: 'peak' })
    if (here.value < before.value && here.value < after.value) turns.push({ ...at(here), kind: 'trough' })
  }
  return turns
}

/** By median and median absolute deviation, of the residuals if there is a line, so that a trend is no outlier. */
function outliersOf(
  points: readonly Point[],
  kind: 'value' | 'growth',
  line: { slope: number; intercept: number } | null,
): ColumnTrend['outliers'] {
  if (points.length < 5) return []
  const start = (points[0] as Point).at
  const rest = points.map((point) => (line ? point.value - (line.intercept + line.slope * (point.at - start)) : point.value))
  const middle = median(rest)
  const spread = medianAbsoluteDeviation(rest)
  return points.flatMap((point, index) => {
    const off = (rest[index] as number) - middle
    if (spread === 0) return []
    const z = ratio((0.6745 * off) / spread)
    return z !== null && Math.abs(z) > outlierAt ? [{ label: point.label, kind, value: point.value, z }] : []
  })
}

function methodOf(period: Period): string[] {
  const outliers = `Outliers: modified z-score by the median absolute deviation beyond ${outlierAt}, of the residuals from the line and of the growth rates; at least five points.`
  if (period === 'none')
    return ['The labels are names, not times: values are compared with one another, and no growth is computed.', outliers]
  return [
    `Growth: change from one ${period} to the next over the value before; left out where that is not above zero.`,
    `Compound growth: (last / first)^(1 / ${period}s between them) - 1.`,
    `Line: least squares over the ${period}s. Exponential: least squares on the logarithm, where all values are above zero.`,
    outliers,
  ]
}

export function analyseTrendSkill(work: SkillRequest): SkillResponse {
  const analysis = analyseTrend(parseTableSeries(requireText(work, 'table.series')))
  return {
    outputs: [
      { name: 'trend.json', media_type: 'application/json', artifact_type: 'analysis.trend', text: JSON.stringify(analysis, null, 1) },
    ],
    text: `${formatList(analysis.columns.slice(0, 3).map((column) => summaryOf(column, analysis.period)))}.`,
  }
}

function summaryOf(trend: ColumnTrend, period: Period): string {
  const span = `${trend.column} ${formatNumber(trend.first.value)} (${trend.first.label}) to ${formatNumber(trend.last.value)} (${trend.last.label})`
  return trend.cagr === null ? span : `${span}, ${formatPercent(trend.cagr, true)} per ${period}`
}
