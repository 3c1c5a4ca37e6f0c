/** Rules for acceptance criteria. Each matches certain words, and decides from the artifacts. */

import { pointsOf, type Series } from '../artifacts/table-series.ts'
import type { TrendAnalysis } from '../artifacts/trend-analysis-types.ts'
import { formatList, formatPercent } from '../format-numbers-and-lists.ts'
import { computeFigures, findNumberErrors } from './find-number-errors.ts'

export type ReviewEvidence = {
  readonly report: string
  readonly series: Series | undefined
  readonly analysis: TrendAnalysis | undefined
  readonly chartText: string | undefined
  readonly chartSvg: string | undefined
}

/** `concerns`: the artifact type that must change for another result. */
export type Finding = { readonly pass: boolean; readonly evidence: string; readonly concerns?: string }

type Rule = (text: string, evidence: ReviewEvidence) => Finding | undefined

const yes = (evidence: string): Finding => ({ pass: true, evidence })
const no = (evidence: string, concerns: string): Finding => ({ pass: false, evidence, concerns })

const words = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length
const prose = (report: string): string => report.replace(/(`{3,})[\s\S]*?\1/g, '\n')

const numerals = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const count = (text: string): number => (/^\d/.test(text) ? Number(text.replace(/,/g, '')) : numerals.indexOf(text.toLowerCase()))
const amount = String.raw`(\d[\d,]*|${numerals.slice(1).join('|')})`

const years: Rule = (text, { report, series }) => {
  const wanted = new Set<number>()
  for (const match of text.matchAll(/\b((?:19|20)\d\d)\s*(?:to|until|through|till|and|[-–—])\s*((?:19|20)\d\d)\b/gi)) {
    const [from, to] = [Number(match[1]), Number(match[2])]
    for (let year = from; year <= to && year - from < 100; year++) wanted.add(year)
  }
  for (const match of text.matchAll(/\b(?:19|20)\d\d\b/g)) wanted.add(Number(match[0]))
  if (wanted.size === 0) return undefined
  const all = [...wanted].sort()
  const inData = (year: number) => !series || series.rows.some((row) => row[0].includes(String(year)))
  const notInData = all.filter((year) => !inData(year))
  if (notInData.length) return no(`The data has no row for ${formatList(notInData.map(String))}.`, 'table.series')
  const notInReport = all.filter((year) => !new RegExp(`\\b${year}\\b`).test(report))
  if (notInReport.length) return no(`The report does not mention ${formatList(notInReport.map(String))}.`, 'report.markdown')
  return yes(
    all.length === 1
      ? `${all[0]} is in the data and in the report.`
      : `All of ${all[0]} to ${all[all.length - 1]} are in the data and in the report.`,
  )
}

const points: Rule = (text, { series }) => {
  const match = new RegExp(
    `(at least|no fewer than|not fewer than|minimum of|min\\.?|exactly|all|[≥>]=?)?\\s*\\b${amount}(\\s+or more)?\\s+(?:[\\w-]+\\s+)?(points|rows|values|figures|numbers|data points|entries|years|months|quarters|records|observations)\\b`,
    'i',
  ).exec(text)
  if (!match || /\bwords?\b/i.test(match[0])) return undefined
  const wanted = count(match[2] ?? '0')
  if (wanted > 1_900 && wanted < 2_200) return undefined
  if (!series) return undefined
  const have = Math.max(...series.columns.slice(1).map((_, index) => pointsOf(series, index + 1).length))
  const exact = /exactly/i.test(match[1] ?? '')
  const pass = exact ? have === wanted : have >= wanted
  const sentence = `The data has ${have} ${have === 1 ? 'point' : 'points'}; ${exact ? 'exactly' : 'at least'} ${wanted} are asked.`
  return pass ? yes(sentence) : no(sentence, 'table.series')
}

const length: Rule = (text, { report }) => {
  const match = new RegExp(
    `(at least|minimum of|more than|no fewer than|at most|no more than|maximum of|fewer than|up to|under)?\\s*${amount}(\\s+or more)?\\s+words`,
    'i',
  ).exec(text)
  if (!match) return undefined
  const wanted = count(match[2] ?? '0')
  const have = words(prose(report))
  const isMax = /at most|no more|maximum|fewer than|up to|under/i.test(match[1] ?? '') && !/no fewer/i.test(match[1] ?? '')
  const pass = isMax ? have <= wanted : have >= wanted
  const sentence = `The report has ${have} words without its charts; ${isMax ? 'at most' : 'at least'} ${wanted} are asked.`
  return pass ? yes(sentence) : no(sentence, 'report.markdown')
}

const chartWord = '(?:charts?|figure|graphs?|plots?|diagrams?)'
const textChart = new RegExp(
  `\\b(?:text|ascii|plain|character)[\\s-]+(?:\\w+[\\s-]+)?${chartWord}\\b|\\b${chartWord}\\b[^.;,]{0,20}\\b(?:in|as|of)\\b[^.;,]{0,15}\\b(?:text|ascii|characters)\\b`,
  'i',
)
const svgChart = /\bsvg\b|\bvector\b|\b(?:picture|image)\b/i

const chart: Rule = (text, { chartText, chartSvg, series, report }) => {
  const asText = textChart.test(text)
  const asSvg = svgChart.test(text)
  if (!asText && !asSvg && !/\b(charts?|graphs?|plots?|diagrams?)\b|\ba figure\b/i.test(text)) return undefined
  if (asText && chartText === undefined) return no('There is no chart in text form among the files.', 'chart.text')
  if (asSvg && chartSvg === undefined) return no('There is no SVG chart among the files.', 'chart.svg')
  if (chartText === undefined && chartSvg === undefined) return no('There is no chart among the files.', 'chart.text')
  if (asText && chartText !== undefined && series && series.rows.length <= 24) {
    const absent = series.rows.filter((row) => row[0] !== '' && !chartText.includes(row[0].slice(0, 18))).map((row) => row[0])
    if (absent.length) return no(`The text chart lacks ${formatList(absent.slice(0, 5))}.`, 'chart.text')
  }
  if (
    /\bin the report\b|\breport\b.*\b(contains|includes|shows|has)\b/i.test(text) &&
    asText &&
    chartText !== undefined &&
    !report.includes(chartText.trim().split('\n').at(-1) ?? '')
  )
    return no('The text chart is not in the report.', 'report.markdown')
  return yes(
    `There is ${chartText !== undefined && !asSvg ? 'a text chart' : 'an SVG chart'}${series ? ` of ${series.rows.length} rows` : ''}.`,
  )
}

const compound: Rule = (text, { report, series }) => {
  if (!/\bcagr\b|\bcompound\b/i.test(text)) return undefined
  if (!/\bcagr\b|\bcompound/i.test(prose(report))) return no('The report does not speak of compound growth.', 'report.markdown')
  const cagrs = series ? computeFigures(series).cagrs : []
  const shown = cagrs.filter(
    (cagr) => report.includes(formatPercent(cagr, true)) || new RegExp(`\\b${Math.abs(cagr * 100).toFixed(1)}\\s?%`).test(report),
  )
  if (cagrs.length > 0 && shown.length === 0)
    return no(
      `The report does not state the compound growth, ${formatList(cagrs.map((cagr) => formatPercent(cagr, true)))}.`,
      'report.markdown',
    )
  return yes(
    cagrs.length
      ? `The report states ${formatList(shown.map((cagr) => formatPercent(cagr, true)))}, as the data gives.`
      : 'The report speaks of compound growth.',
  )
}

const growth: Rule = (text, { report, series }) => {
  if (
    !/year[- ](?:on|over)[- ]year|\bannual growth\b|\bgrowth (?:of|for|in|per|rates?)\b|\byearly (?:growth|change)/i.test(text) ||
    /compound/i.test(text)
  )
    return undefined
  if (!series) return undefined
  const all = [...computeFigures(series).growth]
  if (all.length === 0) return no('The data gives no growth from one row to the next.', 'table.series')
  const absent = all.filter(
    ([, shares]) =>
      !shares.some(
        (share) => report.includes(`${Math.abs(share * 100).toFixed(1)} %`) || report.includes(`${Math.abs(share * 100).toFixed(1)}%`),
      ),
  )
  if (absent.length)
    return no(`The report lacks the growth of ${formatList(absent.slice(0, 6).map(([label]) => label))}.`, 'report.markdown')
  return yes(`The report gives the growth of all ${all.length} steps.`)
}

const trend: Rule = (text, { report, analysis }) => {
  if (!/\btrends?\b/i.test(text)) return undefined
  if (!/\btrend/i.test(prose(report))) return no('The report does not speak of a trend.', 'report.markdown')
  return yes(
    analysis
      ? `The report has a trend analysis over ${analysis.columns.length === 1 ? 'one column' : `${analysis.columns.length} columns`}.`
      : 'The report speaks of the trend.',
  )
}

const table: Rule = (text, { report, series }) => {
  if (!/\b(?:a|the|markdown) table\b|\btables\b|\btabular\b/i.test(text) || /(agree|match|consist)/i.test(text)) return undefined
  const rows = report.split('\n').filter((line) => line.trimStart().startsWith('|'))
  if (rows.length < 3) return no('The report holds no table.', 'report.markdown')
  const absent = (series?.rows ?? []).filter((row) => !rows.some((line) => line.includes(row[0]))).map((row) => row[0])
  if (series && series.rows.length <= 40 && absent.length)
    return no(`The report's table lacks ${formatList(absent.slice(0, 5))}.`, 'report.markdown')
  return yes(`The report has a table of ${rows.length - 2} rows.`)
}

const source: Rule = (text, { report, series }) => {
  if (!/\bsources?\b|\bcit(?:e|es|ed|ation)|\b10-K\b|\bprovenance\b/i.test(text)) return undefined
  const head = series?.source.split(/[.,]/)[0]?.trim() ?? ''
  if (head !== '' && !report.includes(head)) return no(`The report does not name its source, ${series?.source}`, 'report.markdown')
  return /\bsources?\b/i.test(report)
    ? yes(`The report names its source${series ? `: ${series.source}` : '.'}`)
    : no('The report names no source.', 'report.markdown')
}

const numbers: Rule = (text, { report, series }) => {
  if (
    !/\b(numbers?|figures|values?|totals?|data)\b.*\b(agree|match|correct|consistent|equal|accurate|right)|\b(agree|match|consistent)\w*\b.*\b(table|data|numbers)\b/i.test(
      text,
    )
  )
    return undefined
  if (!series) return undefined
  const faults = findNumberErrors(report, series)
  return faults.length
    ? no(faults.slice(0, 3).join(' '), 'report.markdown')
    : yes('Every number of the report that can be placed agrees with the data.')
}

const column: Rule = (text, { series }) => {
  const match = /\bcolumns?\b[^"“]*["“]([^"”]+)["”]/i.exec(text)
  if (!match || !series) return undefined
  const name = match[1]?.toLowerCase() ?? ''
  return series.columns.some((one) => one.toLowerCase() === name)
    ? yes(`The data has the column “${match[1]}”.`)
    : no(`The data has the columns ${formatList(series.columns)}, and none is “${match[1]}”.`, 'table.series')
}

const quoted: Rule = (text, { report }) => {
  if (/\bcolumns?\b/i.test(text) || !/\b(mention|name|state|contain|include|say|use|quote)/i.test(text)) return undefined
  const terms = [...text.matchAll(/["“]([^"”]+)["”]/g)].map((match) => match[1] ?? '')
  if (terms.length === 0) return undefined
  const negated = /\b(?:not|never|nowhere|without)\b/i.test(text)
  const hit = terms.filter((term) => report.toLowerCase().includes(term.toLowerCase()))
  if (negated)
    return hit.length
      ? no(`The report mentions ${formatList(hit.map((term) => `“${term}”`))}.`, 'report.markdown')
      : yes('The report does not mention it.')
  const absent = terms.filter((term) => !hit.includes(term))
  return absent.length
    ? no(`The report does not mention ${formatList(absent.map((term) => `“${term}”`))}.`, 'report.markdown')
    : yes(`The report mentions ${formatList(terms.map((term) => `“${term}”`))}.`)
}

const extreme: Rule = (text, { report, series }) => {
  const best = /\b(best|highest|strongest|top|peak|largest|biggest)\b/i.test(text)
  const worst = /\b(worst|lowest|weakest|bottom|smallest)\b/i.test(text)
  if ((!best && !worst) || !series) return undefined
  const all = pointsOf(series, 1)
  const high = all.reduce((a, b) => (b.value > a.value ? b : a), all[0] ?? { label: '', at: 0, value: 0 })
  const low = all.reduce((a, b) => (b.value < a.value ? b : a), all[0] ?? { label: '', at: 0, value: 0 })
  const wanted = [...(best ? [high.label] : []), ...(worst ? [low.label] : [])]
  const absent = wanted.filter((label) => !prose(report).includes(label))
  if (absent.length) return no(`The report does not name ${formatList(absent)}.`, 'report.markdown')
  const evidence =
    (best ? /\b(best|highest|strongest|leads|peak)\b/i.test(report) : true) &&
    (worst ? /\b(worst|lowest|weakest|slowest)\b/i.test(report) : true)
  return evidence
    ? yes(`The report names the ${best ? 'best' : ''}${best && worst ? ' and ' : ''}${worst ? 'weakest' : ''}.`)
    : no('The report does not say which is best or weakest.', 'report.markdown')
}

/** Topics that a report must cover if the criterion names them. */
const topics: readonly { readonly asks: RegExp; readonly has: RegExp; readonly what: string }[] = [
  { asks: /\boutliers?\b|\banomal/i, has: /\boutliers?\b|stands? out/i, what: 'outliers' },
  {
    asks: /\bR²|\bR2\b|\br-squared\b|\bregression\b|\b(linear|straight)[ -](fit|line|trend)/i,
    has: /R²|regression|straight line/i,
    what: 'the fit of a line',
  },
  { asks: /\bconclusion\b|\bconclude/i, has: /^#+ .*conclusion/im, what: 'a conclusion' },
  { asks: /\bmethods?\b|\bmethodology\b|\blimitations?\b|\blimits\b/i, has: /^#+ .*(method|limit)/im, what: 'method and limits' },
  { asks: /\bmarkdown\b/i, has: /^# \S/m, what: 'a Markdown heading' },
  {
    asks: /\b(?:million|billion|thousand)s?\b.*\b(?:USD|dollars)|\bin USD\b|\bUS dollars\b/i,
    has: /\bUSD\b|\bdollars\b|\$/i,
    what: 'amounts in US dollars',
  },
  { asks: /\bmedian\b/i, has: /\bmedian\b(?! absolute)/i, what: 'the median' },
  { asks: /\b(average|mean)\b/i, has: /\b(average|mean)\b/i, what: 'the average' },
]

const topicRules: readonly Rule[] = topics.map(({ asks, has, what }) => (text, { report }) => {
  if (!asks.test(text)) return undefined
  return has.test(report) ? yes(`The report has ${what}.`) : no(`The report lacks ${what}.`, 'report.markdown')
})

const report: Rule = (text, evidence) => {
  if (!/\breport\b/i.test(text)) return undefined
  const have = words(prose(evidence.report))
  return have >= 40 ? yes(`The report has ${have} words.`) : no(`The report has only ${have} words.`, 'report.markdown')
}

const rules: readonly Rule[] = [
  years,
  points,
  length,
  chart,
  compound,
  growth,
  trend,
  table,
  source,
  numbers,
  column,
  quoted,
  extreme,
  ...topicRules,
]

const negation = /\b(not|never|without|avoid|avoids|except|unless|nor)\b|\bno\b(?! (fewer|less|more) than)/i

/** The findings of all rules that match a criterion. Empty if none does. */
export function applyReportCriteriaRules(text: string, evidence: ReviewEvidence): Finding[] {
  // Rules look for something present. They would read "no chart" as a request for a chart.
  if (negation.test(text)) return [quoted(text, evidence)].filter((finding) => finding !== undefined)
  const found = rules.flatMap((rule) => rule(text, evidence) ?? [])
  if (found.length > 0) return found
  // "The report is elegant" names the report, but asks for something that no rule can check.
  return /\breport\b.{0,12}(exists|is (?:included|delivered|attached|there|provided))|^(?:there is |a |the )?(?:written |final )?report\.?$/i.test(
    text.trim(),
  )
    ? [report(text, evidence)].filter((finding) => finding !== undefined)
    : []
}
