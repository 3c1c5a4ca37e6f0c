/** A fake of a language model's HTTP API, on loopback, which fails in the ways that real ones do. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Asked } from './model-double.ts'

export type ModelFailure =
  | 'broken JSON'
  | 'no completion'
  | 'HTML'
  | 'nothing'
  | 'oversized'
  | 'endless'
  | 'silence'
  | 'a status of 429'
  | 'a status of 500'
  | 'a status of 401'
  | 'a redirect'
  | 'a dropped connection'
  | 'an empty answer'
  | 'an answer that is cut'

/** `content`: an object is sent as JSON. `usage`: null sends none. */
export type ModelReply =
  | ModelFailure
  | { readonly content: unknown; readonly usage?: { readonly prompt_tokens: unknown; readonly completion_tokens: unknown } | null }
export type MisbehavingModel = AsyncDisposable & {
  readonly baseURL: string
  readonly asked: readonly (Asked & { readonly [field: string]: unknown })[]
}

/** @param reply by the number of the request, from 1 */
export async function startMisbehavingModel(reply: (nth: number, asked: Asked) => ModelReply): Promise<MisbehavingModel> {
  const asked: MisbehavingModel['asked'][number][] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const given = JSON.parse(body)
    asked.push(given)
    answer(reply(asked.length, given), response)
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

const usual = { prompt_tokens: 50, completion_tokens: 20 }
const completionOf = (content: string, finish_reason = 'stop', usage: unknown = usual) =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, finish_reason, message: { role: 'assistant', content } }],
    ...(usage !== null && { usage }),
  })

function answer(reply: ModelReply, response: ServerResponse): unknown {
  const send = (status: number, body: string, type = 'application/json') => response.writeHead(status, { 'content-type': type }).end(body)
  if (typeof reply === 'object') {
    const { content, usage } = reply
    return send(
      200,
      completionOf(typeof content === 'string' ? content : JSON.stringify(content), 'stop', usage === undefined ? usual : usage),
    )
  }
  switch (reply) {
    case 'broken JSON':
      return send(200, '{"choices":[{"message":{"content":"hel')
    case 'no completion':
      return send(200, '{"result":"hello"}')
    case 'HTML':
      return send(200, '<html>hello</html>', 'text/html')
    case 'nothing':
      return send(200, '')
    case 'oversized':
      return send(200, completionOf('x'.repeat(5 * 2 ** 20)))
    case 'endless':
      return dripForever(response)
    case 'silence':
      return undefined
    case 'a status of 429':
      return response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0.02' }).end('{"error":{"message":"slow down"}}')
    case 'a status of 500':
      return send(500, '{"error":{"message":"oops"}}')
    case 'a status of 401':
      return send(401, '{"error":{"message":"wrong key"}}')
    case 'a redirect':
      return response.writeHead(307, { location: 'http://127.0.0.1:9/v1/chat/completions' }).end()
    case 'a dropped connection':
      return response.destroy()
    case 'an empty answer':
      return send(200, completionOf(''))
    case 'an answer that is cut':
      return send(200, completionOf('This sentence has no', 'length'))
  }
}

/** A stream that never ends: a byte at a time, within every limit of idle time. */
function dripForever(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const timer = setInterval(() => response.write('data: {"choices":[]}\n\n'), 10)
  response.once('close', () => clearInterval(timer))
}
