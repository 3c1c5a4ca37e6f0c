/** Checks the answer of an endpoint before any part of it is used. */
import type { ChatCompletionMessage } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { UnusableAnswerError } from './unusable-answer-error.ts'

const count = z.number().int().min(0).max(1_000_000_000)
const Call = z.looseObject({
  id: z.string().min(1).max(200),
  type: z.literal('function').optional(),
  function: z.looseObject({ name: z.string().max(200), arguments: z.string() }),
})
const Message = z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish(), tool_calls: z.array(Call).max(64).nullish() })
const AnsweredCompletion = z.looseObject({
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish(), message: Message })).min(1),
  usage: z.unknown().optional(),
})
const Usage = z.looseObject({ prompt_tokens: count, completion_tokens: count })

export type ToolCall = { readonly id: string; readonly name: string; readonly args: unknown }

export type ModelCompletion = {
  readonly content: string
  readonly calls: readonly ToolCall[]
  /** For the next request of the same chat. */
  readonly reply: ChatCompletionMessage
  /** As the endpoint states it; undefined if it states none, or an impossible one. */
  readonly usage: { readonly input: number; readonly output: number } | undefined
  /** True if the answer ends at a limit of tokens. */
  readonly isCut: boolean
}

/** @throws {UnusableAnswerError} if it is no completion */
export function parseCompletion(answer: unknown): ModelCompletion {
  const read = AnsweredCompletion.safeParse(answer)
  const choice = read.data?.choices[0]
  if (!read.success || !choice) throw new UnusableAnswerError('its answer is not a chat completion')
  const { message, finish_reason } = choice
  if (message.refusal) throw new UnusableAnswerError(`it declined: ${message.refusal.slice(0, 200)}`)
  const usage = Usage.safeParse(read.data.usage)
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    args: parseJsonOrUndefined(call.function.arguments),
  }))
  const tool_calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }))
  return {
    content: message.content ?? '',
    calls,
    reply: { role: 'assistant', content: message.content ?? null, refusal: null, ...(tool_calls.length > 0 && { tool_calls }) },
    usage: usage.success ? { input: usage.data.prompt_tokens, output: usage.data.completion_tokens } : undefined,
    isCut: finish_reason === 'length',
  }
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON of an answer. Models put it into code fences, or behind their thoughts. Undefined if there is none. */
export function findJson(content: string): unknown {
  const text = content.replace(/^\s*<think>[\s\S]*?<\/think>/i, '').trim()
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1]
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  const candidates = [text, fenced, start >= 0 && end > start ? text.slice(start, end + 1) : undefined]
  return candidates.flatMap((one) => (one === undefined ? [] : [parseJsonOrUndefined(one)])).find((one) => one !== undefined)
}
