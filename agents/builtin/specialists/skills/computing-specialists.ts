/** Questions whose answers are computed: the model writes a typed query, a deterministic tool computes, and the answer shows the query. */
import { z } from 'zod'
import { formatList } from '../../format-numbers-and-lists.ts'
import { modelSkillTag } from '../../model/is-model-skill.ts'
import { taskPrompts } from '../../model/prompts.ts'
import type { ModelTask } from '../../model/task/model-task.ts'
import { type OutputFile, refuse, SkillRefused, type SkillRequest } from '../../skill.ts'
import { builtinTools } from '../../tools/index.ts'
import { answerQuery } from '../../tools/tables/computing/answer-query.ts'
import type { TableQuery } from '../../tools/tables/computing/table-query.ts'
import { writeFilters } from '../../tools/tables/reading/question/question-reading.ts'
import { type DataTable, readAttachedTables } from '../../tools/tables/reading/table/read-attached-table.ts'
import { writeMarkdownTable } from '../../tools/tables/writing/write-table.ts'
import type { Tool } from '../../tools/tool.ts'
import { numbersMissingInSources } from '../numbers-missing-in-sources.ts'
import { filePort, listFiles, outputPort, queryPort, readQuery } from '../query-and-file-ports.ts'
import type { Specialist, SpecialistAnswer } from '../specialist.ts'
import { describeTable, ModelWrittenQuery, QueryFault, toTableQuery } from '../tables/model-written-query.ts'

const tags = [modelSkillTag]
const maxShownRows = 200
const markdownFile = (artifact_type: string, text: string): OutputFile => ({
  name: 'answer.md',
  media_type: 'text/markdown',
  artifact_type,
  text,
})

/** In words, so that a reader can check what was computed. */
export function describeQuery(query: TableQuery): string {
  if (query.kind !== 'numbers' && query.kind !== 'rows') return query.kind
  const where = query.filters.length === 0 ? 'all rows' : `rows where ${writeFilters(query.filters)}`
  if (query.kind === 'rows') return where
  const groups = query.groups.map(({ column, part }) => (part === undefined ? column.name : `${part} of ${column.name}`))
  return groups.length === 0 ? where : `${where}, by ${groups.join(' and ')}`
}

/** Answers a question over tables. @throws {SkillRefused} */
export async function answerFromTables(
  question: string,
  tables: readonly DataTable[],
  task: ModelTask,
): Promise<{ sentence: string; markdown: string }> {
  const read = { value: undefined as ReturnType<typeof toTableQuery> | undefined }
  const written = await task.askValue(
    taskPrompts.tableQuery,
    { question, tables: tables.map((table, index) => describeTable(table, index + 1)) },
    {
      name: 'table_query',
      schema: ModelWrittenQuery,
      faultOf: (one) => {
        if (one.why_not !== null) return undefined
        try {
          read.value = toTableQuery(one, tables)
          return undefined
        } catch (error) {
          if (error instanceof QueryFault) return error.message
          throw error
        }
      },
    },
  )
  if (written.why_not !== null || !read.value)
    return refuse(`The tables cannot answer the question: ${(written.why_not ?? 'no query fits them').slice(0, 500)}`)
  const { table, query } = read.value
  const { sentence, rows } = answerQuery(table, query)
  const reading = `Read as: ${describeQuery(query)}, in “${table.name}” (${table.rows.toLocaleString('en-US')} rows).`
  const shown = rows && rows.length > maxShownRows + 1 ? rows.slice(0, maxShownRows + 1) : rows
  const notes = table.notes.map((note) => `- ${note}`)
  const blocks = [sentence, ...(shown ? [writeMarkdownTable(shown)] : []), reading, ...(notes.length > 0 ? [notes.join('\n')] : [])]
  return { sentence: `${sentence} ${reading}`, markdown: `${blocks.join('\n\n')}\n` }
}

/** The attached tables. @throws {SkillRefused} if a file is no table */
export const readTablesOf = (work: SkillRequest): DataTable[] =>
  listFiles(work, ['table.csv', 'table.json']).flatMap(({ text, name }) => readAttachedTables(text, name).slice(0, 4))

const Question = z.object({ question: z.string().trim().min(3).max(4_000) })

const tableAnswerSpecialist: Specialist = {
  skill: {
    id: 'reading.table_answer',
    name: 'Answer any question over a table',
    description:
      'Reads a question in any words and language. The model writes a query, and a tool computes the answer over all rows. The answer shows the query.',
    inputs: [
      queryPort(
        'query.table_reading',
        'The question.',
        { question: { type: 'string', minLength: 3, maxLength: 4_000, description: 'The question, in any language.' } },
        ['question'],
      ),
      filePort('table', 'table.csv', 'A CSV file of at most 2 MiB.', true),
      filePort('second', 'table.csv', 'A second CSV file.', true),
      filePort('records', 'table.json', 'A JSON file, instead of a CSV file.', true),
    ],
    outputs: [outputPort('answer', 'text.table_answer', 'The answer, and how the question was read, as Markdown.')],
    tags: [...tags, 'table', 'csv', 'question'],
    samples: [],
  },
  budgetFactor: 1,
  async run(work, task) {
    const { question } = readQuery(work, Question)
    const tables = readTablesOf(work)
    if (tables.length === 0) refuse('No table is attached. Attach a CSV or JSON file of at most 2 MiB.')
    const { sentence, markdown } = await answerFromTables(question, tables, task)
    return { files: [markdownFile('text.table_answer', markdown)], text: sentence.slice(0, 800), author: 'tool' }
  },
}

