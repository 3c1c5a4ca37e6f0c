/** `table.statistics`: describes every column of a table. */
import type { SkillRequest, SkillResponse } from '../../skill.ts'
import { splitSentences } from '../numbers/split-sentences.ts'
import { stripPoliteness } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { deviationOf, quantileOf } from './computing/aggregate-rows.ts'
import { sumNumbers } from './computing/sum-numbers.ts'
import { type DataTable, requireTable, type TableColumn } from './reading/table/read-attached-table.ts'
import { attachedTable, isTableGoal, readHead, tablePorts } from './table-ports.ts'
import { writeNumber } from './writing/write-numbers.ts'
import { writeMarkdownTable } from './writing/write-table.ts'

const skill: ToolSkill = {
  id: 'table.statistics',
  name: 'Describe the columns of a table',
  description:
    'Count, missing cells, minimum, quartiles, mean, standard deviation and maximum of each column of numbers; the most frequent cells of the others.',
  inputs: tablePorts('query.table_statistics', 'request', 'What is described, such as `summary statistics`.'),
  outputs: [{ name: 'statistics', type: 'table.statistics', description: 'A Markdown table with a row for each column.', optional: false }],
  price: '200000',
  tags: ['statistics', 'descriptive', 'summary statistics', 'mean', 'standard deviation', 'quartiles', 'profile', 'table', 'csv'],
  samples: [
    {
      title: 'One column',
      input: { request: 'summary statistics' },
      output: '4 rows and 2 columns. Visits: mean 1,368.75, median 1,387.5, from 1,200 to 1,500.',
    },
  ],
}

const subject =
  '(?:the |this |these |my |our |attached |uploaded |whole |entire |all )*(?:table|data|data ?set|csv|csv file|file|spreadsheet|sheet|numbers|columns?|json|json file|numeric columns)(?: in the (?:attached )?(?:file|table|csv))?'
const pattern = new RegExp(
  `^(?:(?:(?:give|show|compute|calculate|get|create|produce|provide|make|list|what are|i need|i want|run)(?: me)? )?(?:the |some |a |basic |simple |full )*(?:(?:summary|descriptive|basic|column|key|main) )*(?:statistics|stats|statistical summary|data profile)(?: (?:of|for|on|about|from) (?:each column (?:of|in) )?${subject})?|(?:describe|profile) ${subject}(?: (?:statistically|with statistics))?)$`,
)

function readGoal(goal: ToolGoal): ToolReading {
  const sentences = splitSentences(goal.words).map(stripPoliteness)
  if (!isTableGoal({ ...goal, words: goal.words.replace(/\bsummary statistics\b/gi, 'statistics') }) || sentences.length !== 1)
    return undefined
  const [sentence = ''] = sentences
  if (!pattern.test(sentence.replace(/(?<![.!?\s])[.!?\s]+$/, ''))) return undefined
  const file = attachedTable(goal)
  if (!file) return { confidence: 0.7, question: 'Which table is described? Attach it as a CSV or JSON file.' }
  if (file.head !== undefined && !readHead(file)) return undefined
  return { confidence: 0.9, query: { request: sentence }, summary: `I describe each column of “${file.name}”.` }
}

function run(work: SkillRequest): SkillResponse {
  const table = requireTable(work)
  const heading = ['Column', 'Kind', 'Filled', 'Missing', 'Minimum', '25 %', 'Median', 'Mean', '75 %', 'Maximum', 'Standard deviation']
  const numbers = table.columns.filter(({ kind }) => kind === 'number').map((column) => [column, ...numbersRow(column)] as const)
  const others = table.columns.filter(({ kind }) => kind !== 'number')
  const blocks = [
    ...(numbers.length > 0 ? ['## Numbers', writeMarkdownTable([heading, ...numbers.map(([, ...row]) => row)])] : []),
    ...(others.length > 0
      ? ['## Texts and times', writeMarkdownTable([['Column', 'Filled', 'Missing', 'Different', 'Most frequent'], ...others.map(textRow)])]
      : []),
    ...(table.notes.length > 0 ? ['## How the file was read', table.notes.map((note) => `- ${note}`).join('\n')] : []),
  ]
  const short = numbers
    .slice(0, 4)
    .map(([column, , , , , min, , median, mean, , max]) => `${column.name}: mean ${mean}, median ${median}, from ${min} to ${max}`)
  return {
    outputs: [
      {
        name: 'statistics.md',
        media_type: 'text/markdown',
        artifact_type: 'table.statistics',
        text: `# Statistics\n\nFrom “${table.name}”: ${sizeOf(table)}.\n\n${blocks.join('\n\n')}\n\nQuartiles are interpolated between neighbours. The standard deviation is that of a sample.\n`,
      },
    ],
    text: `${sizeOf(table)}.${short.length > 0 ? ` ${short.join('; ')}.` : ''}${numbers.length > short.length ? ' The file has all columns.' : ''}`,
  }
}

const sizeOf = ({ rows, columns }: DataTable): string => `${rows.toLocaleString('en-US')} rows and ${columns.length} columns`

function numbersRow({ name, kind, numbers, decimals }: TableColumn): string[] {
  const values = numbers.filter((value) => value !== null).toSorted((a, b) => a - b)
  const mean = values.length === 0 ? null : sumNumbers(values) / values.length
  const write = (value: number | null | undefined, more = 0): string =>
    value === null || value === undefined ? '–' : writeNumber(value, Math.min(10, decimals + more))
  return [
    name,
    kind,
    String(values.length),
    String(numbers.length - values.length),
    write(values[0]),
    ...[0.25, 0.5].map((share) => write(values.length > 0 ? quantileOf(values, share) : null, 2)),
    write(mean, 2),
    write(values.length > 0 ? quantileOf(values, 0.75) : null, 2),
    write(values.at(-1)),
    write(deviationOf(values), 2),
  ]
}

function textRow({ name, cells }: TableColumn): string[] {
  const counts = new Map<string, number>()
  for (const cell of cells) if (cell !== '') counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const [best] = [...counts].sort((a, b) => b[1] - a[1])
  const filled = cells.filter((cell) => cell !== '').length
  return [
    name,
    String(filled),
    String(cells.length - filled),
    String(counts.size),
    best && best[1] > 1 ? `${best[0].slice(0, 60)} (${best[1]})` : '–',
  ]
}

export const tableStatisticsTool: Tool = { skill, readGoal, run }
