import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DeliveredEnvelope, ListingDraft, maxFrameBytes } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand, enforcePolicy, parseJson, requestMalformed } from '../../commands/index.ts'
import { actingAs, type Context } from '../../context.ts'
import { listRoomsOf, pageBytes } from '../../conversations/index.ts'
import { commitCursor, listCursors, readMessagesForDelivery, requireWithinHead } from '../../delivery/index.ts'
import { DomainError, toProblem } from '../../errors.ts'
import { publishRegistryPage } from '../../federation/index.ts'
import { parseRequestTarget } from '../../http/request-target.ts'
import { admitRate } from '../../policy/index.ts'
import {
  type ConnectedAgent,
  findAgentByToken,
  type PublishedListing,
  payoutOwner,
  publishWithoutLogin,
  requireOpenPublishing,
  requireUnclaimedPayout,
} from '../../registry/index.ts'
import type { SignalSource } from '../../signals/signal.ts'
import { resultJson } from '../codec/frames.ts'
import { limitFailedLogins } from '../connection/limit-failed-logins.ts'
import {
  type ForeignRequest,
  type ForeignResponse,
  handleMcpOrA2aRequest,
  marketAgentCard,
  resumeForeignStream,
} from '../protocols/handle-mcp-or-a2a-request.ts'
import { sendServerSentEvents } from '../protocols/transport/server-sent-events.ts'
import type { HttpServices } from './http-services.ts'
import { readRequestText } from './read-request-text.ts'
import { authenticatePerson, bearerOf, walletClientRoutes } from './wallet-client-routes.ts'

/** The maximum duration of a long poll. */
const maxWaitSeconds = 30
const pageMessages = 100

/** The size limit of a listing as formatted JSON, larger than other anonymous requests. */
const maxListingText = 131_072

/** What every route needs of the hub. `base`: a context without an actor. */
export type HttpHub = { readonly base: Context; readonly listener: SignalSource; readonly services: HttpServices }
type Exchange = HttpHub & {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly reply: Reply
}

/** The HTTP interface of the hub: the same commands and logs for agents without a WebSocket or a key. */
export async function routeHttpRequest(hub: HttpHub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { base } = hub
  const reply = createReply(response)
  try {
    const url = parseRequestTarget(request.url, base.market.hubUrl)
    if (!url) throw requestMalformed('The request has an invalid URL.')
    await answerRoute({ ...hub, request, response, url, reply })
  } catch (error) {
    const problem = toProblem(error, base.ids.uuid())
    if (problem.code === 'server.internal_error')
      base.log.error({ event: 'request.failed', err: error, instance: problem.instance }, 'A request failed with an unexpected error.')
    if (problem.status === 401) response.setHeader('www-authenticate', 'Bearer')
    if (problem.retry_after !== undefined) response.setHeader('retry-after', String(problem.retry_after))
    if (!response.headersSent) reply.json(problem.status, problem, 'application/problem+json')
    // Reads the rest of the body. Otherwise the connection would be reset before the client has the answer.
    request.resume()
  }
}

async function answerRoute(exchange: Exchange): Promise<void> {
  const { base, services, request, url, reply } = exchange
  const route = `${request.method} ${url.pathname}`
  if (Object.hasOwn(walletClientRoutes, route)) return answerClient(exchange, route)
  switch (route) {
    case 'GET /health':
    case 'GET /healthz':
      return reply.json(200, { ok: true })
    case 'GET /readyz':
      return answerReadiness(exchange)
    case 'GET /metrics':
      return reply.text(200, await services.metrics(), 'text/plain; version=0.0.4; charset=utf-8')
    case 'GET /v1/server':
      return reply.json(200, serverCard(base))
    case 'GET /v1/registry':
      return answerRegistry(exchange)
    case 'POST /v1/agents':
      return reply.json(201, await register(base, request, services))
    case 'GET /v1/messages':
      return reply.json(200, await pollMessages(await authenticate(base, request, services), exchange))
    case 'POST /v1/commands':
      return answerCommand(exchange)
    case 'GET /.well-known/agent-card.json':
    case 'GET /v1/agent-card.json':
      return reply.json(200, marketAgentCard(base.market))
    case 'POST /v1/mcp':
    case 'POST /v1/a2a':
      return reply.foreign(await handleMcpOrA2aRequest(base, foreignRequestOf(url, request, services), streamOptions(exchange)))
    case 'GET /v1/mcp':
      return resumeMcpStream(exchange)
    case 'DELETE /v1/mcp':
      return reply.noStream()
    default:
      throw new DomainError('request.not_found', `There is no ${route}.`, {
        hint: `Use GET /v1/server, GET /v1/registry, POST /v1/agents, GET /v1/messages, POST /v1/commands, POST /v1/mcp, POST /v1/a2a, ${Object.keys(walletClientRoutes).join(', ')}.`,
      })
  }
}

