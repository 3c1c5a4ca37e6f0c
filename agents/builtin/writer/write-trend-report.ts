/** `report.write`: a Markdown report on a table and its analysis, with the name and hash of every input file. */

import { type Period, parseTableSeries, type Series } from '../artifacts/table-series.ts'
import { parseAnalysis, type TrendAnalysis } from '../artifacts/trend-analysis-types.ts'
import { formatList, formatNumber, formatPercent } from '../format-numbers-and-lists.ts'
import { findInput, type RequestInput, requireText, type SkillRequest, type SkillResponse } from '../skill.ts'
import { headline, trendParagraph } from './trend-paragraph.ts'

/** Longer tables show their first and last rows. */
const maxRows = 40
const ends = 12
const maxColumns = 8

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ').replace(/</g, '&lt;').trim()
/** Escapes Markdown in text of others. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/([\\`*_[\]<>#])/g, '\\$1')
    .trim()

export function writeTrendReport(work: SkillRequest): string {
  const series = parseTableSeries(requireText(work, 'table.series'))
  const analysis = parseAnalysis(requireText(work, 'analysis.trend'))
  const chart = findInput(work, 'chart.text')
  const picture = findInput(work, 'chart.svg')
  const sections = [
    `# ${plain(series.title)}`,
    analysis.columns
      .slice(0, 3)
      .map((trend) => plain(headline(trend, analysis.unit, analysis.period)))
      .join(' '),
    ...figuresSection(series, analysis),
    ...chartSection(chart, picture),
    ...trendSection(analysis),
    ...conclusionSection(analysis),
    ...limitsSection(series, analysis),
    ...filesSection(work.inputs),
  ]
  return `${sections.join('\n\n')}\n`
}

function figuresSection(series: Series, analysis: TrendAnalysis): string[] {
  const columns = series.columns.slice(0, maxColumns + 1)
  const single = columns.length === 2 && analysis.period !== 'none' ? analysis.columns[0] : undefined
  const shareOf = new Map(single?.changes.map((change) => [change.label, change.share]))
  const heads = [...columns.map(cell), ...(single && single.n > 1 ? ['Change'] : [])]
  const line = (row: Series['rows'][number]) => {
    const numbers = columns.slice(1).map((_, index) => {
      const value = row[index + 1]
      return typeof value === 'number' ? formatNumber(value) : '–'
    })
    const share = shareOf.get(row[0])
    const change = single && single.n > 1 ? [typeof share === 'number' ? formatPercent(share, true) : '–'] : []
    return `| ${[cell(row[0]), ...numbers, ...change].join(' | ')} |`
  }
  const long = series.rows.length > maxRows
  const rows = long
    ? [...series.rows.slice(0, ends).map(line), `| … |${' |'.repeat(heads.length - 1)}`, ...series.rows.slice(-ends).map(line)]
    : series.rows.map(line)
  const table = [`| ${heads.join(' | ')} |`, `| --- |${' ---: |'.repeat(heads.length - 1)}`, ...rows].join('\n')
  const remarks = []
  if (series.unit) remarks.push(`All figures in ${plain(series.unit)}.`)
  if (long) remarks.push(`${series.rows.length} rows in all; the first and last ${ends} are shown, the file has the rest.`)
  if (series.columns.length > maxColumns + 1)
    remarks.push(`${series.columns.length - 1} columns in all; the first ${maxColumns} are shown.`)
  return ['## The figures', table, ...(remarks.length ? [remarks.join(' ')] : []), ...growthTable(series, analysis)]
}

/** The growth of several columns, compared. */
function growthTable(series: Series, analysis: TrendAnalysis): string[] {
  const columns = analysis.columns.slice(0, maxColumns)
  if (columns.length < 2 || analysis.period === 'none' || series.rows.length < 2 || series.rows.length > maxRows) return []
  const line = (label: string) => {
    const shares = columns.map((trend) => trend.changes.find((change) => change.label === label)?.share)
    return `| ${[cell(label), ...shares.map((share) => (typeof share === 'number' ? formatPercent(share, true) : '–'))].join(' | ')} |`
  }
  const head = `| ${[series.columns[0] ?? '', ...columns.map((trend) => trend.column)].map(cell).join(' | ')} |`
  const table = [head, `| --- |${' ---: |'.repeat(columns.length)}`, ...series.rows.slice(1).map((row) => line(row[0]))].join('\n')
  return [`Growth from one ${analysis.period} to the next:`, table]
}

