/** The generalist: chooses who answers a request, and has it answered within one token budget. Figures are computed by tools. */
import { z } from 'zod'
import { modelSkillTag } from '../../model/is-model-skill.ts'
import { taskPrompts } from '../../model/prompts.ts'
import type { ModelTask } from '../../model/task/model-task.ts'
import { type RequestInput, refuse, type SkillRequest } from '../../skill.ts'
import { filePort, listFiles, outputPort, queryPort, readQuery } from '../query-and-file-ports.ts'
import type { Specialist, SpecialistAnswer } from '../specialist.ts'
import { answerFromTables, computeAnswer, readTablesOf } from './computing-specialists.ts'
import { answerFromDocuments } from './reading-specialists.ts'
import { draftSpecialist, summarySpecialist, translationSpecialist } from './writing-specialists.ts'

const routes = ['compute', 'table', 'document', 'translate', 'summarise', 'write', 'decline'] as const
const Route = z.object({
  route: z.enum(routes),
  text: z.string().nullable(),
  target_language: z.string().nullable(),
  why_not: z.string().nullable(),
})
type Route = z.infer<typeof Route>
const GeneralQuery = z.object({ request: z.string().trim().min(3).max(8_000) })

type Routed = Pick<SpecialistAnswer, 'text' | 'author'> & { readonly markdown: string }
type RouteInput = { readonly request: string; readonly work: SkillRequest; readonly route: Route; readonly task: ModelTask }

/** Runs another specialist's skill on a value that the request gives. */
async function runOther({ run, skill }: Specialist, data: NonNullable<RequestInput['data']>, { work, task }: RouteInput): Promise<Routed> {
  const type = skill.inputs[0]?.type ?? ''
  const files = work.inputs.filter((input) => input.type === 'document.text')
  const answer = await run({ inputs: [{ port: 'query', type, data }, ...files] }, task)
  return { text: answer.text, author: answer.author, markdown: answer.files[0]?.text ?? '' }
}

async function answerTable({ request, work, task }: RouteInput): Promise<Routed> {
  const tables = readTablesOf(work)
  if (tables.length === 0) return refuse('The request is about a table, and none is attached. Attach a CSV or JSON file.')
  const { sentence, markdown } = await answerFromTables(request, tables, task)
  return { text: sentence, markdown, author: 'tool' }
}

async function answerDocument({ request, work, task }: RouteInput): Promise<Routed> {
  const documents = listFiles(work, ['document.text'])
  if (documents.length === 0) return refuse('The request is about a document, and none is attached. Attach a text file.')
  const { found, answer, markdown } = await answerFromDocuments({ question: request }, documents, task)
  if (!found) return refuse(`The documents do not answer the question: ${answer.slice(0, 500)}`)
  return { text: answer, markdown, author: 'model' }
}

/** The text that a translation or a summary is of: its words must stand in the request. */
const givenText = ({ request, route: { text } }: RouteInput): { text?: string } =>
  text !== null && text.trim() !== '' && request.includes(text.trim()) ? { text } : {}

const answerers: { readonly [route in Exclude<Route['route'], 'decline'>]: (input: RouteInput) => Promise<Routed> } = {
  compute: async ({ request, task }) => ({ ...(await computeAnswer(request, task)), author: 'tool' }),
  table: answerTable,
  document: answerDocument,
  translate: (input) => runOther(translationSpecialist, { ...givenText(input), target_language: input.route.target_language ?? '' }, input),
  summarise: (input) => runOther(summarySpecialist, givenText(input), input),
  write: (input) => runOther(draftSpecialist, { request: input.request }, input),
}

const maxHead = 400

function routeFault({ route, text, target_language }: Route, request: string, hasDocument: boolean): string | undefined {
  if (route === 'translate' && (target_language === null || target_language.trim().length < 2))
    return 'A translation needs `target_language`.'
  if ((route === 'translate' || route === 'summarise') && !hasDocument && (text === null || !request.includes(text.trim())))
    return '`text` repeats words of the request exactly.'
  return undefined
}

export const generalSpecialist: Specialist = {
  skill: {
    id: 'general.answer',
    name: 'Answer any request',
    description:
      'Writes, translates, summarises, answers from your files, and computes with tools. Declines what needs the web or an action in the world.',
    inputs: [
      queryPort(
        'query.general',
        'The request.',
        { request: { type: 'string', minLength: 3, maxLength: 8_000, description: 'In any words and language.' } },
        ['request'],
      ),
      filePort('document', 'document.text', 'A text file.', true),
      filePort('table', 'table.csv', 'A CSV file.', true),
      filePort('records', 'table.json', 'A JSON file.', true),
    ],
    outputs: [outputPort('answer', 'text.general_answer', 'The answer, as Markdown.')],
    tags: [modelSkillTag, 'generalist'],
    samples: [{ title: 'An explanation', input: { request: 'Explain compound interest to a child.' }, output: 'Imagine that…' }],
  },
  budgetFactor: 1,
  async run(work, task) {
    const { request } = readQuery(work, GeneralQuery)
    const types = ['document.text', 'table.csv', 'table.json']
    const files = work.inputs.flatMap(({ type, text, artifact }) =>
      types.includes(type) && text !== undefined ? [{ name: artifact?.name ?? '', type, head: text.slice(0, maxHead) }] : [],
    )
    const hasDocument = files.some(({ type }) => type === 'document.text')
    const route = await task.askValue(
      taskPrompts.route,
      { request, files },
      { name: 'route', schema: Route, faultOf: (one) => routeFault(one, request, hasDocument) },
    )
    if (route.route === 'decline') return refuse(`This agent cannot do it: ${(route.why_not ?? 'the model gave no reason').slice(0, 500)}`)
    const { text, markdown, author } = await answerers[route.route]({ request, work, route, task })
    return {
      files: [{ name: 'answer.md', media_type: 'text/markdown', artifact_type: 'text.general_answer', text: markdown }],
      text: text.slice(0, 800),
      author,
    }
  },
}