async function answerClient(exchange: Exchange, route: string): Promise<void> {
  const { status = 500, answer } = walletClientRoutes[route] ?? {}
  const body = await answer?.(exchange)
  return body ? exchange.reply.json(status, body) : exchange.reply.text(status, '', 'application/json')
}

type Reply = ReturnType<typeof createReply>

function createReply(response: ServerResponse) {
  const text = (status: number, body: string, type: string): void => {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    response.end(body)
  }
  const json = (status: number, body: unknown, type = 'application/json'): void => text(status, resultJson(body), type)
  return {
    text,
    json,
    async foreign(answer: ForeignResponse): Promise<void> {
      if ('events' in answer) await sendServerSentEvents(response, answer.events)
      else if (answer.body === null) text(answer.status, '', 'application/json')
      else json(answer.status, answer.body)
    },
    /** The server has no MCP sessions to end, and no stream without a request. */
    noStream(): void {
      response.setHeader('allow', 'POST')
      text(405, '', 'application/json')
    },
  }
}

async function answerReadiness({ services, reply }: Exchange): Promise<void> {
  const why = await services.notReadyReason()
  if (why !== null) return reply.json(503, { ok: false, why })
  const warnings = await services.warnings()
  return reply.json(200, warnings.length === 0 ? { ok: true } : { ok: true, warnings })
}

async function answerRegistry({ base, services, request, response, url, reply }: Exchange): Promise<void> {
  await admitRate(base, 'search', services.sourceOf(request))
  const { etag, page } = await publishRegistryPage(base, { after: readAfter(url), known: request.headers['if-none-match'] ?? null })
  response.setHeader('etag', etag)
  return page === null ? reply.text(304, '', 'application/json') : reply.json(200, page)
}

async function answerCommand({ base, services, request, reply }: Exchange): Promise<void> {
  const { ctx, sender } = await authenticateSender(base, request, services)
  const text = await readRequestText(request, { maxBytes: maxFrameBytes, sender, budget: services.inboundLimits.budget })
  return reply.json(200, await dispatchCommand(ctx, parseJson(text), { endpoint: 'http', traceparent: request.headers.traceparent }))
}

async function resumeMcpStream(exchange: Exchange): Promise<void> {
  const { base, services, request, url, reply } = exchange
  const foreign = foreignRequestOf(url, request, services)
  const { lastEventId } = foreign
  if (lastEventId === undefined) return reply.noStream()
  return reply.foreign(await resumeForeignStream(base, { ...foreign, lastEventId }, streamOptions(exchange)))
}

const streamOptions = ({ listener, response, services }: Exchange) => ({
  listener,
  signal: abortOnClose(response, services),
  streams: services.streams,
})

function foreignRequestOf(url: URL, request: IncomingMessage, probes: HttpServices): ForeignRequest {
  const { authorization, origin, accept } = request.headers
  const [version, lastEventId] = ['mcp-protocol-version', 'last-event-id'].map((name) => [request.headers[name]].flat()[0])
  const protocol = url.pathname === '/v1/mcp' ? 'mcp' : 'a2a'
  const source = probes.sourceOf(request)
  const text = (maxBytes: number) => readRequestText(request, { maxBytes, sender: source, budget: probes.inboundLimits.budget })
  return { protocol, text, source, authorization, origin, accept, version, lastEventId }
}

/** Aborted when the client disconnects or the hub stops. */
function abortOnClose(response: ServerResponse, { closing }: HttpServices): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, closing])
}

function serverCard({ market }: Context) {
  return {
    did: market.serverDid,
    public_url: market.publicUrl,
    chain_id: market.chainId,
    asset: market.asset,
    symbol: market.symbol,
    decimals: market.decimals,
    token: market.token,
    escrow: market.escrow,
    fee_bps: market.feeBps,
    evaluator: market.evaluator,
  }
}

function readAfter(url: URL): number {
  const text = url.searchParams.get('after') ?? '0'
  if (!/^\d{1,15}$/.test(text)) throw requestMalformed('after is not a revision, which is a whole number from 0.')
  return Number(text)
}

async function register(base: Context, request: IncomingMessage, { sourceOf, inboundLimits }: HttpServices): Promise<PublishedListing> {
  const sender = sourceOf(request)
  await admitRate(base, 'identity', sender)
  requireOpenPublishing(base)
  const draft = ListingDraft.safeParse(
    parseJson(await readRequestText(request, { maxBytes: maxListingText, sender, budget: inboundLimits.budget })),
  )
  if (!draft.success) throw requestMalformed(`listing: ${z.prettifyError(draft.error)}`)
  // Before the rate of the wallet, which an anonymous caller could use up.
  await requireUnclaimedPayout(base, draft.data)
  // The only write without a command, so the policy is enforced here.
  const owner = actingAs(base, payoutOwner(base, draft.data))
  await admitRate(owner, 'listing')
  await enforcePolicy(owner, { type: 'listing.publish', listing: draft.data })
  return publishWithoutLogin(base, draft.data)
}

type Unread = { messages: DeliveredEnvelope[]; ack: string }
type Caller = { readonly ctx: Context; readonly agent: ConnectedAgent }

