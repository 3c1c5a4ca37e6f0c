/** `table.question`: answers questions over an attached table. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { asksForOtherWork } from '../numbers/asks-for-other-work.ts'
import { splitSentences } from '../numbers/split-sentences.ts'
import { stripPoliteness } from '../strip-politeness.ts'
import type { GoalFile, Tool, ToolGoal, ToolReading, ToolRequest, ToolSkill } from '../tool.ts'
import { answerQuery } from './computing/answer-query.ts'
import type { ReadTableContext } from './reading/question/question-reading.ts'
import { type ReadPart, readQuestionOverTables } from './reading/question/read-question.ts'
import { tableCheckWords } from './reading/question/read-table-check.ts'
import { listColumns, requireTables } from './reading/table/read-attached-table.ts'
import { indexCells } from './reading/words/find-cell-values.ts'
import { attachedTable, isTableGoal, mentionsTable, readHeads, tablePorts } from './table-ports.ts'
import { type AnsweredPart, sentenceOfPart, writeAnswers } from './writing/write-answers.ts'

const [query, ...files] = tablePorts(
  'query.table_question',
  'question',
  'One or several questions in English, such as `In which month was revenue highest?`',
)
const file = { type: 'string', maxLength: 200, description: 'Name of the file that is meant, if several are attached.' }
const skill: ToolSkill = {
  id: 'table.question',
  name: 'Answer questions over a table',
  description:
    'Counts, sums, averages, medians, extremes, top lists, shares, filters and groups of a CSV or JSON table, and the difference or ratio of two columns.',
  inputs: [
    ...(query
      ? [{ ...query, schema: { ...query.schema, properties: { ...(query.schema as { properties: object }).properties, file } } }]
      : []),
    ...files,
  ],
  outputs: [
    { name: 'answer', type: 'table.answer', description: 'The answers with how they were computed, as Markdown.', optional: false },
  ],
  price: '300000',
  tags: ['table', 'csv', 'question', 'sum', 'average', 'count', 'filter', 'group', 'top', 'highest', 'lowest', 'total'],
  samples: [
    {
      title: 'A month',
      input: { question: 'In which month was net growth highest?' },
      output: 'Highest: June, 205 (signups 310 − churned 105).',
    },
  ],
}

const questionWords =
  /\b(?:how (?:many|much|often)|which|what|what's|who|whose|when|where|total|sum|average|mean|median|minimum|maximum|highest|lowest|most|least|largest|smallest|biggest|top|bottom|best|worst|count|number of|list|show|percentage|share|compare|difference|per|by|each|sort|rank|unique|distinct|oldest|youngest|cheapest|expensive|longest|shortest|correlation|correlated|outliers?|missing|incomplete|empty|blanks?|gaps?|duplicates?|duplicated|more than once|twice|average|age|ages|old|is there|are there|give me|tell me|find|calculate|compute)\b/i
const otherTool =
  /\b(?:summary statistics|descriptive statistics|statistics|statistical|forecast\w*|predict\w*|projection|extrapolate|convert|conversion|to json|to csv|as json|as csv|as (?:a )?markdown|deduplicate\w*|dedupe|describe|profile the|clean(?: up)?|merge|join|pivot)\b/i

/** Questions of yes or no, on the future, or on an average of totals: the evaluation has no answer to them. */
const unanswerable =
  /(?:^|[.?!]\s+)(?:is|are|was|were|does|do|did|has|have|can i|should)\b(?! there)|\b(?:will|going to|next (?:day|week|month|quarter|year)|future)\b|\bon average (?:per|each|every|a)\b|\baverage (?:number of )?[\w ]{1,30} (?:per|each|every|a) (?:day|week|month|quarter|year)\b/i

function readGoal(goal: ToolGoal): ToolReading {
  if (!isTableGoal(goal) || otherTool.test(goal.words) || !questionWords.test(goal.words)) return undefined
  const sentences = splitSentences(goal.words)
  if (sentences.some((one) => unanswerable.test(stripPoliteness(one)) && !tableCheckWords.test(one) && !/\bcorrelated\b/i.test(one)))
    return undefined
  if (sentences.some(asksForForeignWork)) return undefined
  const file = attachedTable(goal)
  const summary = `I answer the question over ${file ? `“${file.name}”` : 'the table'}.`
  const request: ToolRequest = { confidence: 0.85, query: { question: goal.text.slice(0, 4_000) }, summary }
  if (!file) {
    const isClear =
      /\b(?:(?:attached|my|the|this|following) (?:\w+ )?(?:table|csv|spreadsheet|data ?set|sheet|csv file|data file)|csv file|column|rows of)\b/i.test(
        goal.words,
      )
    return isClear && mentionsTable(goal.words)
      ? { confidence: 0.65, question: 'Which table is the question about? Attach it as a CSV or JSON file.' }
      : undefined
  }
  const tables = goal.files.filter(({ type }) => type === 'table.csv' || type === 'table.json')
  if (tables.length > 1) return chooseTable(goal, tables, request)
  if (file.head === undefined) return { ...request, confidence: 0.75 }
  const read = readQuestionOverTables(goal.text.slice(0, 4_000), readHeads(file) ?? [])
  return read && judge(read.parts, request, file.isWhole === true)
}

