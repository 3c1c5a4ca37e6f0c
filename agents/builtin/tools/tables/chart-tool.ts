/** `table.chart`: a bar, line or pie chart of a table whose rows are grouped. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { isEnglish, splitSentences, trimPoliteness } from '../numbers/split-sentences.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { type GroupNumber, groupRows, numberGroups, selectRows } from './aggregate-rows.ts'
import { capital, labelColumn, type NumbersQuery, nameOfAggregated, nameOfGroups, rankGroups, valueText } from './answer-query.ts'
import {
  drawTableChart,
  shareOf,
  type TableChart,
  type TableChartKind,
  type TableChartPoint,
  type TableChartSeries,
} from './draw-table-chart.ts'
import { type ReadTableContext, writeFilters } from './question-reading.ts'
import { indexCells } from './question-words.ts'
import { type DataTable, listColumns, requireTables } from './read-attached-table.ts'
import { namesInnerList, readQuestion } from './read-question.ts'
import { attachedTable, readHeads, tablePorts, withoutHan } from './table-ports.ts'
import { writeNumber } from './write-numbers.ts'

const [query, ...files] = tablePorts('query.table_chart', 'question', 'What is drawn, such as `revenue by product`.')
const chart = { enum: ['bar', 'line', 'pie'], description: 'A line over time and bars else, if left out.' }
const skill: ToolSkill = {
  id: 'table.chart',
  name: 'Draw a chart of a table',
  description: 'Groups the rows of a CSV or JSON table, and draws the numbers of the groups as a bar, line or pie chart in SVG.',
  inputs: [
    ...(query
      ? [{ ...query, schema: { ...query.schema, properties: { ...(query.schema as { properties: object }).properties, chart } } }]
      : []),
    ...files,
  ],
  outputs: [{ name: 'chart', type: 'table.chart', description: 'An SVG picture with title, labels and values.', optional: false }],
  price: '250000',
  tags: ['bar chart', 'pie chart', 'line chart', 'chart', 'plot', 'graph', 'svg', 'csv', 'table'],
  samples: [
    {
      title: 'Bars',
      input: { question: 'revenue by product', chart: 'bar' },
      output: 'Bar chart of sum of revenue by product: Tea 175.5, Coffee 189.',
    },
  ],
}

/** Work that another route does, or that no tool does. */
const otherWork =
  /\b(?:trends?|reports?|analy[sz]\w*|analysis|forecast\w*|predict\w*|regression|cagr|growth|text|ascii|characters?|png|jpe?g|pdf|excel|xlsx|powerpoint|slides?|dashboard|interactive|3d|animated|histogram|scatter|heat ?map|box ?plot|radar|stacked|map|e-?mail|explain|summar\w+|translate|website|python|code|script)\b/i
const chartNoun =
  /(?:\b(?:as|in|into|using|on)\s+)?(?:\b(?:a|an|the|one|my)\s+)?(?:\b(?:simple|nice|small|clean|basic|quick|svg|horizontal|vertical|clear)\s+)*(?:\b(bar|column|pie|donut|doughnut|line)[\s-]?)?(?:chart|graph|plot|diagram)s?\b(?:\s+(?:of|for|showing|that shows|which shows|to show|comparing|from|about|with))?/gi
