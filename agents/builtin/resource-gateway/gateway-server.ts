/** The gateway's HTTP API: JSON requests, signed by the caller. @see SPEC.md#resources */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { gatewayRequestBytes, isDid, type Json, parseStrict, ResourceQuery, scalarText, verifyBytes } from '@parley/protocol'
import { evictOldest } from './evict-oldest.ts'
import type { Gateway } from './pool/gateway-pool.ts'

const maxBodyBytes = 131_072
const maxAgeMs = 120_000
/** Token bucket of one caller, and of one remote address. */
const burst = 60
const perSecond = 10
const maxBuckets = 10_000

export type GatewayServerOptions = {
  readonly gateway: Gateway
  readonly now: () => number
  /** Called when a trap URL is requested. Only a resource that obeys an injected instruction does that. */
  readonly onTrap: (salt: string) => void
  /** Lists the resource of a ticket on the market. */
  readonly proxy: (ticket: string, by: string) => Promise<{ readonly agent_id: string; readonly did: string } | { readonly fault: string }>
  /** Calls the resource of a ticket, with content rules on input and output. */
  readonly use: (ticket: string, by: string, skill: string, input: Json) => Promise<{ readonly answer: Json } | { readonly fault: string }>
}

type Answer = { readonly status: number; readonly body: object }

export function createGatewayServer(options: GatewayServerOptions): Server {
  const consume = createRateLimiter(options.now)
  return createServer({ requestTimeout: 20_000, headersTimeout: 5_000, maxHeaderSize: 8_192 }, (request, response) => {
    answer(options, consume, request).then(
      ({ status, body }) => send(response, status, body),
      () => send(response, 500, { error: 'The gateway has a bug. Nothing was changed.' }),
    )
  })
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  response.end(JSON.stringify(body))
}

const refused = (status: number, fault: string): Answer => ({ status, body: { error: fault } })

async function answer(options: GatewayServerOptions, consume: (who: string) => boolean, request: IncomingMessage): Promise<Answer> {
  const { gateway, now, onTrap } = options
  const { pathname } = new URL(request.url ?? '/', 'http://gateway')
  // Traps work before the rate limit, so that a trapped resource cannot avoid them.
  const trapped = /^\/trap\/([\w-]{1,64})$/.exec(pathname)
  if (trapped) {
    onTrap(trapped[1] ?? '')
    return refused(404, 'There is nothing here.')
  }
  if (!consume(request.socket.remoteAddress ?? '')) return refused(429, 'Too many requests; wait a second.')
  if (request.method === 'GET') {
    if (pathname === '/gateway') return { status: 200, body: { v: 1, did: gateway.did, ...gateway.scope } }
    if (pathname === '/admissions') return { status: 200, body: { v: 1, admissions: gateway.admissions() } }
    return refused(404, 'There is nothing here.')
  }
  if (request.method !== 'POST') return refused(405, 'Ask by POST.')
  const text = await readBody(request)
  if (text === null) return refused(413, `A request has at most ${maxBodyBytes} bytes.`)
  const body = objectOf(text)
  if (!body) return refused(400, 'The request is no JSON object.')
  if (pathname === '/ticket') return outcome(gateway.askTicket(scalarText(body.resource)))
  if (pathname === '/register') {
    const done = await gateway.register(body.card, scalarText(body.ticket))
    return 'fault' in done ? outcome(done) : { status: 200, body: { resource: done.resource.id, admission: done.resource.admission } }
  }
  const asked = await readAsk(body, gateway.did, now())
  if ('fault' in asked) return refused(401, asked.fault)
  if (!consume(asked.by)) return refused(429, 'Too many questions; wait a second.')
  const { by, params } = asked
  switch (pathname) {
    case '/find': {
      const query = ResourceQuery.safeParse(params)
      return query.success ? { status: 200, body: await gateway.find(query.data, by) } : refused(400, 'That is no question to a pool.')
    }
    case '/connect':
      return outcome(gateway.connect(String(params.ticket ?? ''), by))
    case '/proxy':
      return outcome(await options.proxy(String(params.ticket ?? ''), by))
    case '/invoke':
      return outcome(await options.use(String(params.ticket ?? ''), by, String(params.skill ?? ''), params.input ?? null))
    default:
      return refused(404, 'There is nothing here.')
  }
}

const outcome = (done: object): Answer => ('fault' in done ? { status: 403, body: { error: done.fault } } : { status: 200, body: done })

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBodyBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

type Fields = { readonly [field: string]: Json }

function objectOf(text: string): Fields | null {
  try {
    const value = parseStrict(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

async function readAsk(body: Fields, gateway: string, now: number): Promise<{ by: string; params: Fields } | { fault: string }> {
  const { by, at, sig, params } = body
  if (typeof by !== 'string' || !isDid(by) || typeof at !== 'string' || typeof sig !== 'string')
    return { fault: 'The request needs by, at and sig.' }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return { fault: 'The field params is not an object.' }
  if (!(Math.abs(Date.parse(at) - now) < maxAgeMs)) return { fault: 'The time of the signature is too far from now. Sign it again.' }
  if (!(await verifyBytes(by, gatewayRequestBytes({ gateway, by, at, params }), sig))) return { fault: 'The signature is invalid.' }
  return { by, params }
}

function createRateLimiter(now: () => number): (who: string) => boolean {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (who) => {
    const at = now()
    const { tokens, at: last } = buckets.get(who) ?? { tokens: burst, at }
    const left = Math.min(burst, tokens + (Math.max(0, at - last) / 1_000) * perSecond)
    buckets.delete(who)
    buckets.set(who, { tokens: left >= 1 ? left - 1 : left, at })
    evictOldest(buckets, maxBuckets)
    return left >= 1
  }
}