function chartSection(chart: RequestInput | undefined, picture: RequestInput | undefined): string[] {
  if (!chart && !picture) return []
  const parts = ['## Chart']
  if (chart?.text !== undefined) {
    // The fence is longer than any in the chart, so the chart cannot close it.
    const longest = Math.max(2, ...[...chart.text.matchAll(/`+/g)].map((match) => match[0].length))
    const fence = '`'.repeat(longest + 1)
    parts.push(`${fence}text\n${chart.text.trimEnd()}\n${fence}`)
  }
  if (picture?.artifact) parts.push(`A picture of the same figures is in the file ${plain(picture.artifact.name)}, listed below.`)
  return parts
}

function trendSection(analysis: TrendAnalysis): string[] {
  const name = analysis.period === 'none' ? '## Comparison' : '## Trend analysis'
  const many = analysis.columns.length > 1
  const paragraphs = analysis.columns.slice(0, maxColumns).flatMap((trend) => {
    const text = plain(trendParagraph(trend, analysis.unit, analysis.period, many))
    return many ? [`### ${plain(trend.column)}`, text] : [text]
  })
  return [name, ...paragraphs]
}

function conclusionSection(analysis: TrendAnalysis): string[] {
  const timed = analysis.columns.filter((trend) => trend.cagr !== null && (trend.direction === 'rising' || trend.direction === 'falling'))
  const fastest = [...timed].sort((a, b) => (b.cagr ?? 0) - (a.cagr ?? 0))
  const [top, bottom] = [fastest[0], fastest[fastest.length - 1]]
  if (top && bottom && top !== bottom)
    return [
      '## Conclusion',
      `${plain(top.column)} grew fastest, by ${formatPercent(top.cagr ?? 0, true)} per ${analysis.period}; ${plain(bottom.column)} slowest, by ${formatPercent(bottom.cagr ?? 0, true)}.`,
    ]
  const many = analysis.columns.length > 1
  const verdicts = analysis.columns.slice(0, 3).map((trend) => `${many ? `${trend.column}: ` : ''}${verdictOn(trend, analysis.period)}`)
  return ['## Conclusion', plain(verdicts.join(' '))]
}

function verdictOn(trend: TrendAnalysis['columns'][number], period: Period): string {
  const steady = trend.linear && trend.linear.r2 >= 0.8
  switch (trend.direction) {
    case 'rising':
      return `The trend is upward${steady ? ' and steady' : ', with swings around it'}${trend.cagr === null ? '' : `: ${formatPercent(trend.cagr, true)} per ${period} compounded`}. The fit describes these ${period}s and is no forecast.`
    case 'falling':
      return `The trend is downward${steady ? ' and steady' : ', with swings around it'}${trend.cagr === null ? '' : `: ${formatPercent(trend.cagr, true)} per ${period} compounded`}. The fit describes these ${period}s and is no forecast.`
    case 'flat':
      return 'The figures stand still: differences between them are small against their level.'
    case 'mixed':
      return 'The figures go up and down without a lasting direction; a single growth rate would mislead.'
    case 'too_short':
      return 'One figure carries no trend.'
    case 'unordered':
      return `${trend.highest.label} leads${trend.sum > 0 && trend.lowest.value >= 0 ? ` with ${formatPercent(trend.highest.value / trend.sum)} of the total` : ''}.`
  }
}

function limitsSection(series: Series, analysis: TrendAnalysis): string[] {
  const points = [...analysis.method, ...series.notes].map((line) => `- ${plain(line)}`)
  const few = analysis.columns.some((trend) => trend.n < 5)
  if (few) points.push('- With fewer than five points, fits and outliers say little.')
  return ['## Method and limits', points.join('\n')]
}

function filesSection(inputs: readonly RequestInput[]): string[] {
  const series = inputs.find((input) => input.type === 'table.series')
  const source = series?.text ? parseTableSeries(series.text).source : ''
  const files = inputs.flatMap((input) =>
    input.artifact ? [`- ${plain(input.artifact.name)} (${plain(input.type)}), SHA-256 \`${input.artifact.sha256}\``] : [],
  )
  return [
    '## Sources',
    ...(source ? [`Source of the figures: ${plain(source)}`] : []),
    ...(files.length ? ['Made from these files:', files.join('\n')] : []),
  ]
}

export function writeTrendReportSkill(work: SkillRequest): SkillResponse {
  const text = writeTrendReport(work)
  const words = text
    .replace(/(`{3,})[\s\S]*?\1/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\d]/u.test(word)).length
  const cited = work.inputs.filter((input) => input.artifact).map((input) => input.artifact?.name ?? '')
  return {
    outputs: [{ name: 'report.md', media_type: 'text/markdown', artifact_type: 'report.markdown', text }],
    text: `Wrote the report, about ${words} words, from ${formatList(cited)}.`,
  }
}
