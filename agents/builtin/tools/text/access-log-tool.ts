/** `text.access_log`: answers questions on the access log of a web server. */
import type { Json } from '@parley/protocol'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { type AccessEntry, datesOf, isAccessLog, parseAccessLog } from './parse-access-log.ts'
import { type AccessGroup, type AccessReport, accessGroups, accessMeasures, readAccessLogQuestion } from './read-access-log-question.ts'
import { splitMaterial } from './split-material.ts'
import { listRequests, readTextGoal, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.access_log'
const maxReports = 8
const maxShown = 15
const maxRows = 1_000
const strings = { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: 20 }
const skill: ToolSkill = {
  id: 'text.access_log',
  name: 'Answer questions on an access log',
  description:
    'Counts requests, visitors or bytes of an nginx or Apache access log by IP address, path, status, hour, day, method, browser or referrer: server errors, 404s, top lists.',
  inputs: textPorts(type, 'The log and what is counted.', {
    reports: {
      type: 'array',
      minItems: 1,
      maxItems: maxReports,
      items: {
        type: 'object',
        properties: {
          by: { enum: accessGroups },
          measure: { enum: accessMeasures },
          statuses: { ...strings, description: 'Such as `404` or `5xx`; all, if left out.' },
          method: { type: 'string', maxLength: 10 },
          top: { type: 'integer', minimum: 1, maximum: maxRows },
          without: { ...strings, description: 'Paths and addresses that do not count.' },
          within: { ...strings, description: 'Paths and addresses that count alone.' },
        },
      },
    },
  }),
  outputs: [{ name: 'counts', type: 'text.access_counts', description: 'All counts, as Markdown.', optional: false }],
  price: '150000',
  tags: ['access log', 'nginx', 'apache', 'web server', 'status codes', '5xx', '404', 'ip addresses', 'requests per hour', 'top paths'],
  samples: [
    {
      title: 'Server errors',
      input: {
        text: '192.0.2.4 - - [11/Jun/2025:22:01:13 +0000] "GET /cart HTTP/1.1" 502 157 "-" "-"',
        reports: [{ by: 'ip', statuses: ['5xx'] }],
      },
      output: 'Requests with status 5xx by IP address: 192.0.2.4: 1.',
    },
  ],
}

function readGoal(goal: ToolGoal): ToolReading {
  const split = splitMaterial(goal)
  const file = goal.files.find((one) => one.type === 'document.text')
  const material = split?.material ?? file?.head
  if (!split || material === undefined || !isAccessLog(material) || goal.files.length > 1) return undefined
  const asked = readAccessLogQuestion(listRequests(split.request))
  if (!asked) return undefined
  const { entries } = parseAccessLog(material)
  const isWhole = split.material !== undefined || file?.isWhole === true
  if (asked.isDated && (!isWhole || datesOf(entries).length > 2))
    return {
      confidence: 0.9,
      question: 'The log can cover several days. Which day or night do you mean? Give the date, or ask for the whole log.',
    }
  const request = { text: split.material, quotations: [], hasFile: file !== undefined }
  const reading = readTextGoal(
    request,
    { reports: asked.reports as unknown as Json },
    `I count in the access log: ${asked.reports.map(titleOf).join('; ')}.`,
  )
  return reading && 'query' in reading ? { ...reading, confidence: 0.94 } : reading
}

const groupNames: { readonly [group in AccessGroup]: string } = {
  ip: 'IP address',
  path: 'path',
  status: 'status',
  hour: 'hour',
  day: 'day',
  minute: 'minute',
  method: 'method',
  agent: 'browser or program',
  referrer: 'referrer',
}
const measureNames = { requests: 'requests', bytes: 'bytes sent', visitors: 'different IP addresses' } as const

function titleOf({ by, statuses, method, measure, without, within }: AccessReport): string {
  const what = method === undefined ? measureNames[measure] : `${method} ${measureNames[measure]}`
  const where = statuses.length === 0 ? '' : `${measure === 'requests' ? '' : ' of requests'} with status ${statuses.join(' or ')}`
  const scope = `${within.length === 0 ? '' : ` of ${within.join(', ')}`}${without.length === 0 ? '' : ` without ${without.join(', ')}`}`
  return `${what}${where}${scope}${by === undefined ? '' : ` by ${groupNames[by]}`}`
}

const hasStatus = ({ status }: AccessEntry, statuses: readonly string[]): boolean =>
  statuses.length === 0 || statuses.some((one) => one === status || (one.endsWith('xx') && one[0] === status[0]))

/** A path includes those below it. */
const isOf = ({ ip, path }: AccessEntry, name: string): boolean =>
  name.startsWith('/') ? path === name || path.startsWith(name.endsWith('/') ? name : `${name}/`) : ip === name

const keyOf = (entry: AccessEntry, by: AccessGroup): string => {
  if (by === 'hour') return `${entry.time.slice(0, 11)} ${entry.time.slice(12, 14)}:00`
  if (by === 'minute') return `${entry.time.slice(0, 11)} ${entry.time.slice(12, 17)}`
  return by === 'day' ? entry.time.slice(0, 11) : entry[by]
}

function measureOf(entries: readonly AccessEntry[], measure: AccessReport['measure']): number {
  if (measure === 'bytes') return entries.reduce((sum, { bytes }) => sum + bytes, 0)
  return measure === 'visitors' ? new Set(entries.map(({ ip }) => ip)).size : entries.length
}

type Counted = { readonly total: number; readonly rows: readonly (readonly [string, number])[]; readonly codes: string }

function countReport(all: readonly AccessEntry[], report: AccessReport): Counted {
  const entries = all.filter(
    (entry) =>
      hasStatus(entry, report.statuses) &&
      (report.method === undefined || entry.method === report.method) &&
      (report.within.length === 0 || report.within.some((one) => isOf(entry, one))) &&
      !report.without.some((one) => isOf(entry, one)),
  )
  const codes = countsBy(entries, 'status', 'requests').map(([code, n]) => `${code}: ${n}`)
  const rows = report.by === undefined ? [] : countsBy(entries, report.by, report.measure)
  const isMixed = report.statuses.length > 0 && codes.length > 1
  return { total: measureOf(entries, report.measure), rows, codes: isMixed ? ` (${codes.join(', ')})` : '' }
}

/** Times in their order, all others from the largest. */
function countsBy(entries: readonly AccessEntry[], by: AccessGroup, measure: AccessReport['measure']): (readonly [string, number])[] {
  const groups = new Map<string, AccessEntry[]>()
  for (const entry of entries) {
    const key = keyOf(entry, by)
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return [...groups]
    .map(([key, members]) => [key, measureOf(members, measure)] as const)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

const formatCount = (n: number): string => n.toLocaleString('en-US')

function sentenceOf(report: AccessReport, { total, rows, codes }: Counted): string {
  const title = titleOf(report)
  const name = `${title[0]?.toUpperCase() ?? ''}${title.slice(1)}`
  if (report.by === undefined) return `${name}: ${formatCount(total)}${codes}.`
  if (rows.length === 0) return `${name}: none.`
  const top = report.top ?? maxShown
  // Equal counts at the end of a top list are named as well.
  const limit = rows[top - 1]?.[1] ?? 0
  const equal = rows.filter(([, n], index) => index < top || (report.top !== undefined && n === limit))
  const shown = equal.length <= top + 10 ? equal : rows.slice(0, top)
  const more = report.top === undefined && rows.length > shown.length ? `; and ${rows.length - shown.length} more in the file` : ''
  const sum = report.measure === 'visitors' ? '' : ` ${formatCount(total)} in total${codes}.`
  return `${name}: ${shown.map(([key, n]) => `${key}: ${formatCount(n)}`).join('; ')}${more}.${sum}`
}

const cell = (text: string): string => text.replace(/[|\\`<>]/g, '\\$&').slice(0, 200)

function tableOf(report: AccessReport, { rows, total }: Counted): string {
  const head = `## ${cell(titleOf(report))}\n\n`
  if (report.by === undefined) return `${head}${formatCount(total)}\n`
  const lines = rows.slice(0, report.top ?? maxRows).map(([key, n]) => `| ${cell(key)} | ${formatCount(n)} |`)
  return `${head}| ${groupNames[report.by]} | ${measureNames[report.measure]} |\n| :-- | --: |\n${lines.join('\n')}\n`
}

/** The reports of a query; what has another form is left out. */
function parseReports(value: Json | undefined): AccessReport[] {
  const list = (one: Json | undefined) => (Array.isArray(one) ? one.filter((item): item is string => typeof item === 'string') : [])
  return (Array.isArray(value) ? value : []).flatMap((one): AccessReport[] => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return []
    const { by, measure, statuses, method, top, without, within } = one as { readonly [name: string]: Json }
    const group = accessGroups.find((known) => known === by)
    return [
      {
        ...(group && { by: group }),
        ...(typeof method === 'string' && { method }),
        ...(typeof top === 'number' && top >= 1 && { top: Math.min(maxRows, Math.floor(top)) }),
        measure: accessMeasures.find((known) => known === measure) ?? 'requests',
        statuses: list(statuses),
        without: list(without),
        within: list(within),
      },
    ]
  })
}

function run(work: SkillRequest): SkillResponse {
  const { entries, otherLines } = parseAccessLog(requireMaterial(work, type))
  const reports = parseReports(requireData(work, type).reports).slice(0, maxReports)
  if (entries.length === 0)
    return refuse('No line has the common or combined format of nginx and Apache. Attach an access log of this format.')
  if (reports.length === 0) return refuse('The query needs `reports`: what is counted, such as {"by": "ip", "statuses": ["5xx"]}.')
  const counted = reports.map((report) => countReport(entries, report))
  const sentences = reports.map((report, index) => sentenceOf(report, counted[index] as Counted))
  const other = otherLines === 0 ? '' : ` ${formatCount(otherLines)} ${otherLines === 1 ? 'line is' : 'lines are'} no request and left out.`
  const note = `Read ${formatCount(entries.length)} ${entries.length === 1 ? 'request' : 'requests'}.${other}`
  const tables = reports.map((report, index) => tableOf(report, counted[index] as Counted))
  const body = `# Access log\n\n${note} Paths are without what follows a question mark; times are those of the log.\n\n${tables.join('\n')}`
  return {
    outputs: [{ name: 'access-log.md', media_type: 'text/markdown', artifact_type: 'text.access_counts', text: body }],
    text: [...sentences, note].join('\n'),
  }
}

export const textAccessLogTool: Tool = { skill, readGoal, run }