const verb =
  /^(?:(?:draw|make|create|plot|chart|graph|show|give|build|generate|produce|render|display|visuali[sz]e|get|do|prepare|need|want)(?: me| us)?\b|i (?:need|want|would like)\b|i'd like\b)[\s,:]*/i
const kindOf = (word: string): TableChartKind | undefined =>
  /^(?:bar|column)$/i.test(word) ? 'bar' : /^line$/i.test(word) ? 'line' : /^(?:pie|donut|doughnut)$/i.test(word) ? 'pie' : undefined

type ChartWish = { readonly kind: TableChartKind | undefined; readonly rest: string; readonly isSeveral: boolean }

/** What is drawn, in the words of a question. Undefined for other work. */
function readWish(text: string): ChartWish | undefined {
  if (otherWork.test(text)) return undefined
  const sentences = splitSentences(text).map(trimPoliteness)
  const plain = sentences.join('. ')
  const nouns = [...plain.matchAll(chartNoun)]
  const isVerb = sentences.some((sentence) => /^(?:plot|chart|graph|visuali[sz]e)\b/i.test(sentence))
  const named = nouns.filter(({ index, 1: kind }) => kind !== undefined || !isVerbAt(plain, index))
  if (named.length === 0 && !isVerb) return undefined
  const noun = named[0]
  const kind = kindOf(noun?.[1] ?? '')
  if (named.length > 1) return { kind, rest: plain, isSeveral: true }
  const cut = noun ? `${plain.slice(0, noun.index)} ${plain.slice(noun.index + noun[0].length)}` : plain
  const rest = trimPoliteness(
    trimPoliteness(cut.trim())
      .replace(verb, '')
      .replace(/^[\s,:;–-]+/, ''),
  )
    .replace(/^(?:of|for|the)\s+/i, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { kind, rest, isSeveral: false }
}

/** "Plot revenue by product" has a verb where a noun could be. */
const isVerbAt = (text: string, at: number): boolean => at === 0 || /[.!?] $/.test(text.slice(0, at))

type ReadChart = {
  readonly table: DataTable
  readonly question: string
  readonly query: NumbersQuery
  readonly notes: readonly string[]
}

const maxSeries = 4

/** The question that gives groups with numbers. Nouns alone are counted: "pie chart of customers by city". */
function readChart(rest: string, context: ReadTableContext): ReadChart | undefined {
  for (const question of [rest, `number of ${rest}`, `number of rows per ${rest}`]) {
    const [part, ...others] = readQuestion(question, context)
    if (!part || others.length > 0 || !('query' in part) || part.query.kind !== 'numbers') continue
    const { query: found, notes } = part
    if (found.groups.length > 1 || found.numbers.length > maxSeries || found.isChange || found.pick?.isOrdinal) continue
    const label = found.groups.length === 1 ? undefined : labelColumn(context.table)
    if (
      found.groups.length === 0 &&
      (found.pick || !label || found.numbers.some(({ measure }) => measure.kind === 'rows' || measure.kind === 'distinct'))
    )
      continue
    return { table: context.table, question, query: label ? { ...found, groups: [{ column: label, part: undefined }] } : found, notes }
  }
  return undefined
}

/** The chart of the outermost list of nested JSON that has what is asked for. */
function readChartOverTables(rest: string, contexts: readonly ReadTableContext[]): ReadChart | undefined {
  for (const context of contexts) {
    const found = namesInnerList(rest, context.table) ? undefined : readChart(rest, context)
    if (found) return found
  }
  return undefined
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!isEnglish(withoutHan(goal.words)) || goal.quotations.some((one) => one.length > 200)) return undefined
  const wish = readWish(goal.text)
  const tables = goal.files.filter(({ type }) => type === 'table.csv' || type === 'table.json')
  const file = attachedTable(goal)
  if (!wish || !file || tables.length > 1 || wish.rest === '') return undefined
  const heads = readHeads(file) ?? []
  const head = heads.at(-1)
  if (!head) return undefined
  const found = wish.isSeveral ? undefined : readChartOverTables(wish.rest, heads)
  if (!found) return questionOn(wish, head, file.isWhole === true)
  const kind = wish.kind ?? usualKind(found.query)
  return {
    confidence: 0.95,
    query: { question: found.question, chart: kind },
    summary: `I draw a ${kind} chart of ${wish.rest.slice(0, 80)} from “${file.name}”.`,
  }
}

/** Asks for a name that a whole table lacks. */
function questionOn({ kind, rest, isSeveral }: ChartWish, head: ReadTableContext, isWhole: boolean): ToolReading {
  const [part, ...others] = readQuestion(rest, head)
  if (kind === undefined || !/\b(?:by|per|each|every|share)\b/i.test(rest)) return undefined
  if (isSeveral || others.length > 0)
    return { confidence: 0.86, question: 'I draw one chart for a goal. Say which one, and post the other wishes as goals of their own.' }
  if (!isWhole || !part || !('reason' in part) || part.unknown.length === 0 || part.unknown.length > 2) return undefined
  return { confidence: 0.86, question: `${part.reason} Ask again with those names.` }
}

const usualKind = ({ groups }: NumbersQuery): TableChartKind => (groups[0]?.column.kind === 'time' ? 'line' : 'bar')

const maxBars = 60
const maxPoints = 400
/** Slices of a pie; smaller ones are drawn as one. */
const maxSlices = 8

function run(work: SkillRequest): SkillResponse {
  const asked = requireData(work, 'query.table_chart')
  const contexts = requireTables(work).map((table): ReadTableContext => ({ table, cells: indexCells(table) }))
  const text = typeof asked.question === 'string' && asked.question.trim() !== '' ? asked.question : refuse('The query needs a `question`.')
  const found = readChartOverTables(text.slice(0, 4_000), contexts)
  if (!found)
    return refuse(
      `I do not see what to draw in “${text.slice(0, 80)}”. The columns are ${contexts.map(({ table }) => listColumns(table)).join('; ')}.`,
    )
  const { table } = found
  const kind = asked.chart === 'bar' || asked.chart === 'line' || asked.chart === 'pie' ? asked.chart : usualKind(found.query)
  const drawn = chartOf(table, kind, found.query)
  const [first] = drawn.series
  const shown = (first?.points ?? []).slice(0, 12).map(({ label, text: value }) => `${label} ${value}`)
  const more = (first?.points.length ?? 0) - shown.length
  const notes = found.notes.length > 0 ? ` ${found.notes.join(' ')}` : ''
  return {
    outputs: [{ name: 'chart.svg', media_type: 'image/svg+xml', artifact_type: 'table.chart', text: drawTableChart(drawn) }],
    text: `${capital(kind)} chart of ${drawn.title.charAt(0).toLowerCase()}${drawn.title.slice(1)}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.${missingNote(table, found.query)}${notes}`,
  }
}

/** Rows without a number are named, because the picture does not show them. */
function missingNote(table: DataTable, { numbers, filters }: NumbersQuery): string {
  const measure = numbers[0]?.measure
  if (measure?.kind !== 'column') return ''
  const missing = selectRows(table, filters).filter(
    (row) => (measure.column.numbers[row] ?? null) === null && measure.column.kind === 'number',
  ).length
  return missing > 0 ? ` ${missing} ${missing === 1 ? 'row has' : 'rows have'} no number in “${measure.column.name}”.` : ''
}

function chartOf(table: DataTable, kind: TableChartKind, numbers: NumbersQuery): TableChart {
  const rows = selectRows(table, numbers.filters)
  const groups = groupRows(numbers.groups, rows)
  const [first] = numbers.numbers
  if (!first || groups.length === 0) return refuse(`No row fulfils the condition: ${writeFilters(numbers.filters)}.`)
  const ranked = rankPoints(kind, numberGroups(groups, first), numbers)
  const kept = ranked.slice(0, numbers.pick?.count ?? ranked.length).map(({ group }) => group)
  const all = numbers.numbers.map((number): TableChartSeries => {
    const points = numberGroups(kept, number).map(
      ({ group, number: value }): TableChartPoint => ({ label: group.name, value: value.value, text: valueText(number, value) }),
    )
    return { name: nameOfAggregated(number), points }
  })
  if (all.every(({ points }) => points.every(({ value }) => value === null))) refuse('The table has no number to draw.')
  const max = kind === 'line' ? maxPoints : maxBars
  if (kind !== 'pie' && kept.length > max)
    refuse(
      `The chart would have ${kept.length} ${kind === 'line' ? 'points' : 'bars'}; I draw at most ${max}. Ask for the top ${Math.min(max, 20)}.`,
    )
  const where = numbers.filters.length === 0 ? '' : ` where ${writeFilters(numbers.filters)}`
  const title = `${capital(formatList(all.map(({ name }) => name)))} by ${nameOfGroups(numbers.groups)}${where}`
  if (kind === 'pie') return { kind, title, series: [pieSeries(all, first.measure.kind)] }
  return { kind, title, series: numbers.isShare ? all.map(withShares) : all }
}

/** A line keeps the order of the table, and a pie begins with the largest part. */
function rankPoints(kind: TableChartKind, found: readonly GroupNumber[], numbers: NumbersQuery): readonly GroupNumber[] {
  if (numbers.pick) return rankGroups(found, numbers)
  if (kind === 'line') return found
  return rankGroups(found, kind === 'pie' ? { ...numbers, pick: { direction: 'highest', count: maxPoints } } : numbers)
}

/** A pie shows parts of a whole, so that negative numbers have no slice. */
function pieSeries(all: readonly TableChartSeries[], kind: string): TableChartSeries {
  const [series] = all
  if (!series || all.length > 1) return refuse('A pie chart shows one number for each group. Ask for a bar chart of several numbers.')
  const points = series.points.filter(({ value }) => value !== null)
  if (points.some(({ value }) => (value ?? 0) < 0)) return refuse('A pie chart has no slices for negative numbers. Ask for a bar chart.')
  if (points.every(({ value }) => value === 0)) return refuse('All numbers are 0, so that a pie chart has no slices.')
  if (points.length <= maxSlices) return { ...series, points }
  const rest = points.slice(maxSlices - 1)
  const value = rest.reduce((sum, point) => sum + (point.value ?? 0), 0)
  const other = { label: `${rest.length} others`, value, text: writeNumber(value, kind === 'rows' ? 0 : 2) }
  return { ...series, points: [...points.slice(0, maxSlices - 1), other] }
}

function withShares({ name, points }: TableChartSeries): TableChartSeries {
  const total = points.reduce((sum, { value }) => sum + (value ?? 0), 0)
  return { name, points: points.map((point) => ({ ...point, text: `${point.text} (${shareOf(point.value ?? 0, total)})` })) }
}

export const tableChartTool: Tool = { skill, readGoal, run }
