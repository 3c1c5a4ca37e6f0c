/** Reads what a goal wants drawn of a table, and the questions beside the chart. */
import { splitSentences } from '../../../numbers/split-sentences.ts'
import { trimPoliteness } from '../../../strip-politeness.ts'
import { labelColumn, type NumbersQuery } from '../../computing/answer-query.ts'
import type { TableChartKind } from '../../writing/draw-table-chart.ts'
import type { DataTable } from '../table/read-attached-table.ts'
import { correctQuestionTypos } from './correct-question-typos.ts'
import type { ReadTableContext } from './question-reading.ts'
import { namesInnerList, type ReadPart, readQuestion, readUnderRemarks } from './read-question.ts'
import { type GoalRemarks, readRemarks } from './read-remarks.ts'

/** Work that another route does, or that no tool does. */
const otherWork =
  /\b(?:trends?|reports?|analy[sz]\w*|analysis|forecast\w*|predict\w*|regression|cagr|growth|text|ascii|characters?|png|jpe?g|pdf|excel|xlsx|powerpoint|slides?|dashboard|interactive|3d|animated|histogram|scatter|heat ?map|box ?plot|radar|stacked|map|e-?mail|explain|summar\w+|translate|website|python|code|script)\b/i
const chartNoun =
  /(?:\b(?:as|in|into|using|on)\s+)?(?:\b(?:a|an|the|one|my)\s+)?(?:\b(?:simple|nice|small|clean|basic|quick|svg|horizontal|vertical|clear)\s+)*(?:\b(bar|column|pie|donut|doughnut|line)[\s-]?)?(?:chart|graph|plot|diagram)s?\b(?:\s+(?:of|for|showing|that shows|which shows|to show|comparing|from|about|with))?/gi
