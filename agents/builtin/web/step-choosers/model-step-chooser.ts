/**
 * Asks a language model for each step. Its tools are browser actions and API operations. Content of a site reaches
 * the model as data between random marks. Egress policy, strategy and task limit what the model can do.
 */
import { randomUUID } from 'node:crypto'
import type { Json } from '@parley/protocol'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import { createChatEndpoint, type EndpointOptions } from '../../model/endpoint/chat-endpoint.ts'
import { taskPrompts } from '../../model/prompts.ts'
import type { Api, ApiOperation, Schema } from '../api/parse-openapi.ts'
import { isObject } from '../api/parse-openapi.ts'
import { summarizePage } from '../pages/summarize-page.ts'
import { failedOutcome, type StepChoice, type StepChooser, type StepResult } from '../steps/step.ts'
import type { StepChooserInput } from './deterministic-step-chooser.ts'

const maxOperations = 60
/** Older results are omitted: pages are long, and only the last one can be acted on. */
const keptViews = 2
const maxAttempts = 3

export function modelStepChoosers(options: EndpointOptions): (situation: StepChooserInput) => StepChooser {
  const endpoint = createChatEndpoint(options)
  return (situation) =>
    modelStepChooser(situation, async (messages, tools) => {
      const { reply: message } = await endpoint.complete({ messages, tools, tool_choice: 'required', parallel_tool_calls: false })
      const call = message.tool_calls?.find((one) => one.type === 'function')
      return call ? { id: call.id, name: call.function.name, args: call.function.arguments } : undefined
    })
}

type Call = { readonly id: string; readonly name: string; readonly args: string }
type Ask = (messages: ChatCompletionMessageParam[], tools: ChatCompletionTool[]) => Promise<Call | undefined>

function modelStepChooser({ task, start, strategy, api }: StepChooserInput, ask: Ask): StepChooser {
  const operations = strategy === 'browse' ? [] : (api?.operations.slice(0, maxOperations) ?? [])
  const tools = [...(strategy === 'api' ? [] : browseTools), ...operations.map((one, index) => operationTool(one, index)), ...endTools]
  const turns: { call: Call; view: string }[] = []
  let last: Call | undefined

  async function decide(): Promise<StepChoice> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const call = await ask(messagesOf(task, start, turns), tools)
      if (!call) continue
      const move = toMove(call, operations)
      if (move && isAllowed(move, strategy)) {
        last = call
        return move
      }
      turns.push({ call, view: 'There is no such tool, or its arguments don’t fit.' })
    }
    return giveUp('The model gave no usable step.')
  }

  return async (seen) => {
    if (seen && last) turns.push({ call: last, view: renderResult(seen) })
    try {
      return await decide()
    } catch (error) {
      return giveUp(`The model could not be asked: ${error instanceof Error ? error.message.slice(0, 200) : 'no reason given'}`)
    }
  }
}

const giveUp = (reason: string): StepChoice => ({ kind: 'finish', outcome: failedOutcome(reason) })

function isAllowed(move: StepChoice, strategy: StepChooserInput['strategy']): boolean {
  return move.kind === 'finish' || strategy === 'hybrid' || move.kind === strategy
}

function messagesOf(task: string, start: string, turns: readonly { call: Call; view: string }[]): ChatCompletionMessageParam[] {
  const previousTurns = turns.flatMap(({ call, view }, index): ChatCompletionMessageParam[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: call.args } }],
    },
    { role: 'tool', tool_call_id: call.id, content: index < turns.length - keptViews ? 'Left out.' : view },
  ])
  return [
    { role: 'system', content: taskPrompts.webStep.text },
    { role: 'user', content: `The task: ${task}\nThe site: ${start}` },
    ...previousTurns,
  ]
}

/** The mark is random, so that no page can close it. */
export function renderResult(seen: StepResult): string {
  if ('refused' in seen) return `Not done: ${seen.refused}`
  const mark = randomUUID().slice(0, 8)
  const message = 'reply' in seen ? `status ${seen.reply.status}\n${JSON.stringify(seen.reply.body).slice(0, 20_000)}` : pageText(seen.page)
  return `SITE ${mark}\n${message}\n/SITE ${mark}`
}

