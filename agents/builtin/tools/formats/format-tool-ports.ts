/** The ports, the material and the output that the tools on formats share. */
import { findInput, refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { findSourceFile } from './split-goal-material.ts'

type Property = { readonly [key: string]: string | number | boolean | readonly string[] | readonly number[] | object }

/** The most characters of a text in a query, and of a file. */
export const maxQueryLength = 20_000
const maxSourceLength = 1_048_576

export const formatResultType = 'format.result'

/** The query with an optional `text`, and files that stand for it. */
export function formatToolPorts(
  type: string,
  description: string,
  more: { readonly [name: string]: Property } = {},
): ToolSkill['inputs'][number][] {
  const text = { type: 'string', maxLength: maxQueryLength, description: 'The text, unless a file has it.' }
  return [
    { name: 'query', type, description, optional: false, schema: { type: 'object', properties: { text, ...more } } as never },
    { name: 'document', type: 'document.text', description: 'A text file of at most 1 MiB.', optional: true },
    { name: 'json', type: 'table.json', description: 'A JSON file of at most 1 MiB.', optional: true },
  ]
}

type Options = { readonly [key: string]: string | number | boolean | readonly string[] }

/** The reading of a goal whose text is available; or the question for it. */
export function readSourceGoal(goal: ToolGoal, text: string | undefined, options: Options, summary: string): ToolReading {
  if (text !== undefined && text.length > maxQueryLength)
    return { confidence: 0.7, question: 'The text has more than 20,000 characters. Attach it as a text file.' }
  if (text === undefined && goal.files.length !== 1)
    return { confidence: 0.7, question: 'Which text is it? Write it after a colon or between backticks, or attach it as one text file.' }
  if (text === undefined && !findSourceFile(goal))
    return { confidence: 0.7, question: 'I cannot read a file of this type. Paste its text after a colon, or attach it as a .txt file.' }
  return { confidence: 0.92, query: { ...options, ...(text !== undefined && { text }) }, summary }
}

/** The text of a request. @throws {SkillRefused} if there is none, or it is too long */
export function requireSource(work: SkillRequest, type: string): string {
  const { text } = requireData(work, type)
  const source = typeof text === 'string' && text !== '' ? text : (findInput(work, 'document.text') ?? findInput(work, 'table.json'))?.text
  if (source === undefined || source.trim() === '')
    return refuse('There is no text. Put it into the query as `text`, or attach a text file.')
  if (source.length > maxSourceLength) return refuse('The text is longer than 1 MiB. Send a shorter one.')
  return source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

export type FormatFile = { readonly name: string; readonly media_type: string; readonly text: string }

const longest = 600

/** The answer: the result itself if it is short, and always as a file. */
export function formatResponse(sentence: string, file: FormatFile, shown = file.text): SkillResponse {
  const short = shown.trimEnd()
  const lines = file.text.replace(/\n$/, '').split('\n').length
  const text =
    short.length <= longest
      ? `${sentence}\n${short}`
      : `${sentence} The result has ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}. The file has it.`
  return { outputs: [{ ...file, artifact_type: formatResultType }], text: text.trim() }
}