/** Tools that need no file, and answer in text. */
const computingTools: readonly Tool[] = builtinTools.filter(
  ({ skill: { inputs, outputs } }) =>
    !inputs[0]?.type.startsWith('query.table_') && outputs[0]?.type !== 'image.svg' && !inputs.slice(1).some(({ optional }) => !optional),
)

const ToolQuery = z.object({ tool: z.string().nullable(), query: z.string().nullable(), why_not: z.string().nullable() })

type ChosenTool = { readonly tool: Tool; readonly query: Record<string, z.core.util.JSONType> }

/** The tool and its query. @returns a fault for the model */
function readToolQuery({ tool: id, query: text }: z.infer<typeof ToolQuery>): ChosenTool | string {
  const tool = computingTools.find(({ skill }) => skill.id === id)
  if (!tool) return `There is no tool “${String(id).slice(0, 60)}”.`
  const query = parseObject(text ?? '')
  if (!query) return '`query` is a JSON object in a string.'
  const schema = tool.skill.inputs[0]?.schema
  const read = schema ? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(query) : undefined
  return read && !read.success ? `The query is not of the tool's schema. ${z.prettifyError(read.error).slice(0, 400)}` : { tool, query }
}

function parseObject(text: string): ChosenTool['query'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ChosenTool['query']) : undefined
  } catch {
    return undefined
  }
}

/** Computes the answer to a request with a tool. A query that the tool refuses is corrected. @throws {SkillRefused} */
export async function computeAnswer(request: string, task: ModelTask): Promise<{ text: string; markdown: string }> {
  const tools = computingTools.map(({ skill }) => ({
    id: skill.id,
    description: skill.description,
    schema: skill.inputs[0]?.schema,
    example: skill.samples[0]?.input,
  }))
  const today = new Date().toISOString().slice(0, 10)
  let refused = ''
  for (let attempt = 1; attempt <= 2; attempt++) {
    const chosen = { value: undefined as ChosenTool | undefined }
    const { tool, why_not } = await task.askValue(
      taskPrompts.toolQuery,
      { request, today, tools, ...(refused !== '' && { refused_by_tool: refused }) },
      {
        name: 'tool_query',
        schema: ToolQuery,
        faultOf: (one) => {
          if (one.tool === null) return undefined
          const read = readToolQuery(one)
          if (typeof read === 'string') return read
          chosen.value = read
          return undefined
        },
      },
    )
    if (tool === null || !chosen.value) refuse(`No tool can compute this: ${(why_not ?? 'no reason was given').slice(0, 400)}`)
    const result = await runTool(chosen.value as ChosenTool, [request, today])
    if ('refused' in result) refused = result.refused
    else return result
  }
  return refuse(`The tool refused the query: ${refused.slice(0, 500)}`)
}

async function runTool(
  { tool, query }: ChosenTool,
  sources: readonly string[],
): Promise<{ text: string; markdown: string } | { refused: string }> {
  const [port] = tool.skill.inputs
  try {
    const { outputs, text } = await tool.run({ inputs: [{ port: port?.name ?? 'query', type: port?.type ?? '', data: query }] })
    const added = numbersMissingInSources(JSON.stringify(query), sources)
    const note =
      added.length === 0 ? '' : ` Check the numbers ${formatList(added.slice(0, 8))} of the query: the request does not have them.`
    const reading = `Read as: ${tool.skill.name}, ${JSON.stringify(query)}.${note}`
    const file = outputs[0]?.text.trim() ?? ''
    return { text: `${text} ${reading}`, markdown: `${text}\n\n${reading}\n\n${file.startsWith('#') ? file : fenced(file)}\n` }
  } catch (error) {
    if (error instanceof SkillRefused) return { refused: error.message }
    throw error
  }
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}\n${text}\n${fence}`
}

const Request = z.object({ request: z.string().trim().min(3).max(8_000) })

const computationSpecialist: Specialist = {
  skill: {
    id: 'reading.computation',
    name: 'Compute an answer from any words',
    description:
      'Arithmetic, prices, loans, units, dates, texts and formats. The model writes the query of a tool, and the tool computes. The answer shows the query.',
    inputs: [
      queryPort(
        'query.computation',
        'The request.',
        { request: { type: 'string', minLength: 3, maxLength: 8_000, description: 'In any words and language.' } },
        ['request'],
      ),
    ],
    outputs: [outputPort('answer', 'text.computed_answer', 'The answer, and how the request was read, as Markdown.')],
    tags: [...tags, 'word problem'],
    samples: [
      {
        title: 'A word problem',
        input: { request: 'I buy three chairs for 79.50 each. What do I pay with 19% VAT on top?' },
        output: '283.82',
      },
    ],
  },
  budgetFactor: 1,
  async run(work, task): Promise<SpecialistAnswer> {
    const { request } = readQuery(work, Request)
    const { text, markdown } = await computeAnswer(request, task)
    return { files: [markdownFile('text.computed_answer', markdown)], text: text.slice(0, 800), author: 'tool' }
  },
}

export const computingSpecialists: readonly Specialist[] = [tableAnswerSpecialist, computationSpecialist]
