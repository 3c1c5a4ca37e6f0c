/** `figures.lookup`: annual figures of companies for the requested years. */
import { z } from 'zod'
import type { Series } from '../artifacts/table-series.ts'
import { formatList } from '../format-numbers-and-lists.ts'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../skill.ts'
import { type Company, companyFigures, type Metric } from './company-figures.ts'

const metricNames: { readonly [metric in Metric]: string } = { revenue: 'Revenue', net_income: 'Net income' }

const Query = z.looseObject({
  company: z.string().min(1).max(200).optional(),
  companies: z.array(z.string().min(1).max(200)).max(6).optional(),
  metric: z.string().max(60).default('revenue'),
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional(),
  last: z.coerce.number().int().min(1).max(100).optional().describe('The latest so many years, where no first year is given.'),
})

const suffixes = /\b(incorporated|inc|corporation|corp|company|co|limited|ltd|plc|llc|holdings?|group)\b/g

/** "Microsoft Corp." → "microsoft": without case, punctuation and legal form. */
export function bareName(text: string): string {
  const lower = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^a-z0-9 ]+/g, ' ')
  return lower.replace(suffixes, ' ').replace(/\s+/g, ' ').trim()
}

export function findCompany(name: string): Company | undefined {
  const wanted = bareName(name)
  return companyFigures.find((company) => [company.name, ...company.aliases].some((known) => bareName(known) === wanted))
}

function readMetric(text: string): Metric | undefined {
  const bare = text.toLowerCase().replace(/[_-]+/g, ' ').trim()
  if (/^(annual |total |net )?(revenues?|sales|turnover)$/.test(bare)) return 'revenue'
  if (/^(annual )?(net (income|profit|earnings|loss)|profits?|earnings)$/.test(bare)) return 'net_income'
  return undefined
}

function figuresOf(company: Company, metric: Metric): Map<number, number> {
  const first = company.first[metric]
  const values = company[metric]
  if (first === undefined || !values) return new Map()
  return new Map(values.map((value, index) => [first + index, value]))
}

/** "Microsoft (revenue 2010–2024, net income 2010–2024)": what the table has. */
function holdings(company: Company): string {
  const spans = (['revenue', 'net_income'] as const).flatMap((metric) => {
    const years = [...figuresOf(company, metric).keys()]
    return years.length ? [`${metricNames[metric].toLowerCase()} ${years[0]}–${years[years.length - 1]}`] : []
  })
  return `${company.name} (${spans.join(', ')})`
}

/** @throws {SkillRefused} with what the table has, if it lacks the requested figures */
export function lookUpCompanyFigures(input: unknown): Series {
  const query = Query.safeParse(input)
  if (!query.success) return refuse(`The query is not one: ${z.prettifyError(query.error)}`)
  const names = query.data.companies ?? (query.data.company === undefined ? [] : [query.data.company])
  if (names.length === 0) refuse('The query names no company.')
  const metric = readMetric(query.data.metric)
  if (!metric) return refuse(`I have annual revenue and net income, not “${query.data.metric}”.`)
  const found = names.map(
    (name) => findCompany(name) ?? refuse(`I have no figures of ${name}. I have ${formatList(companyFigures.map(holdings))}.`),
  )
  const tables = found.map((company) => figuresOf(company, metric))
  found.forEach((company, index) => {
    if (tables[index]?.size === 0) refuse(`I have no ${metricNames[metric].toLowerCase()} of ${company.name}; I have ${holdings(company)}.`)
  })
  const to = query.data.to ?? Math.min(...tables.map((table) => Math.max(...table.keys())))
  const earliest = Math.max(...tables.map((table) => Math.min(...table.keys())))
  const from = query.data.from ?? (query.data.last === undefined ? earliest : to - query.data.last + 1)
  if (from > to) refuse(`The first year, ${from}, comes after the last, ${to}.`)
  found.forEach((company, index) => {
    const missing = []
    for (let year = from; year <= to; year++) if (!tables[index]?.has(year)) missing.push(year)
    if (missing.length)
      refuse(
        `I have no ${metricNames[metric].toLowerCase()} of ${company.name} for ${formatList(missing.map(String))}; I have ${holdings(company)}.`,
      )
  })
  const rows: Series['rows'] = []
  for (let year = from; year <= to; year++) rows.push([String(year), ...tables.map((table) => table.get(year) ?? null)])
  return {
    title: `Annual ${metricNames[metric].toLowerCase()} of ${formatList(found.map((company) => company.name))}, ${from === to ? `fiscal year ${from}` : `fiscal years ${from}–${to}`}`,
    unit: 'million USD',
    source: found.map((company) => sourceOf(company, from, to)).join(' '),
    columns: ['Fiscal year', ...found.map((company) => (found.length === 1 ? metricNames[metric] : company.name))],
    rows,
    notes: found.flatMap((company) => notesOf(company, from, to)),
  }
}

function sourceOf(company: Company, from: number, to: number): string {
  const restated = Object.entries(company.restated ?? {}).filter(([year]) => Number(year) >= from && Number(year) <= to)
  const later = restated.map(([year, { report }]) => `${year} from the report of fiscal year ${report}`)
  const span = from === to ? `fiscal year ${from}` : `fiscal years ${from} to ${to}`
  return `${company.name}, Form 10-K, ${span}${later.length ? ` (${later.join(', ')})` : ''}.`
}

function notesOf(company: Company, from: number, to: number): string[] {
  const notes = [`${company.name}'s fiscal year ends on ${company.fiscalYearEnd}.`]
  const restated = Object.entries(company.restated ?? {}).filter(([year]) => Number(year) >= from && Number(year) <= to)
  for (const [year, { report, why }] of restated) notes.push(`${company.name} ${year}: ${why}, from the report of fiscal year ${report}.`)
  // A note about other years is left out.
  const years = [...(company.note ?? '').matchAll(/\b(?:19|20)\d\d\b/g)].map((match) => Number(match[0]))
  if (company.note && (years.length === 0 || years.some((year) => year >= from && year <= to + 1))) notes.push(company.note)
  return notes
}

export function lookUpCompanyFiguresSkill(work: SkillRequest): SkillResponse {
  const series = lookUpCompanyFigures(requireData(work, 'query.figures'))
  return {
    outputs: [
      { name: 'figures.json', media_type: 'application/json', artifact_type: 'table.series', text: JSON.stringify(series, null, 1) },
    ],
    text: `${series.title}: ${series.rows.length} ${series.rows.length === 1 ? 'row' : 'rows'}, ${series.unit}. ${series.source}`,
  }
}