type Sender = { readonly ctx: Context; readonly sender: string }

/** An agent by its token, or a person by theirs. */
async function authenticateSender(base: Context, request: IncomingMessage, services: HttpServices): Promise<Sender> {
  if (bearerOf(request).startsWith('parley_')) {
    const { ctx, agent } = await authenticate(base, request, services)
    return { ctx, sender: agent.agentId }
  }
  const person = await authenticatePerson(base, request, services)
  return { ctx: actingAs(base, person), sender: person.did }
}

async function authenticate(base: Context, request: IncomingMessage, { sourceOf }: HttpServices): Promise<Caller> {
  const token = bearerOf(request)
  const agent = await limitFailedLogins(base, sourceOf(request), () => findAgentByToken(base, token))
  return { ctx: actingAs(base, agent.actor), agent }
}

/**
 * The messages of all rooms that the agent has not acked; waits up to `wait` seconds for the first one.
 * `ack`: an opaque token that moves the cursors if sent with the next call.
 */
async function pollMessages(caller: Caller, { listener, url, request, services }: Exchange): Promise<Unread> {
  const { ctx, agent } = caller
  const { closing, pollLimiter, pollingPresence, sourceOf } = services
  await admitRate(ctx, 'read')
  const given = url.searchParams.get('ack')
  if (given) await commitCursors(ctx, agent, given)
  const wait = Math.min(Math.max(Number(url.searchParams.get('wait') ?? 0) || 0, 0), maxWaitSeconds)
  const until = Date.now() + wait * 1_000
  const giveBack = wait > 0 ? pollLimiter.acquire(agent.agentId, sourceOf(request)) : () => undefined
  try {
    const endPoll = await pollingPresence.beginPoll(ctx, agent.agentId)
    try {
      return await waitForUnread(caller, { listener, until, request, closing })
    } finally {
      endPoll()
    }
  } finally {
    giveBack()
  }
}

type Waiting = { readonly listener: SignalSource; readonly until: number; readonly request: IncomingMessage; readonly closing: AbortSignal }

async function waitForUnread({ ctx, agent }: Caller, { listener, until, request, closing }: Waiting): Promise<Unread> {
  for (;;) {
    let woken = () => {}
    const signal = new Promise<void>((resolve) => {
      woken = resolve
    })
    // Until the agent's rooms are read, any signal may concern them.
    let own: readonly string[] | null = null
    closing.addEventListener('abort', woken, { once: true })
    const stop = listener.on((wake) => {
      const isForIt =
        own === null ||
        wake === 'reconnected' ||
        (wake.topic === 'agent' ? wake.id === agent.agentId : wake.topic === 'room' && own.includes(wake.id))
      if (isForIt) woken()
    })
    try {
      const rooms = await roomIdsOf(ctx, agent)
      const found = await readUnread(ctx, agent, rooms)
      own = rooms
      if (found.messages.length > 0 || Date.now() >= until || request.destroyed || closing.aborted) return found
      const timer = setTimeout(woken, Math.min(until - Date.now(), 5_000))
      await signal
      clearTimeout(timer)
    } finally {
      stop()
      closing.removeEventListener('abort', woken)
    }
  }
}

async function readUnread(ctx: Context, agent: ConnectedAgent, own: readonly string[]): Promise<Unread> {
  const rooms = await listCursors(ctx, agent.agentId, own)
  const found: DeliveredEnvelope[] = []
  const ack: Record<string, number> = {}
  let bytes = 0
  for (const { roomId, head, acked } of rooms) {
    if (head <= acked || found.length >= pageMessages || bytes >= pageBytes) continue
    const limit = pageMessages - found.length
    for (const { seq, body } of await readMessagesForDelivery(ctx, { roomId, after: acked, limit, maxBytes: pageBytes - bytes })) {
      bytes += Buffer.byteLength(body)
      found.push(JSON.parse(body) as DeliveredEnvelope)
      ack[roomId] = seq
    }
  }
  return { messages: found, ack: Buffer.from(JSON.stringify(ack)).toString('base64url') }
}

async function roomIdsOf(ctx: Context, agent: ConnectedAgent): Promise<string[]> {
  return [agent.inboxId, ...(await listRoomsOf(ctx, agent.actor.did))]
}

async function commitCursors(ctx: Context, agent: ConnectedAgent, token: string): Promise<void> {
  const parsed = z.record(z.string(), z.int().positive()).safeParse(parseAckToken(token))
  if (!parsed.success) throw requestMalformed('ack is not from an answer of GET /v1/messages.')
  const own = await roomIdsOf(ctx, agent)
  const moves = Object.entries(parsed.data).filter(([roomId]) => own.includes(roomId))
  for (const [roomId, acked] of moves) await requireWithinHead(ctx, roomId, acked)
  for (const [roomId, acked] of moves) await commitCursor(ctx, { roomId, memberId: agent.agentId, acked })
}

function parseAckToken(word: string): unknown {
  try {
    return JSON.parse(Buffer.from(word, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
