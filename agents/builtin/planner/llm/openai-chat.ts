/** Chat with a language model over an OpenAI-compatible API: structured answers and tool calls. */
import OpenAI from 'openai'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import type { ChatCompletionMessage, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { z } from 'zod'
import type { Prompt } from './prompts.ts'

export type ModelOptions = {
  readonly apiKey: string
  readonly baseURL?: string | undefined
  readonly model: string
  readonly timeoutMs?: number
}

/** The model gave no usable answer. The message completes a sentence in the room. */
export class ModelError extends Error {
  override readonly name = 'ModelFault'
}

export type ChatMessage = ChatCompletionMessageParam
export type ToolCall = { readonly id: string; readonly name: string; readonly args: unknown }
export type ModelTool = { readonly name: string; readonly description: string; readonly parameters: z.ZodType }

/** The chat of one goal. `promptNames`: the versioned prompts used so far. `requests`: their number so far. */
export type ModelChat = {
  readonly promptNames: readonly string[]
  readonly requests: number
  /** A structured answer. @throws {ModelError} if the answer does not have this shape */
  ask<T>(prompt: Prompt, said: readonly ChatMessage[], shape: { name: string; schema: z.ZodType<T> }): Promise<{ answer: T; text: string }>
  /** The tool calls of the model. @param must the only tool that may be called @throws {ModelError} */
  callTools(
    prompt: Prompt,
    said: readonly ChatMessage[],
    tools: readonly ModelTool[],
    must?: string,
  ): Promise<{ calls: ToolCall[]; said: ChatMessage }>
  /** A structured answer or tool calls. @throws {ModelError} if it gives neither */
  askOrCall<T>(
    prompt: Prompt,
    said: readonly ChatMessage[],
    shape: { name: string; schema: z.ZodType<T> },
    tools: readonly ModelTool[],
  ): Promise<{ answer: T; text: string } | { calls: ToolCall[]; said: ChatMessage }>
  promptText(prompt: Prompt): string
}

export function createOpenAiChat({ apiKey, baseURL, model, timeoutMs = 60_000 }: ModelOptions): ModelChat {
  const client = new OpenAI({ apiKey, ...(baseURL && { baseURL }), timeout: timeoutMs, maxRetries: 1 })
  const used = new Set<string>()
  let asks = 0
  const use = ({ name, text }: Prompt): string => {
    used.add(name)
    return text
  }
  const withPrompt = (prompt: Prompt, said: readonly ChatMessage[]): ChatMessage[] => {
    asks += 1
    return [{ role: 'system', content: use(prompt) }, ...said]
  }
  return {
    get promptNames() {
      return [...used]
    },
    get requests() {
      return asks
    },
    promptText: use,
    async ask(prompt, said, { name, schema }) {
      const messages = withPrompt(prompt, said)
      const completion = await tried(() =>
        client.chat.completions.create({ model, messages, response_format: zodResponseFormat(schema, name) }),
      )
      return readAnswer(completion.choices[0]?.message.content, name, schema)
    },
    async askOrCall(prompt, said, { name, schema }, tools) {
      const messages = withPrompt(prompt, said)
      const completion = await tried(() =>
        client.chat.completions.create({
          ...{ model, messages, response_format: zodResponseFormat(schema, name) },
          tools: tools.map((tool) => zodFunction(tool)),
        }),
      )
      const message = completion.choices[0]?.message
      const calls = callsIn(message)
      return message && calls.length > 0 ? { calls, said: message } : readAnswer(message?.content, name, schema)
    },
    async callTools(prompt, said, tools, must) {
      const messages = withPrompt(prompt, said)
      const completion = await tried(() =>
        client.chat.completions.create({
          model,
          messages,
          tools: tools.map((tool) => zodFunction(tool)),
          tool_choice: must ? { type: 'function', function: { name: must } } : 'required',
        }),
      )
      const message = completion.choices[0]?.message
      const calls = callsIn(message)
      if (!message || calls.length === 0) throw new ModelError('it called none of the tools')
      return { calls, said: message }
    },
  }
}

function readAnswer<T>(content: string | null | undefined, name: string, schema: z.ZodType<T>): { answer: T; text: string } {
  const text = content ?? ''
  const answer = schema.safeParse(parsed(text))
  if (!answer.success) throw new ModelError(`it answered without a ${name}`)
  return { answer: answer.data, text }
}

function callsIn(message: ChatCompletionMessage | undefined): ToolCall[] {
  return (message?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [{ id: call.id, name: call.function.name, args: parsed(call.function.arguments) }] : [],
  )
}

async function tried<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw new ModelError(error instanceof Error ? error.message.slice(0, 200) : 'it could not be reached')
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
