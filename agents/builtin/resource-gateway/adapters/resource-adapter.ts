/** Adapters for the protocols of resources: MCP, A2A, OpenAI, and plain JSON. */
import { type Json, nameOfSkill, parseStrict, type ResourceCard, type Skill } from '@parley/protocol'
import type { FetchResponse } from '../net/bounded-fetch.ts'

/** A resource's description of itself. `offers`: its tools, skills or models by name. */
export type ResourceDescription = {
  readonly version: string
  readonly offers: readonly { readonly name: string; readonly text: string; readonly schema: Json }[]
}
/** The answer of a resource: text, and its JSON value if it has one. */
export type ResourceAnswer = { readonly text: string; readonly value: Json }
/** `refused`: the resource's own refusal. */
export type CallOutcome = { readonly answer: ResourceAnswer } | { readonly refused: string }

/** Sends one request, within limits that the caller sets. */
export type SendRequest = (
  address: string,
  what?: { readonly body: string; readonly headers?: Readonly<Record<string, string>> },
) => Promise<FetchResponse>
export type ResourceAdapter = { describe(): Promise<ResourceDescription>; call(skill: Skill, input: Json): Promise<CallOutcome> }

/** The response does not follow the protocol that the card names. */
export class AdapterError extends Error {
  override readonly name = 'Unintelligible'
}

export function createAdapter(card: ResourceCard, ask: SendRequest): ResourceAdapter {
  switch (card.protocol) {
    case 'mcp':
      return mcp(card, ask)
    case 'a2a':
      return a2a(card, ask)
    case 'openai':
      return openai(card, ask)
    case 'json':
      return json(card, ask)
    default:
      return card.protocol satisfies never
  }
}

const jsonHeaders = { 'content-type': 'application/json' }

function mcp(card: ResourceCard, ask: SendRequest): ResourceAdapter {
  let id = 0
  const rpc = async (method: string, params: Json) => {
    const headers = { ...jsonHeaders, 'mcp-protocol-version': '2025-06-18' }
    const asked = await ask(card.endpoint, { body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }), headers })
    return resultOf(asked)
  }
  return {
    async describe() {
      const begun = await rpc('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'parley-gateway', version: '1' },
      })
      if ('refused' in begun) throw new AdapterError(`It refused to initialize: ${begun.refused}`)
      const listed = await rpc('tools/list', {})
      if ('refused' in listed) throw new AdapterError(`It refused to list its tools: ${listed.refused}`)
      const tools = arrayIn(listed.result, 'tools')
      return {
        version: textIn(objectIn(begun.result, 'serverInfo'), 'version'),
        offers: tools.map((tool) => ({
          name: textIn(tool, 'name'),
          text: textIn(tool, 'description'),
          schema: fieldOf(tool, 'inputSchema') ?? null,
        })),
      }
    },
    async call(skill, input) {
      const done = await rpc('tools/call', { name: nameOfSkill(card, skill.id), arguments: input })
      if ('refused' in done) return done
      const text = arrayIn(done.result, 'content')
        .map((part) => textIn(part, 'text'))
        .join('\n')
      if (fieldOf(done.result, 'isError') === true) return { refused: text }
      return { answer: { text, value: fieldOf(done.result, 'structuredContent') ?? readValue(text) } }
    },
  }
}

function a2a(card: ResourceCard, ask: SendRequest): ResourceAdapter {
  let id = 0
  return {
    async describe() {
      const description = bodyOf(await ask(new URL('/.well-known/agent-card.json', card.endpoint).href))
      const skills = arrayIn(description, 'skills')
      return {
        version: textIn(description, 'version'),
        offers: skills.map((skill) => ({
          name: textIn(skill, 'id'),
          text: textIn(skill, 'description'),
          schema: fieldOf(skill, 'inputModes') ?? null,
        })),
      }
    },
    async call(skill, input) {
      const parts: Json = typeof input === 'string' ? [{ kind: 'text', text: input }] : [{ kind: 'data', data: input }]
      const message: Json = {
        kind: 'message',
        role: 'user',
        messageId: `m${++id}`,
        parts,
        metadata: { skill: nameOfSkill(card, skill.id) },
      }
      const asked = await ask(card.endpoint, {
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'message/send', params: { message } }),
        headers: jsonHeaders,
      })
      const done = resultOf(asked)
      if ('refused' in done) return done
      const state = textIn(objectIn(done.result, 'status'), 'state')
      if (state === 'failed' || state === 'rejected') return { refused: `The task ended ${state}.` }
      const made = [...arrayIn(done.result, 'artifacts').flatMap((one) => arrayIn(one, 'parts')), ...arrayIn(done.result, 'parts')]
      const data = made.map((part) => fieldOf(part, 'data')).find((one) => one !== undefined)
      const text = made
        .map((part) => textIn(part, 'text'))
        .filter(Boolean)
        .join('\n')
      return { answer: { text: text || (data === undefined ? '' : JSON.stringify(data)), value: data ?? readValue(text) } }
    },
  }
}

