/**
 * One task of an agent that works with a model: requests within a token budget and a time limit. A wrong answer is repeated a bounded
 * number of times with the reason. A task without a usable answer is refused, so that it is never paid.
 */
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { SkillRefused } from '../../skill.ts'
import { type ChatEndpoint, createChatEndpoint } from '../endpoint/chat-endpoint.ts'
import { findJson, type ModelCompletion } from '../endpoint/parse-completion.ts'
import { UnusableAnswerError } from '../endpoint/unusable-answer-error.ts'
import type { ModelSettings } from '../model-settings.ts'
import { type Prompt, taskPrompts } from '../prompts.ts'
import { budgetExhaustedSentence, createTokenMeter, type TokenCount } from './token-meter.ts'

/** How the work was made, for the delivery. */
export type ModelProvenance = {
  readonly model: string
  /** Names of the prompts, with their versions. */
  readonly prompts: readonly string[]
  readonly requests: number
  readonly tokens: TokenCount
}

/** `faultOf`: why an answer of the right form is still wrong; undefined if it is right. */
export type AnswerShape<T> = { readonly name: string; readonly schema: z.ZodType<T>; readonly faultOf?: (answer: T) => string | undefined }

export type ModelTask = {
  /** A text. @throws {SkillRefused} */
  askText(prompt: Prompt, data: object, faultOf?: (text: string) => string | undefined): Promise<string>
  /** A value of a schema. @throws {SkillRefused} */
  askValue<T>(prompt: Prompt, data: object, shape: AnswerShape<T>): Promise<T>
  readonly provenance: ModelProvenance
  readonly budget: TokenCount
  readonly signal: AbortSignal
}

export type ModelTaskOptions = {
  readonly settings: ModelSettings
  readonly budget: TokenCount
  readonly signal?: AbortSignal | undefined
  readonly endpoint?: ChatEndpoint
  /** Longest duration of the task, 240 s by default: a call must be answered within five minutes. */
  readonly taskMs?: number
}

/** Answers to one question, the first included. */
export const maxAnswersPerQuestion = 3
const defaultTaskMs = 240_000

type Chat = {
  readonly messages: { role: 'system' | 'user' | 'assistant'; content: string }[]
  readonly format?: ReturnType<typeof zodResponseFormat>
}

export function startModelTask({
  settings,
  budget,
  signal,
  endpoint = createChatEndpoint(settings),
  taskMs = defaultTaskMs,
}: ModelTaskOptions): ModelTask {
  const meter = createTokenMeter(budget)
  const until = AbortSignal.any([AbortSignal.timeout(taskMs), ...(signal ? [signal] : [])])
  const used = new Set<string>()
  let requests = 0

  async function complete({ messages, format }: Chat): Promise<ModelCompletion> {
    const input = JSON.stringify([messages, format])
    const maxOutputTokens = meter.reserve(input)
    requests += 1
    const completion = await endpoint.complete({ messages, maxOutputTokens, ...(format && { response_format: format }) }, until)
    meter.record(completion.usage, { input, output: completion.content })
    const { used: spent } = meter
    // An answer beyond the budget is not used, whole or not.
    if (completion.isCut || spent.output > budget.output || spent.input > budget.input)
      throw new SkillRefused(budgetExhaustedSentence(budget))
    return completion
  }

  /** Asks until an answer has no fault. `read`: the answer, or its fault. */
  async function ask<T>(chat: Chat, prompt: Prompt, read: (content: string) => { value: T } | { fault: string }): Promise<T> {
    used.add(prompt.name)
    let fault = ''
    for (let answers = 1; answers <= maxAnswersPerQuestion; answers++) {
      const { content } = await complete(chat)
      const got = read(content)
      if ('value' in got) return got.value
      fault = got.fault
      used.add(taskPrompts.repair.name)
      // The refused answer is repeated as far as it is needed to correct it.
      chat.messages.push({ role: 'assistant', content: content.slice(0, 4_000) || '(empty)' })
      chat.messages.push({ role: 'user', content: `${taskPrompts.repair.text}\n\n${JSON.stringify({ refused: fault.slice(0, 1_000) })}` })
    }
    throw new UnusableAnswerError(`${maxAnswersPerQuestion} answers were refused: ${fault.slice(0, 300)}`)
  }

  return {
    budget,
    signal: until,
    get provenance() {
      return { model: settings.model, prompts: [...used], requests, tokens: meter.used }
    },
    askText: (prompt, data, faultOf) =>
      refuseModelErrors(() => ask({ messages: firstMessages(prompt.text, data) }, prompt, (content) => readText(content, faultOf))),
    askValue: (prompt, data, { name, schema, faultOf }) =>
      refuseModelErrors(() => {
        const format = withoutTextLimits(zodResponseFormat(schema, name))
        // Endpoints without structured answers read the schema here.
        const system = `${prompt.text}\n\nReturn one JSON object that this JSON Schema accepts, and nothing else:\n${JSON.stringify(z.toJSONSchema(schema))}`
        return ask({ messages: firstMessages(system, data), format }, prompt, (content) => readValue(content, schema, faultOf))
      }),
  }
}

type ResponseFormat = ReturnType<typeof zodResponseFormat>

/** Strict endpoints refuse limits of texts in a schema. The answer is checked against the whole schema here. */
const withoutTextLimits = (format: ResponseFormat): ResponseFormat =>
  JSON.parse(
    JSON.stringify(format, (key, value: unknown) =>
      /^(?:minLength|maxLength|pattern)$/.test(key) && typeof value !== 'object' ? undefined : value,
    ),
  ) as ResponseFormat

/** Data of strangers stands in a JSON string, so that no text of it ends it. */
const firstMessages = (system: string, data: object): Chat['messages'] => [
  { role: 'system', content: system },
  { role: 'user', content: JSON.stringify(data) },
]

function readText(content: string, faultOf?: (text: string) => string | undefined): { value: string } | { fault: string } {
  const text = content.replace(/^\s*<think>[\s\S]*?<\/think>/i, '').trim()
  if (text === '') return { fault: 'The answer is empty.' }
  const fault = text.includes('\0') ? 'The answer has a NUL character.' : faultOf?.(text)
  return fault === undefined ? { value: text } : { fault }
}

function readValue<T>(
  content: string,
  schema: z.ZodType<T>,
  faultOf?: (answer: T) => string | undefined,
): { value: T } | { fault: string } {
  const json = findJson(content)
  if (json === undefined) return { fault: 'The answer is not JSON.' }
  const read = schema.safeParse(json)
  if (!read.success) return { fault: `The answer is not of the schema. ${z.prettifyError(read.error).slice(0, 800)}` }
  const fault = faultOf?.(read.data)
  return fault === undefined ? { value: read.data } : { fault }
}

async function refuseModelErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof UnusableAnswerError)
      throw new SkillRefused(`The model gave no usable answer: ${error.message}. The step is not paid.`)
    throw error
  }
}
