/** A fake of a language model's HTTP API, on loopback. A function or a transcript gives its answers. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = {
  readonly messages: readonly { readonly role: string; readonly content?: string | null; readonly tool_calls?: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: unknown
  readonly response_format?: { readonly json_schema: { readonly name: string; readonly strict?: boolean } }
}
/** `content`: text as it is, anything else as JSON. */
export type ModelAnswer = {
  readonly content?: unknown
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[]
  readonly status?: number
}
export type ModelDouble = AsyncDisposable & { readonly baseURL: string; readonly asked: readonly Asked[] }

export async function startModelDouble(answer: (asked: Asked, nth: number) => ModelAnswer): Promise<ModelDouble> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const given = JSON.parse(body) as Asked
      asked.push(given)
      const { content = null, calls, status = 200 } = answer(given, asked.length)
      const message = {
        role: 'assistant',
        content: content === null || typeof content === 'string' ? content : JSON.stringify(content),
        refusal: null,
        ...(calls && {
          tool_calls: calls.map(({ name, args }, index) => ({
            id: `call_${asked.length}_${index}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
      }
      response.writeHead(status, { 'content-type': 'application/json' })
      const choices = [{ index: 0, finish_reason: calls ? 'tool_calls' : 'stop', message }]
      response.end(JSON.stringify({ id: 'local', object: 'chat.completion', created: 0, model: 'local-double', choices }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One exchange of a recorded conversation with a model. `sha256`: of the prompt's text. `says`: words of the last message. */
export type Exchange = {
  readonly asks: {
    readonly prompt: string
    readonly sha256: string
    readonly shape?: string
    readonly tools?: readonly string[]
    readonly says: readonly string[]
  }
  readonly answers: ModelAnswer
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Answers as recorded, and reports requests that differ from the recording: also where a prompt was changed under its old name. */
export function replayOf(transcript: readonly Exchange[]) {
  const faults: string[] = []
  return {
    faults,
    answer(asked: Asked, nth: number): ModelAnswer {
      const exchange = transcript[nth - 1]
      if (!exchange) {
        faults.push(`request ${nth} is one more than were recorded`)
        return { status: 400 }
      }
      const { prompt, sha256, shape, tools = [], says } = exchange.asks
      const [system] = asked.messages
      if (digestOf(system?.content ?? '') !== sha256) faults.push(`request ${nth} does not begin with ${prompt} as it was`)
      if (asked.response_format?.json_schema.name !== shape) faults.push(`request ${nth} wants no ${shape}`)
      const offered = (asked.tools ?? []).map((tool) => tool.function.name)
      if (offered.join() !== tools.join()) faults.push(`request ${nth} offers the tools ${offered.join()}`)
      const last = asked.messages.at(-1)?.content ?? ''
      faults.push(...says.filter((words) => !last.includes(words)).map((words) => `request ${nth} does not say: ${words}`))
      return exchange.answers
    },
  }
}
