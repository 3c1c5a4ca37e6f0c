/** A real HTTP receiver of webhooks on loopback. */
import { createServer, type IncomingHttpHeaders } from 'node:http'

export type ReceivedWebhook = { readonly headers: IncomingHttpHeaders; readonly body: string }

export type WebhookReceiver = AsyncDisposable & {
  readonly origin: string
  readonly received: readonly ReceivedWebhook[]
  /** What it answers: 204 unless a test sets another. */
  answer: { status: number; headers?: { [name: string]: string }; body?: string }
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const state: { answer: WebhookReceiver['answer'] } = { answer: { status: 204 } }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
      response.writeHead(state.answer.status, state.answer.headers).end(state.answer.body)
    })
    response.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    received,
    get answer() {
      return state.answer
    },
    set answer(value) {
      state.answer = value
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