/** Of several tables, the only one that has all of what the question names. */
function chooseTable({ text }: ToolGoal, tables: readonly GoalFile[], request: ToolRequest): ToolReading {
  if (new Set(tables.map(({ name }) => name)).size < tables.length)
    return { confidence: 0.86, question: 'Two attached tables have the same name. Rename one of them, and ask again.' }
  // "customers without orders" compares the tables.
  if (/\b(?:no|not|never|nobody|without|missing|unmatched|lacking)\b|n['’]t\b/i.test(text)) return undefined
  const question = text.slice(0, 4_000)
  const able = tables.filter((one) => {
    const parts = readQuestionOverTables(question, readHeads(one) ?? [])?.parts ?? []
    return parts.length > 0 && parts.every((part) => 'query' in part)
  })
  const [first, ...others] =
    able.filter(({ name }) => text.includes(name)).length === 1 ? able.filter(({ name }) => text.includes(name)) : able
  if (!first) return undefined
  if (others.length > 0)
    return {
      confidence: 0.86,
      question: `Several tables can answer this: ${formatList(able.map(({ name }) => name))}. Name the one that is meant.`,
    }
  return { confidence: 0.95, query: { ...request.query, file: first.name }, summary: `I answer the question over “${first.name}”.` }
}

/** "Show" and "list" are questions here. */
const asksForForeignWork = (sentence: string): boolean =>
  asksForOtherWork(sentence) &&
  !/^(?:please |can you |could you )*(?:list|compare|find|check|report|review|look up|search|make a list)\b/i.test(sentence.trim())

const asked = /\b(?:how many|how much|which|total|average|highest|lowest|most|sum|median|top|count)\b/i

/** Taken only if every part is understood. Beyond the head of a long file, a name may be a cell of a later row. */
function judge(parts: readonly ReadPart[], request: ToolRequest, isWhole: boolean): ToolReading {
  const failed = parts.flatMap((part) => ('reason' in part ? [part] : []))
  const [first] = failed
  if (!first) return parts.length > 0 ? { ...request, confidence: 0.95 } : undefined
  const names = failed.flatMap(({ unknown }) => unknown)
  const mayFollow = !isWhole && names.length > 0 && names.length <= 3 && names.every((name) => /^\p{Lu}|^\d/u.test(name))
  if (mayFollow) return { ...request, confidence: 0.7 }
  const isQuestion = first.unknown.length <= 3 && asked.test(first.text)
  return isQuestion || first.isOpen || failed.length < parts.length
    ? {
        confidence: first.isOpen ? 0.86 : 0.7,
        question: first.unknown.length > 0 && !first.isOpen ? `${first.reason} Ask again with those names.` : first.reason,
      }
    : undefined
}

function run(work: SkillRequest): SkillResponse {
  const { question, file } = requireData(work, 'query.table_question')
  const text = typeof question === 'string' && question.trim() !== '' ? question : refuse('The query needs a `question`.')
  const contexts = requireTables(work, typeof file === 'string' ? file : undefined).map(
    (one): ReadTableContext => ({ table: one, cells: indexCells(one) }),
  )
  const read = readQuestionOverTables(text.slice(0, 4_000), contexts)
  if (!read) return refuse('The table is empty.')
  const { parts, context } = read
  const { table } = context
  if (parts.length === 0) return refuse(`The question asks for nothing. The columns are ${listColumns(table)}.`)
  const answered = parts.map(
    (part): AnsweredPart => ({ part, answer: 'query' in part ? answerQuery(table, part.query) : { sentence: part.reason } }),
  )
  const [first] = answered
  if (answered.every(({ part }) => 'reason' in part)) return refuse(first?.answer.sentence ?? 'The question is not understood.')
  const sentences = [...new Set([...answered.map(sentenceOfPart), ...(table.totalsNote === undefined ? [] : [table.totalsNote])])]
  const all = sentences.join(' ')
  const short = all.length <= 700 || sentences.length === 1 ? all : `${shortened(sentences)} The file has all ${sentences.length} answers.`
  return {
    outputs: [{ name: 'answer.md', media_type: 'text/markdown', artifact_type: 'table.answer', text: writeAnswers(table, answered) }],
    text: short,
  }
}

function shortened(sentences: readonly string[]): string {
  let text = ''
  for (const sentence of sentences) {
    if (text !== '' && text.length + sentence.length > 700) break
    text = text === '' ? sentence : `${text} ${sentence}`
  }
  return text
}

export const tableQuestionTool: Tool = { skill, readGoal, run }