function openai(card: ResourceCard, ask: SendRequest): ResourceAdapter {
  const at = (way: string) => `${card.endpoint.replace(/\/$/, '')}/${way}`
  return {
    async describe() {
      const models = arrayIn(bodyOf(await ask(at('models'))), 'data')
      return { version: '', offers: models.map((model) => ({ name: textIn(model, 'id'), text: textIn(model, 'owned_by'), schema: null })) }
    },
    async call(skill, input) {
      const content = typeof input === 'string' ? input : JSON.stringify(input)
      const body = JSON.stringify({ model: nameOfSkill(card, skill.id), messages: [{ role: 'user', content }], max_tokens: 512 })
      const asked = await ask(at('chat/completions'), { body, headers: jsonHeaders })
      if (asked.status >= 400 && asked.status < 500) return { refused: asked.text.slice(0, 400) }
      const [choice] = arrayIn(bodyOf(asked), 'choices')
      const text = textIn(objectIn(choice ?? null, 'message'), 'content')
      return { answer: { text, value: readValue(text) } }
    },
  }
}

function json(card: ResourceCard, ask: SendRequest): ResourceAdapter {
  return {
    async describe() {
      const description = bodyOf(await ask(card.endpoint))
      return {
        version: textIn(description, 'version'),
        offers: arrayIn(description, 'skills').map((skill) => ({
          name: textIn(skill, 'id'),
          text: textIn(skill, 'description'),
          schema: fieldOf(skill, 'input') ?? null,
        })),
      }
    },
    async call(skill, input) {
      const asked = await ask(card.endpoint, { body: JSON.stringify({ skill: nameOfSkill(card, skill.id), input }), headers: jsonHeaders })
      if (asked.status >= 400 && asked.status < 500) return { refused: asked.text.slice(0, 400) }
      const value = fieldOf(bodyOf(asked), 'output') ?? null
      return { answer: { text: typeof value === 'string' ? value : JSON.stringify(value), value } }
    },
  }
}

/** A JSON-RPC response, as JSON or as the one event of an SSE stream. */
function resultOf(asked: FetchResponse): { result: Json } | { refused: string } {
  if (asked.status >= 400 && asked.status < 500) return { refused: asked.text.slice(0, 400) }
  const body = bodyOf(asked)
  const error = fieldOf(body, 'error')
  if (error !== undefined && error !== null) return { refused: textIn(error, 'message').slice(0, 400) || 'It refuses, without a word.' }
  const result = fieldOf(body, 'result')
  if (result === undefined) throw new AdapterError('Its answer has neither a result nor an error.')
  return { result }
}

function bodyOf({ status, contentType, text }: FetchResponse): Json {
  if (status !== 200) throw new AdapterError(`It answered with status ${status}.`)
  const data = contentType.startsWith('text/event-stream') ? (/^data: ?(.*)$/m.exec(text)?.[1] ?? '') : text
  try {
    return parseStrict(data)
  } catch {
    throw new AdapterError('Its answer is not JSON.')
  }
}

function fieldOf(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
const objectIn = (value: Json, name: string): Json => fieldOf(value, name) ?? null
const textIn = (value: Json, name: string): string => {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}
const arrayIn = (value: Json, name: string): Json[] => {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list : []
}

/** The JSON value of a text; the text itself if it is not JSON. */
function readValue(text: string): Json {
  try {
    return parseStrict(text)
  } catch {
    return text
  }
}
