import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addBalanceEntry } from './balance.ts'
import { decodeForm } from './decode-form.ts'
import { createIdGenerator, type FakeContext } from './fake-context.ts'
import { createFaultyResponder } from './faulty-responder.ts'
import type { StripeRequest } from './perform-operation.ts'
import { showStripePage } from './show-stripe-page.ts'
import { loadState, saveState } from './state.ts'
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts'

export type StripeFakeOptions = {
  /** The state file; null: state in memory only. */
  readonly file: string | null
  /** 0: any free port. */
  readonly port: number
  readonly webhookSecret: string
  /** The URL of the webhooks; null: none. */
  readonly webhookUrl: string | null
  readonly now?: () => number
  readonly slowRefunds?: boolean
}

export type StripeFake = AsyncDisposable & {
  readonly url: string
  readonly context: FakeContext
  readonly webhookSender: WebhookSender
  readonly fault: ReturnType<typeof createFaultyResponder>['fault']
  readonly releaseHeldAnswers: () => void
  /** The answered requests, oldest first: `POST /v1/transfers`. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** Test mode: a stateful fake of Stripe on loopback, the part of its API that Parley uses, with Stripe's rules. */
export async function startStripeFake(options: StripeFakeOptions): Promise<StripeFake> {
  const { file, webhookSecret: secret, webhookUrl } = options
  const state = loadState(file)
  const now = options.now ?? (() => Math.floor(Date.now() / 1_000))
  const next = createIdGenerator()
  const webhookSender = createWebhookSender({ state, file, url: webhookUrl, secret, now, next })
  const asked: string[] = []
  let url = ''
  const context: FakeContext = { state, now, next, notify: webhookSender.notify, notifyThin: webhookSender.notifyThin, baseUrl: () => url }
  // The platform's own money, which pays for disputes.
  if (state.entries.length === 0) addBalanceEntry(context, { type: 'topup', source: 'tu_test_own', amount: 100_000 })
  const responder = createFaultyResponder(context, { slowRefunds: options.slowRefunds ?? false })
  const { fault, releaseHeldAnswers } = responder

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = new URL(request.url ?? '/', 'http://stripe-fake')
    const text = await bodyOf(request)
    if (!/^\/v[12]\//.test(at.pathname)) {
      const shown =
        at.pathname === '/health'
          ? { status: 200, html: 'ok' }
          : showStripePage(context, request.method ?? '', at, new URLSearchParams(text))
      saveState(file, state)
      if (shown === null) return end(response, 404, 'text/plain', 'Not found')
      if ('goTo' in shown) return void response.writeHead(303, { location: shown.goTo }).end()
      return end(response, shown.status, 'text/html; charset=utf-8', shown.html)
    }
    if (!/^Bearer (sk|rk)_test_/.test(request.headers.authorization ?? ''))
      return json(response, 401, { error: { type: 'invalid_request_error', message: 'No valid API key was given.' } })
    const key = request.headers['idempotency-key']
    const asking = readRequest(request, at, text)
    asked.push(`${asking.method} ${asking.path}`)
    const answer = await responder.answer(asking, typeof key === 'string' && request.method === 'POST' ? key : null)
    saveState(file, state)
    if (answer === null) return void request.socket.destroy()
    if (answer.replayed) response.setHeader('idempotent-replayed', 'true')
    json(response, answer.status, answer.body)
  }

  const server: Server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      json(response, 500, { error: { type: 'api_error', message: String(error) } })
    })
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(options.port, '127.0.0.1', ready)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function close(): Promise<void> {
    await webhookSender.close()
    saveState(file, state)
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { url, context, webhookSender, fault, releaseHeldAnswers, asked, close, [Symbol.asyncDispose]: close }
}

function readRequest(request: IncomingMessage, at: URL, text: string): StripeRequest {
  const method = request.method ?? 'GET'
  const isJson = request.headers['content-type']?.includes('json') ?? false
  const fields = decodeForm(method === 'POST' && !isJson ? text : at.search.slice(1))
  return { method, path: at.pathname, fields, json: isJson && text !== '' ? JSON.parse(text) : null }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function json(response: ServerResponse, status: number, body: unknown): void {
  end(response, status, 'application/json', JSON.stringify(body))
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