const verb =
  /^(?:(?:draw|make|create|plot|chart|graph|show|give|build|generate|produce|render|display|visuali[sz]e|get|do|prepare|need|want|turn|convert|transform|put)(?: me| us)?\b|i (?:need|want|would like)\b|i'd like\b)[\s,:]*/i
const kindOf = (word: string): TableChartKind | undefined =>
  /^(?:bar|column)$/i.test(word) ? 'bar' : /^line$/i.test(word) ? 'line' : /^(?:pie|donut|doughnut)$/i.test(word) ? 'pie' : undefined

export type ChartRequest = { readonly kind: TableChartKind | undefined; readonly rest: string; readonly isSeveral: boolean }

/** What is drawn, in the words of a question. Undefined for other work. */
export function readChartRequest(text: string): ChartRequest | undefined {
  if (otherWork.test(text)) return undefined
  const sentences = splitSentences(text).map(trimPoliteness)
  const plain = sentences.join('. ')
  const nouns = [...plain.matchAll(chartNoun)]
  const isVerb = sentences.some((sentence) => /^(?:plot|chart|graph|visuali[sz]e)\b/i.test(sentence))
  const named = nouns.filter(
    ({ index, 0: noun, 1: kind }) => kind !== undefined || /^(?:as|in|into|a|an|the|one|my)\b/i.test(noun) || !isVerbAt(plain, index),
  )
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

export type ReadChart = {
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
    const chart = part && others.length === 0 ? chartOfPart(part, context) : undefined
    if (chart) return { ...chart, question }
  }
  return undefined
}

/** The chart of one question, if it gives numbers of groups. */
function chartOfPart(part: ReadPart, { table }: ReadTableContext): ReadChart | undefined {
  if (!('query' in part) || part.query.kind !== 'numbers') return undefined
  const { query: found, notes, text: question } = part
  if (
    found.groups.length > 1 ||
    found.numbers.length > maxSeries ||
    (found.isChange && found.pick) ||
    found.pick?.isOrdinal ||
    found.pick?.count === 1
  )
    return undefined
  const label = found.groups.length === 1 ? undefined : labelColumn(table)
  const isBare = found.numbers.some(({ measure }) => measure.kind === 'rows' || measure.kind === 'distinct')
  if (found.groups.length === 0 && (found.pick || !label || isBare)) return undefined
  return { table, question, query: label ? { ...found, groups: [{ column: label, part: undefined }] } : found, notes }
}

/** The chart of the outermost list of nested JSON that has what is asked for. */
export function readChartOverTables(rest: string, contexts: readonly ReadTableContext[]): ReadChart | undefined {
  for (const context of contexts) {
    const found = namesInnerList(rest, context.table) ? undefined : readChart(rest, context)
    if (found) return found
  }
  return undefined
}

/** A chart with the questions beside it. */
export type ChartGoal = { readonly chart: ReadChart; readonly kind: TableChartKind | undefined; readonly answers: readonly ReadPart[] }

const divider = /,? (?:and|plus|along with|together with|as well as|with|&) (?:also )?|, (?:also )?|: /gi

/** The places at which a sentence may be divided into a chart and questions. */
function divisionsOf(sentence: string): readonly (readonly [left: string, right: string])[] {
  const divisions = [...sentence.matchAll(divider)].map((match): readonly [string, string] => [
    sentence.slice(0, match.index),
    sentence.slice(match.index + match[0].length),
  ])
  const isTwo = /\b(?:grand|overall) (?:total|average)\b/i.test(sentence)
  return isTwo ? divisions : [[sentence, ''], ...divisions]
}

/** True if the words ask for a chart. */
const wantsChart = (text: string): boolean => readChartRequest(text) !== undefined

type Asked = { readonly context: ReadTableContext; readonly remarks: GoalRemarks }

/** A goal with one chart, its questions and its remarks. Undefined if a part of it is not understood. */
export function readChartGoal(goal: string, context: ReadTableContext): ChartGoal | undefined {
  const remarks = readRemarks(correctQuestionTypos(goal, context), context)
  if (remarks.unclear.length > 0 || otherWork.test(remarks.question)) return undefined
  const sentences = splitSentences(remarks.question)
  const drawn = sentences.filter(wantsChart)
  const [sentence] = drawn
  if (sentence === undefined || drawn.length > 1) return undefined
  const at = sentences.indexOf(sentence)
  for (const [left, right] of divisionsOf(sentence)) {
    const isFirst = wantsChart(left)
    const [requestedText, question] = isFirst ? [left, right] : [right, left]
    if (wantsChart(question)) continue
    const before = [...sentences.slice(0, at), ...(isFirst ? [] : [question])].filter(hasWords)
    const after = [...(isFirst ? [question] : []), ...sentences.slice(at + 1)].filter(hasWords)
    const found = readDivision(requestedText, { before, after }, { context, remarks })
    if (found) return found
  }
  return undefined
}

const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text)

/** The questions before and after the words that ask for the chart. */
type Beside = { readonly before: readonly string[]; readonly after: readonly string[] }

function readDivision(requestedText: string, { before, after }: Beside, { context, remarks }: Asked): ChartGoal | undefined {
  const requested = readChartRequest(requestedText)
  // A joining word at the end belongs to a division that cuts it off.
  if (!requested || requested.isSeveral || /\b(?:and|or|with|plus)$/i.test(requested.rest)) return undefined
  const read = (question: string, last: ReadPart | undefined): readonly ReadPart[] =>
    readUnderRemarks(question, remarks, { context, before: last })
  const first = before.flatMap((question) => read(question, undefined))
  if (first.some((part) => 'reason' in part)) return undefined
  const charts =
    requested.rest === ''
      ? first
      : [requested.rest, `number of ${requested.rest}`, `number of rows per ${requested.rest}`].flatMap((question) => {
          const parts = read(question, first.at(-1))
          return parts.length === 1 ? parts : []
        })
  for (const part of requested.rest === '' ? charts.toReversed() : charts) {
    const chart = chartOfPart(part, context)
    if (!chart || (requested.rest === '' && chart.query.groups.length !== 1)) continue
    const answers = [...first, ...after.flatMap((one) => read(one, part))]
    if (answers.every((one) => 'query' in one)) return { chart, kind: requested.kind, answers }
  }
  return undefined
}
