/** Sentences about a column of numbers. */

import type { Period } from '../artifacts/table-series.ts'
import type { ColumnTrend } from '../artifacts/trend-analysis-types.ts'
import { formatList, formatNumber, formatPercent } from '../format-numbers-and-lists.ts'

const withUnit = (value: number, unit: string): string => {
  if (unit === '') return formatNumber(value)
  return unit === '%' ? `${formatNumber(value)} %` : `${formatNumber(value)} ${unit}`
}

/** The main sentence. */
export function headline(trend: ColumnTrend, unit: string, period: Period): string {
  const { column, first, last } = trend
  const spans = trend.changes.reduce((sum, change) => sum + change.gap, 0)
  const over = `over ${spans} ${period}${spans === 1 ? '' : 's'}`
  switch (trend.direction) {
    case 'too_short':
      return `There is only one figure for ${column}: ${withUnit(first.value, unit)} (${first.label}).`
    case 'unordered':
      if (trend.n === 1) return `${column} has one entry, ${first.label}, with ${withUnit(first.value, unit)}.`
      return `${column} is highest for ${trend.highest.label} (${withUnit(trend.highest.value, unit)}) and lowest for ${trend.lowest.label} (${withUnit(trend.lowest.value, unit)}), over ${trend.n} entries.`
    case 'flat':
      return `${column} hardly moved: ${withUnit(first.value, unit)} (${first.label}) and ${withUnit(last.value, unit)} (${last.label}), ${over}.`
    case 'mixed':
      return `${column} shows no steady direction between ${withUnit(first.value, unit)} (${first.label}) and ${withUnit(last.value, unit)} (${last.label})${shareOf(trend)}.`
    default: {
      const verb = last.value > first.value ? 'rose' : last.value < first.value ? 'fell' : 'came back'
      const rate = trend.cagr === null || spans < 2 ? '' : `, ${growthName(period)} of ${formatPercent(trend.cagr, true)}`
      return `${column} ${verb} from ${withUnit(first.value, unit)} (${first.label}) to ${withUnit(last.value, unit)} (${last.label})${shareOf(trend)}${rate}.`
    }
  }
}

function shareOf(trend: ColumnTrend): string {
  return trend.change_share === null || trend.change === 0 ? '' : `, ${formatPercent(trend.change_share, true)} in all`
}

export function growthName(period: Period): string {
  return period === 'year' ? 'a compound annual growth rate (CAGR)' : `a compound growth rate per ${period}`
}

/** The trend of one column in a few sentences. Every sentence follows from the figures. */
export function trendParagraph(trend: ColumnTrend, unit: string, period: Period, opening = true): string {
  const sentences = opening ? [headline(trend, unit, period)] : []
  if (trend.direction === 'too_short') return [...sentences, 'A trend needs at least two figures.'].join(' ')
  if (trend.direction === 'unordered') {
    if (trend.n > 1) sentences.push(`They average ${withUnit(trend.mean, unit)}, the median is ${withUnit(trend.median, unit)}.`)
    return [...sentences, ...oddities(trend, unit)].join(' ')
  }
  sentences.push(
    ...movement(trend, period, opening ? 'It' : trend.column),
    ...endToEnd(trend, period),
    ...shape(trend, unit, period),
    ...turns(trend, unit),
    ...oddities(trend, unit),
    ...gaps(trend),
  )
  return sentences.join(' ')
}

/** The compound rate, if the headline omits it because it would mislead alone. */
function endToEnd(trend: ColumnTrend, period: Period): string[] {
  if (trend.cagr === null || (trend.direction !== 'mixed' && trend.direction !== 'flat')) return []
  return [`From end to end that is ${growthName(period)} of ${formatPercent(trend.cagr, true)}.`]
}

function movement(trend: ColumnTrend, period: Period, subject: string): string[] {
  const { best, worst } = trend
  if (!best || !worst || trend.changes.length < 2) return []
  if (best.label === worst.label) return []
  const up = trend.changes.filter((change) => change.change > 0).length
  const down = trend.changes.filter((change) => change.change < 0).length
  const total = trend.changes.length
  const counts =
    down === 0 && up === total
      ? `${subject} grew in every ${period}`
      : up === 0 && down === total
        ? `${subject} shrank in every ${period}`
        : `${subject} grew in ${up} and shrank in ${down} of ${total} steps`
  const bestText = `best was ${best.label} (${formatPercent(best.share ?? 0, true)})`
  const worstText = `weakest was ${worst.label} (${formatPercent(worst.share ?? 0, true)})`
  return [`${counts}; the ${bestText}, the ${worstText}.`]
}

function shape(trend: ColumnTrend, unit: string, period: Period): string[] {
  const { linear, log_linear: exponential } = trend
  if (!linear || trend.direction === 'flat') return []
  const line = `A straight line through the ${trend.n} points ${linear.slope < 0 ? 'falls' : 'climbs'} by ${withUnit(Math.abs(linear.slope), unit)} per ${period} and explains ${formatPercent(linear.r2)} of the variance (R² ${linear.r2.toFixed(3)})`
  if (!exponential) return [`${line}.`]
  const better =
    exponential.r2 > linear.r2 + 0.01
      ? ', which is closer'
      : exponential.r2 < linear.r2 - 0.01
        ? ', which is not as close'
        : ', about as close'
  return [
    `${line}; steady growth of ${formatPercent(exponential.rate, true)} per ${period} fits with R² ${exponential.r2.toFixed(3)}${better}.`,
  ]
}

function turns(trend: ColumnTrend, unit: string): string[] {
  if (trend.turns.length === 0 || trend.direction === 'flat') return []
  if (trend.turns.length > 4)
    return [`It changed direction ${trend.turns.length} times; the high was ${trend.highest.label}, the low ${trend.lowest.label}.`]
  const named = trend.turns.map(
    (turn) => `${turn.kind === 'peak' ? 'a peak' : 'a trough'} in ${turn.label} (${withUnit(turn.value, unit)})`,
  )
  return [`It turned ${['once', 'twice', 'three times', 'four times'][trend.turns.length - 1]}: ${formatList(named)}.`]
}

function oddities(trend: ColumnTrend, unit: string): string[] {
  if (trend.outliers.length === 0) return []
  const named = trend.outliers
    .slice(0, 4)
    .map((outlier) =>
      outlier.kind === 'growth'
        ? `the growth of ${outlier.label} (${formatPercent(outlier.value, true)})`
        : `${outlier.label} (${withUnit(outlier.value, unit)})`,
    )
  return [`${named.length === 1 ? 'One point stands' : 'Some points stand'} out from the rest: ${formatList(named)}.`]
}

function gaps(trend: ColumnTrend): string[] {
  if (trend.missing.length === 0) return []
  const named = trend.missing.length <= 5 ? formatList(trend.missing) : `${trend.missing.length} labels`
  return [`No figure is known for ${named}; nothing was filled in.`]
}
