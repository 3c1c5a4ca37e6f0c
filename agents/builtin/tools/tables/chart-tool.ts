/** `table.chart`: a bar, line or pie chart of a table whose rows are grouped. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { isEnglish } from '../numbers/is-english.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { changesOf, type GroupNumber, groupRows, numberGroups, selectRows } from './computing/aggregate-rows.ts'
import {
  answerQuery,
  capital,
  labelColumn,
  type NumbersQuery,
  nameOfAggregated,
  nameOfGroups,
  noteOnGroups,
  rankGroups,
  valueText,
} from './computing/answer-query.ts'
import type { Aggregated } from './computing/table-query.ts'
import { type ReadTableContext, writeFilters } from './reading/question/question-reading.ts'
import {
  type ChartGoal,
  type ChartRequest,
  readChartGoal,
  readChartOverTables,
  readChartRequest,
} from './reading/question/read-chart-goal.ts'
import { readQuestion } from './reading/question/read-question.ts'
import { type DataTable, listColumns, requireTables } from './reading/table/read-attached-table.ts'
import { indexCells } from './reading/words/find-cell-values.ts'
import { attachedTable, readHeads, tablePorts, withoutHan } from './table-ports.ts'
import {
  drawTableChart,
  shareOf,
  type TableChart,
  type TableChartKind,
  type TableChartPoint,
  type TableChartSeries,
} from './writing/draw-table-chart.ts'
import { type AnsweredPart, sentenceOfPart } from './writing/write-answers.ts'
import { nameOfMeasure, writeNumber } from './writing/write-numbers.ts'

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

const noChartRequest: ChartRequest = { kind: undefined, rest: '', isSeveral: false }

function readGoal(goal: ToolGoal): ToolReading {
  if (!isEnglish(withoutHan(goal.words)) || goal.quotations.some((one) => one.length > 200)) return undefined
  const requested = readChartRequest(goal.text) ?? noChartRequest
  const tables = goal.files.filter(({ type }) => type === 'table.csv' || type === 'table.json')
  const file = attachedTable(goal)
  if (!requested || !file || tables.length > 1) return undefined
  const heads = readHeads(file) ?? []
  const head = heads.at(-1)
  if (!head) return undefined
  const whole = firstGoal(goal.text, heads)
  if (whole && whole.answers.length > 0) return requestFor(whole, goal.text, file.name)
  const found =
    requested.isSeveral || requested.rest === '' || /\b(?:grand|overall) (?:total|average)\b/i.test(requested.rest)
      ? undefined
      : readChartOverTables(requested.rest, heads)
  if (!found && whole) return requestFor(whole, goal.text, file.name)
  const only = !found && requested !== noChartRequest && namesNoColumn.test(requested.rest) ? chartOfOnlyNumberColumn(heads) : undefined
  if (only) {
    const kind = requested.kind ?? usualKind(only.query)
    const query = { question: only.question, chart: kind }
    return { confidence: 0.95, query, summary: `I draw a ${kind} chart of ${only.question} from “${file.name}”.` }
  }
  if (!found && requested.rest === '') return undefined
  if (!found) return questionOn(requested, head, file.isWhole === true)
  const kind = requested.kind ?? usualKind(found.query)
  return {
    confidence: 0.95,
    query: { question: found.question, chart: kind },
    summary: `I draw a ${kind} chart of ${requested.rest.slice(0, 80)} from “${file.name}”.`,
  }
}

/** Words that name the table and no column of it. */
const namesNoColumn =
  /^(?:(?:of|from|with|for|using|in|as|this|these|the|that|those|my|our|following|above|below|given|attached|pasted|table|data|numbers|values|figures|csv|file|list|results?|it)(?:[\s.:]+|$))*$/i

/** What can be drawn of a table with one column of numbers, and a name or time for each row. */
function chartOfOnlyNumberColumn(contexts: readonly ReadTableContext[]): ReturnType<typeof readChartOverTables> {
  const [context, ...others] = contexts
  const numbers = context?.table.columns.filter(({ kind }) => kind === 'number') ?? []
  const label = context && labelColumn(context.table)
  const [number] = numbers.filter(({ index }) => index !== label?.index)
  if (!context || others.length > 0 || !number || !label || numbers.length > 1) return undefined
  return readChartOverTables(`${number.name} per ${label.name}`, [context])
}

/** The first table that has all of what a goal asks for. */
function firstGoal(text: string, contexts: readonly ReadTableContext[]): ChartGoal | undefined {
  for (const context of contexts) {
    const found = readChartGoal(text.slice(0, 4_000), context)
    if (found) return found
  }
  return undefined
}

function requestFor({ chart: drawn, kind, answers }: ChartGoal, text: string, file: string): ToolReading {
  const chosen = kind ?? usualKind(drawn.query)
  const also = answers.length > 0 ? `, and answer ${answers.length === 1 ? 'a question' : `${answers.length} questions`} beside it` : ''
  return {
    confidence: 0.95,
    query: { question: text.slice(0, 4_000), chart: chosen },
    summary: `I draw a ${chosen} chart of ${drawn.question.slice(0, 80)} from “${file}”${also}.`,
  }
}

/** Asks for a name that a whole table lacks. */
function questionOn({ kind, rest, isSeveral }: ChartRequest, head: ReadTableContext, isWhole: boolean): ToolReading {
  const [part, ...others] = readQuestion(rest, head)
  if (kind === undefined || !/\b(?:by|per|each|every|share)\b/i.test(rest)) return undefined
  const isMore = part !== undefined && 'query' in part && /\b(?:and|also)\b/i.test(rest)
  if (isSeveral || others.length > 0 || isMore)
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
  const whole = firstGoal(text, contexts)
  const found = whole?.chart ?? readChartOverTables(text.slice(0, 4_000), contexts)
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
  const answered = (whole?.answers ?? []).map(
    (part): AnsweredPart => ({ part, answer: 'query' in part ? answerQuery(table, part.query) : { sentence: part.reason } }),
  )
  const answers =
    answered.length > 0
      ? ` ${answered
          .filter(({ part }) => part.text !== found.question)
          .map(sentenceOfPart)
          .join(' ')}`
      : ''
  const totals = table.totalsNote === undefined ? '' : ` ${table.totalsNote}`
  return {
    outputs: [{ name: 'chart.svg', media_type: 'image/svg+xml', artifact_type: 'table.chart', text: drawTableChart(drawn) }],
    text: `${capital(kind)} chart of ${drawn.title.charAt(0).toLowerCase()}${drawn.title.slice(1)}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.${missingNote(table, found.query)}${noteOnGroups(found.query, selectRows(table, found.query.filters))}${notes}${totals}${answers}`,
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
  const numbersOf = (number: Aggregated): GroupNumber[] =>
    numbers.isChange ? changesOf(numberGroups(groups, number)) : numberGroups(groups, number)
  const ranked = rankPoints(kind, numbersOf(first), numbers)
  const kept = ranked.slice(0, numbers.pick?.count ?? ranked.length).map(({ group }) => group)
  const all = numbers.numbers.map((number): TableChartSeries => {
    const found = new Map(numbersOf(number).map((one) => [one.group, one.number]))
    const points = kept.map((group): TableChartPoint => {
      const value = found.get(group) ?? { value: null, count: 0 }
      return { label: group.name, value: value.value, text: valueText(number, value) }
    })
    return { name: numbers.isChange ? `change of ${nameOfMeasure(number.measure)}` : nameOfAggregated(number), points }
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
