/** Chat with a language model over an OpenAI-compatible API: structured answers and tool calls. */
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { z } from 'zod'
import { type CompletionRequest, createChatEndpoint, type EndpointOptions } from '../../model/endpoint/chat-endpoint.ts'
import { findJson, type ModelCompletion, type ToolCall } from '../../model/endpoint/parse-completion.ts'
import { UnusableAnswerError } from '../../model/endpoint/unusable-answer-error.ts'
import type { Prompt } from '../../model/prompts.ts'

export type ChatMessage = ChatCompletionMessageParam
export type ModelTool = { readonly name: string; readonly description: string; readonly parameters: z.ZodType }

/** The chat of one goal. `promptNames`: the versioned prompts used so far. `requests`: their number so far. */
export type ModelChat = {
  readonly promptNames: readonly string[]
  readonly requests: number
  /** A structured answer. @throws {UnusableAnswerError} if the answer does not have this shape */
  ask<T>(
    prompt: Prompt,
    messages: readonly ChatMessage[],
    shape: { name: string; schema: z.ZodType<T> },
  ): Promise<{ answer: T; text: string }>
  /** The tool calls of the model. @param must the only tool that may be called @throws {UnusableAnswerError} */
  callTools(
    prompt: Prompt,
    history: readonly ChatMessage[],
    tools: readonly ModelTool[],
    must?: string,
  ): Promise<{ calls: readonly ToolCall[]; conversation: ChatMessage }>
  /** A structured answer or tool calls. @throws {UnusableAnswerError} if it gives neither */
  askOrCall<T>(
    prompt: Prompt,
    conversation: readonly ChatMessage[],
    shape: { name: string; schema: z.ZodType<T> },
    tools: readonly ModelTool[],
  ): Promise<{ answer: T; text: string } | { calls: readonly ToolCall[]; conversation: ChatMessage }>
  promptText(prompt: Prompt): string
}

/** Attempts to get an answer of the asked shape. */
const maxAnswers = 2
/** Tokens of one answer. A plan of sixty steps has fewer. */
const maxOutputTokens = 8_000

export function createOpenAiChat(options: EndpointOptions): ModelChat {
  const endpoint = createChatEndpoint(options)
  const used = new Set<string>()
  let asks = 0
  const use = ({ name, text }: Prompt): string => {
    used.add(name)
    return text
  }
  async function complete(prompt: Prompt, history: readonly ChatMessage[], more: Partial<CompletionRequest>): Promise<ModelCompletion> {
    asks += 1
    const completion = await endpoint.complete({
      messages: [{ role: 'system', content: use(prompt) }, ...history],
      maxOutputTokens,
      ...more,
    })
    if (completion.isCut) throw new UnusableAnswerError('its answer ends at the limit of tokens')
    return completion
  }
  return {
    get promptNames() {
      return [...used]
    },
    get requests() {
      return asks
    },
    promptText: use,
    async ask(prompt, conversation, { name, schema }) {
      for (let answers = 1; ; answers++) {
        const { content } = await complete(prompt, conversation, { response_format: zodResponseFormat(schema, name) })
        try {
          return readAnswer(content, name, schema)
        } catch (error) {
          if (answers >= maxAnswers) throw error
        }
      }
    },
    async askOrCall(prompt, conversation, { name, schema }, tools) {
      const completion = await complete(prompt, conversation, {
        response_format: zodResponseFormat(schema, name),
        tools: tools.map((tool) => zodFunction(tool)),
      })
      const { calls, reply: message } = completion
      return calls.length > 0 ? { calls, conversation: message } : readAnswer(completion.content, name, schema)
    },
    async callTools(prompt, conversation, tools, must) {
      const { calls, reply: message } = await complete(prompt, conversation, {
        tools: tools.map((tool) => zodFunction(tool)),
        tool_choice: must ? { type: 'function', function: { name: must } } : 'required',
      })
      if (calls.length === 0) throw new UnusableAnswerError('it called none of the tools')
      return { calls, conversation: message }
    },
  }
}

function readAnswer<T>(content: string, name: string, schema: z.ZodType<T>): { answer: T; text: string } {
  const answer = schema.safeParse(findJson(content))
  if (!answer.success) throw new UnusableAnswerError(`it answered without a ${name}`)
  return { answer: answer.data, text: content }
}
