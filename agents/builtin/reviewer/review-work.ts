/** `work.review`: checks each acceptance criterion against the artifacts. A criterion without a rule is `unchecked`, and fails nothing. */
import { z } from 'zod'
import { parseTableSeries } from '../artifacts/table-series.ts'
import { parseAnalysis } from '../artifacts/trend-analysis-types.ts'
import { formatPercent } from '../format-numbers-and-lists.ts'
import { findInput, refuse, requireData, requireText, type SkillRequest, type SkillResponse } from '../skill.ts'
import { computeFigures, findNumberErrors } from './find-number-errors.ts'
import { applyReportCriteriaRules, type Finding, type ReviewEvidence } from './report-criteria-rules.ts'

const CriterionVerdict = z.looseObject({
  text: z.string(),
  status: z.enum(['met', 'failed', 'unchecked']),
  pass: z.boolean().nullable().describe('null: unchecked.'),
  evidence: z.string(),
  concerns: z.array(z.string()).default([]).describe('Artifact types that would have to change.'),
})
export type CriterionVerdict = z.infer<typeof CriterionVerdict>

export const ReviewVerdict = z.looseObject({ pass: z.boolean(), criteria: z.array(CriterionVerdict) })
export type ReviewVerdict = z.infer<typeof ReviewVerdict>

const Criteria = z.looseObject({
  text: z.string().default(''),
  criteria: z.array(z.union([z.string(), z.looseObject({ text: z.string() })])).default([]),
})

/** @throws {SkillRefused} if the text is not a verdict */
export function parseVerdict(text: string): ReviewVerdict {
  try {
    return ReviewVerdict.parse(JSON.parse(text))
  } catch {
    return refuse('The verdict is not in the shape of review.verdict.')
  }
}

export function reviewWork(work: SkillRequest): ReviewVerdict {
  const asked = Criteria.safeParse(requireData(work, 'goal.criteria'))
  if (!asked.success) return refuse('The criteria are not in the shape of goal.criteria.')
  const evidence = cardDisputeEvidenceOf(work)
  const criteria = asked.data.criteria.map((one) => judge(typeof one === 'string' ? one : one.text, evidence))
  criteria.push(...ownChecks(evidence))
  return { pass: criteria.every((one) => one.status !== 'failed'), criteria }
}

function cardDisputeEvidenceOf(work: SkillRequest): ReviewEvidence {
  const series = findInput(work, 'table.series')?.text
  const analysis = findInput(work, 'analysis.trend')?.text
  return {
    report: requireText(work, 'report.markdown'),
    series: series === undefined ? undefined : parseTableSeries(series),
    analysis: analysis === undefined ? undefined : parseAnalysis(analysis),
    chartText: findInput(work, 'chart.text')?.text,
    chartSvg: findInput(work, 'chart.svg')?.text,
  }
}

function judge(text: string, evidence: ReviewEvidence): CriterionVerdict {
  const findings = applyReportCriteriaRules(text, evidence)
  if (findings.length === 0)
    return { text, status: 'unchecked', pass: null, evidence: 'No rule of mine can judge this; please look for yourself.', concerns: [] }
  return verdictOf(text, findings)
}

function verdictOf(text: string, findings: readonly Finding[]): CriterionVerdict {
  const failed = findings.filter((finding) => !finding.pass)
  const shownFindings = failed.length > 0 ? failed : findings
  return {
    text,
    status: failed.length > 0 ? 'failed' : 'met',
    pass: failed.length === 0,
    evidence: shownFindings.map((finding) => finding.evidence).join(' '),
    concerns: [...new Set(failed.flatMap((finding) => finding.concerns ?? []))],
  }
}

/** Checks of every report: its numbers, charts and analysis must agree with the data. */
function ownChecks(evidence: ReviewEvidence): CriterionVerdict[] {
  const { series } = evidence
  if (!series) return []
  const faults = findNumberErrors(evidence.report, series)
  const checks: CriterionVerdict[] = [
    verdictOf("The report's numbers agree with the data.", [
      faults.length > 0
        ? { pass: false, evidence: faults.slice(0, 5).join(' '), concerns: 'report.markdown' }
        : { pass: true, evidence: `Recomputed from ${series.rows.length} rows; no number disagrees.` },
    ]),
  ]
  const wrong = chartFaults(evidence)
  if (evidence.chartText !== undefined && wrong.length > 0)
    checks.push(
      verdictOf("The chart's numbers agree with the data.", [
        { pass: false, evidence: wrong.slice(0, 3).join(' '), concerns: 'chart.text' },
      ]),
    )
  const off = analysisFaults(evidence)
  if (off.length > 0)
    checks.push(
      verdictOf('The analysis agrees with the data.', [{ pass: false, evidence: off.slice(0, 3).join(' '), concerns: 'analysis.trend' }]),
    )
  return checks
}

/** A line with a label at its beginning and a number at its end claims that number. */
function chartFaults({ chartText, series }: ReviewEvidence): string[] {
  if (chartText === undefined || !series) return []
  const { values } = computeFigures(series)
  return chartText.split('\n').flatMap((line) => {
    const match = /^(.{1,20}?)\s*\|.*\s(-?[\d,]+(?:\.\d+)?)$/u.exec(line) ?? /^(.{1,20}?)\s+[^|]*\|.*\s(-?[\d,]+(?:\.\d+)?)$/u.exec(line)
    const label = match?.[1]?.trim() ?? ''
    const truths = values.get(label)
    if (!match || !truths) return []
    const shown = match[2] ?? ''
    const value = Number(shown.replace(/,/g, ''))
    const slack = 0.51 * 10 ** -(/\.(\d+)/.exec(shown)?.[1]?.length ?? 0)
    return truths.some((truth) => Math.abs(truth - value) <= slack)
      ? []
      : [`The chart gives ${shown} for ${label}, and the data says ${truths.join(' or ')}.`]
  })
}

function analysisFaults({ analysis, series }: ReviewEvidence): string[] {
  if (!analysis || !series) return []
  const { cagrs } = computeFigures(series)
  return analysis.columns.flatMap((trend) => {
    if (trend.cagr === null || cagrs.length === 0 || cagrs.some((cagr) => Math.abs(cagr - (trend.cagr ?? 0)) < 5e-5)) return []
    return [
      `The analysis has a compound growth of ${formatPercent(trend.cagr, true)} for ${trend.column}, and from the data it is ${cagrs.map((cagr) => formatPercent(cagr, true)).join(' or ')}.`,
    ]
  })
}

export function reviewWorkSkill(work: SkillRequest): SkillResponse {
  const verdict = reviewWork(work)
  const failed = verdict.criteria.filter((one) => one.status === 'failed')
  const unchecked = verdict.criteria.filter((one) => one.status === 'unchecked').length
  const met = verdict.criteria.length - failed.length - unchecked
  const counts = `${met} met, ${failed.length} failed, ${unchecked} not checkable by rule`
  return {
    outputs: [
      { name: 'verdict.json', media_type: 'application/json', artifact_type: 'review.verdict', text: JSON.stringify(verdict, null, 1) },
    ],
    text: verdict.pass ? `Passed: ${counts}.` : `Not passed: ${counts}. ${failed.map((one) => one.evidence).join(' ')}`.slice(0, 2_000),
  }
}