function pageText({ url, title, tree, downloads }: Extract<StepResult, { page: unknown }>['page']): string {
  const files = downloads.map((one) => `downloaded ${one.name}, ${one.bytes} bytes${one.text ? `:\n${one.text.slice(0, 4_000)}` : ''}`)
  return [`${title} (${url})`, summarizePage(tree), ...files].join('\n')
}

const text = (description: string) => ({ type: 'string', description })
const tool = (
  name: string,
  description: string,
  properties: { [name: string]: unknown },
  required = Object.keys(properties),
): ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } },
})
const browseTools = [
  tool('goto', 'Open a URL of the site.', { url: text('Absolute.') }),
  tool('click', 'Click a link or button.', { ref: text('Of the element.') }),
  tool('fill', 'Put a text into a field.', { ref: text('Of the field.'), value: text('The text.') }),
  tool('select', 'Choose an option of a list.', { ref: text('Of the list.'), value: text('The option’s label.') }),
  tool('check', 'Tick a box, or choose one of several.', { ref: text('Of the box.') }),
  tool('press_enter', 'Press Enter in a field.', { ref: text('Of the field.') }),
  tool('back', 'Go back one page.', {}),
]
const endTools = [
  tool('finish', 'The task is done.', {
    answer: { type: ['string', 'null'], description: 'The bare answer; null where nothing was asked.' },
  }),
  tool('give_up', 'The task can’t be done.', { reason: text('One sentence.') }),
]

function operationTool({ method, path, summary, parameters, body }: ApiOperation, index: number): ChatCompletionTool {
  const properties = {
    ...Object.fromEntries(parameters.map((one) => [one.name, schemaFor(one.schema, one.description)])),
    ...Object.fromEntries(Object.entries(body?.properties ?? {}).map(([name, one]) => [name, schemaFor(one, one.description)])),
  }
  const required = [...parameters.filter((one) => one.isRequired).map((one) => one.name), ...(body?.required ?? [])]
  return tool(`api_${index}`, `${method} ${path}: ${summary}`.slice(0, 500), properties, required)
}

function schemaFor({ types, values, items }: Schema, description: string): { [name: string]: unknown } {
  const type = types.filter(Boolean)
  return {
    ...(type.length > 0 && { type: type.length === 1 ? type[0] : type }),
    ...(values.length > 0 && { enum: values }),
    ...(items && { items: { type: items.types[0] || 'string' } }),
    ...(description && { description }),
  }
}

/** The move of a tool call; undefined if the call is invalid. */
export function toMove({ name, args }: Call, operations: Api['operations']): StepChoice | undefined {
  const given = parsed(args)
  if (!given) return undefined
  const { url, ref, value, answer, reason } = given
  const operation = /^api_\d+$/.test(name) ? operations[Number(name.slice(4))] : undefined
  if (operation) return { kind: 'api', operation: operation.id, args: given }
  if (name === 'finish')
    return { kind: 'finish', outcome: { done: true, answer: answer === null || answer === undefined ? null : String(answer) } }
  if (name === 'give_up') return { kind: 'finish', outcome: failedOutcome(String(reason ?? 'The model gave up.').slice(0, 500)) }
  if (name === 'back') return { kind: 'browse', act: 'back' }
  if (name === 'goto') return typeof url === 'string' ? { kind: 'browse', act: 'goto', url } : undefined
  if (typeof ref !== 'string') return undefined
  if (name === 'click' || name === 'check') return { kind: 'browse', act: name, ref, name: ref }
  if (name === 'press_enter') return { kind: 'browse', act: 'press', ref, name: ref }
  if ((name === 'fill' || name === 'select') && typeof value === 'string') return { kind: 'browse', act: name, ref, name: ref, value }
  return undefined
}

function parsed(args: string): { readonly [name: string]: Json } | undefined {
  try {
    const value: unknown = JSON.parse(args || '{}')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
