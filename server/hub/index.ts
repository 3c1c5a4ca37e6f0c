/**
 * Owns agents' connections: sockets, heartbeats, fan-out, resume, the connections between hubs, and the HTTP interface.
 * Never changes state except through commands, and never keeps a message in memory only.
 * Reads registry, conversations, delivery, identity, policy; goals and settlement for agents of other protocols.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { maxFrameBytes } from '@parley/protocol'
import { WebSocketServer } from 'ws'
import type { Context } from '../context.ts'
import { groupCommitWriterOf } from '../conversations/index.ts'
import { retryAfterSeconds } from '../errors.ts'
import { isLoopback, requestRateSource, type TrustedProxies } from '../http/client-ip-address.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limiter.ts'
import { parseRequestTarget } from '../http/request-target.ts'
import { consumeRateLimit } from '../policy/index.ts'
import { alarmDescriptions, chainMetrics, listAlarms } from '../settlement/index.ts'
import type { SignalSource } from '../signals/signal.ts'
import { createCluster, peerPath, standaloneHub } from './cluster/cluster.ts'
import { createAckWriter } from './connection/ack-writer.ts'
import { openAgentConnection } from './connection/agent-connection.ts'
import { createBatchedConnectionQueries } from './connection/batched-connection-queries.ts'
import { createConnectionIndex } from './connection/connection-index.ts'
import type { DeliveryCounters } from './connection/connection-types.ts'
import { createIncompleteMessageLimits, defaultInboundLimits, type InboundLimitOptions } from './connection/incomplete-message-limits.ts'
import { createPresenceWriter } from './connection/presence-writer.ts'
import { reconcileEveryMs, startAntiEntropy } from './fanout/anti-entropy.ts'
import { createFanOut } from './fanout/fan-out.ts'
import { createReplayBuffer } from './fanout/replay-buffer.ts'
import type { HttpServices } from './http/http-services.ts'
import { createPollLimiter, type PollLimits } from './http/poll-limiter.ts'
import { createPollingPresence } from './http/polling-presence.ts'
import { routeHttpRequest } from './http/route-http-request.ts'
import { startIdleGarbageCollection } from './ops/idle-garbage-collection.ts'
import { startLoadReporter } from './ops/load-reporter.ts'
import { prometheusText, searchMetricsText } from './ops/metrics.ts'
import { createReadinessCheck } from './ops/readiness.ts'
import { singleFlight } from './ops/single-flight.ts'
import { tuneGarbageCollector } from './ops/tune-garbage-collector.ts'

export { advertisedUrlOf } from './cluster/cluster.ts'
export { warmUpPlanner } from './http/warm-up-planner.ts'
export { collectGarbage } from './ops/idle-garbage-collection.ts'

export type Hub = { readonly port: number; close(): Promise<void> }

const slowForMs = 30_000
/** How long a stopping hub waits for the close handshake of a client. */
const closeTimeoutMs = 1_000
/** Agents of a stopping hub reconnect within this range, two milliseconds for each agent. */
const [minSpreadMs, maxSpreadMs] = [500, 15_000]
/** Longer than proxies keep idle connections, so that no connection ends during a request. */
const keepAliveMs = 75_000

export type HubOptions = {
  readonly slowForMs?: number
  readonly reconcileEveryMs?: number
  readonly trustedProxies?: TrustedProxies
  readonly deflatesLoopback?: boolean
  readonly inboundLimits?: Partial<InboundLimitOptions>
  readonly pollLimits?: PollLimits
  /** How long a polling agent counts as online after its last poll. */
  readonly pollingGraceMs?: number
  /** How long an HTTP request may take to arrive. */
  readonly requestTimes?: RequestTimes
  /** The URL at which other hubs reach this one, by its port; undefined: no peer connections. */
  readonly peerUrlOf?: ((port: number) => string) | undefined
}

type HubParts = ReturnType<typeof createParts>
type Sockets = ReturnType<typeof createSockets>

/** Starts the hub. `ctx` has no actor; each connection gets its own. */
export async function startHub(
  ctx: Context,
  listener: SignalSource,
  address: { host: string; port: number },
  options: HubOptions = {},
): Promise<Hub> {
  tuneGarbageCollector()
  const parts = createParts(ctx, listener, options)
  const { index, writer } = parts
  const sockets = createSockets()
  const closing = new AbortController()
  const metrics = () => ({
    ...parts.counters,
    writes: writer.metrics(),
    connections: index.byAgent.size,
    cluster: parts.cluster.metrics(),
    unsentBytes: sockets.clients().reduce((sum, socket) => sum + socket.bufferedAmount, 0),
  })
  const readiness = createReadinessCheck(ctx)
  const services: HttpServices = {
    closing: closing.signal,
    sourceOf: (request) => requestRateSource(request, options.trustedProxies ?? []),
    streams: createConcurrencyLimiter(),
    pollLimiter: createPollLimiter(options.pollLimits),
    pollingPresence: createPollingPresence(options.pollingGraceMs),
    inboundLimits: parts.inboundLimits,
    notReadyReason: async () => (closing.signal.aborted ? 'This hub is ending.' : readiness()),
    metrics: singleFlight(async () => {
      const search = searchMetricsText(await ctx.ports.search.metrics())
      return prometheusText(metrics()) + search + (await chainMetrics(ctx).catch(() => ''))
    }),
    warnings: singleFlight(async () => (await listAlarms(ctx)).map((alarm) => alarmDescriptions[alarm.kind])),
  }
  const server = createServer({ ...serverOptions, ...options.requestTimes }, (request, response) => {
    void routeHttpRequest({ base: ctx, listener, services }, request, response)
  })
  server.on('upgrade', createUpgradeHandler({ ctx, parts, sockets, sourceOf: services.sourceOf, options }))
  const port = await listen(server, address)
  const stopLoadReporter = startLoadReporter(ctx, { hub: writer.name, port, peerUrl: options.peerUrlOf?.(port) ?? null }, metrics)
  const stopIdleGarbageCollection = startIdleGarbageCollection(() => ({ moves: index.moves, messages: writer.metrics().sizes.sum }))
  return {
    port,
    async close() {
      closing.abort()
      services.pollingPresence.close()
      await closeHub(server, parts, sockets, stopIdleGarbageCollection)
      await stopLoadReporter()
    },
  }
}

/** What the connections and the fan-out share. */
function createParts(ctx: Context, listener: SignalSource, options: HubOptions) {
  const ackWriter = createAckWriter(ctx)
  const connectionServices = {
    ackWriter,
    presence: createPresenceWriter(ctx),
    store: createBatchedConnectionQueries(ctx),
    slowForMs: options.slowForMs ?? slowForMs,
  }
  const counters: DeliveryCounters = { pushed: 0, fetched: 0, slow: 0, behind: 0 }
  const writer = groupCommitWriterOf(ctx)
  const cluster = options.peerUrlOf ? createCluster(ctx, writer) : standaloneHub
  const replayBuffer = createReplayBuffer()
  const inboundLimits = createIncompleteMessageLimits({ ...defaultInboundLimits, ...options.inboundLimits })
  const index = createConnectionIndex({
    track: (roomId, head) => fanOut.track(roomId, head),
    untrack: (roomId) => fanOut.untrack(roomId),
  })
  const { byAgent, byRoom, connections, roomIdsOf } = index
  const fanOut = createFanOut({ ctx, writer, listener, readers: { all: connections, byAgent, byRoom }, replayBuffer, cluster })
  const stopAntiEntropy = startAntiEntropy(
    ctx,
    {
      rooms: () => byRoom.keys(),
      *agents() {
        for (const [agentId, session] of byAgent) {
          const [did, rooms] = [session.did(), roomIdsOf.get(session)]
          // One of the rooms is its inbox.
          if (did && rooms) yield { agentId, did, connection: session.connection, rooms: rooms.length - 1 }
        }
      },
      onHead: fanOut.notifyReaders,
      onChanged: (agentId) => byAgent.get(agentId)?.refresh(),
    },
    options.reconcileEveryMs ?? reconcileEveryMs,
  )
  return {
    ackWriter,
    cluster,
    connectionServices,
    counters,
    fanOut,
    inboundLimits,
    index,
    replayBuffer,
    stopAntiEntropy,
    writer,
  }
}

/** Milliseconds. */
type RequestTimes = {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
}

export const defaultRequestTimes: RequestTimes = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 }

const serverOptions = {
  ...defaultRequestTimes,
  maxHeaderSize: 16_384,
  keepAliveTimeout: keepAliveMs,
}

function createSockets() {
  const common = { noServer: true, maxPayload: maxFrameBytes, maxFragments: defaultInboundLimits.fragments } as const
  const plain = new WebSocketServer({ ...common, perMessageDeflate: false })
  // The hub compresses once for all readers, so the WebSocket library must not; see `deflatedFrame`.
  const deflating = new WebSocketServer({
    ...common,
    perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true, threshold: Number.MAX_SAFE_INTEGER },
  })
  return { plain, deflating, clients: () => [...plain.clients, ...deflating.clients] }
}

type UpgradeInput = {
  readonly ctx: Context
  readonly parts: HubParts
  readonly sockets: Sockets
  readonly sourceOf: (request: IncomingMessage) => string
  readonly options: HubOptions
}

function createUpgradeHandler({ ctx, parts, sockets, sourceOf, options }: UpgradeInput) {
  const { cluster, connectionServices, counters, inboundLimits, index, replayBuffer } = parts
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Without a listener, a socket error before the upgrade would end the process.
    socket.on('error', (error) =>
      ctx.log.debug({ event: 'connection.upgrade_failed', err: error }, 'A socket failed before its WebSocket handshake.'),
    )
    const path = parseRequestTarget(request.url, ctx.market.hubUrl)?.pathname
    // Only browsers send Origin. A page of another site must not act for its visitor.
    const origin = request.headers.origin
    const isLink = path === peerPath && origin === undefined
    if ((path !== '/v1/ws' && !isLink) || (origin !== undefined && origin !== new URL(ctx.market.publicUrl).origin)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    const source = sourceOf(request)
    const waitSeconds =
      isLink || inboundLimits.hasCapacityFor(source) ? rateLimitWaitSeconds(() => consumeRateLimit(ctx, 'connect', source)) : 1
    if (waitSeconds !== null) {
      socket.end(`HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${waitSeconds}\r\nConnection: close\r\n\r\n`)
      return
    }
    if (isLink) {
      void cluster.upgrade(request, socket, head)
      return
    }
    index.moves++
    const server = isLoopback(source) && !options.deflatesLoopback ? sockets.plain : sockets.deflating
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const transport = { socket: webSocket, raw: socket, source, counters, inboundLimits, replayBuffer }
      index.connections.add(openAgentConnection(ctx, transport, index.events, connectionServices))
    })
  }
}

/** Listens, and resolves to the port. */
async function listen(server: Server, address: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const bound = server.address()
  return typeof bound === 'object' && bound ? bound.port : address.port
}

async function closeHub(server: Server, parts: HubParts, sockets: Sockets, stopIdleGarbageCollection: () => void): Promise<void> {
  const { connections } = parts.index
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  // Requests in progress are answered; idle connections are closed.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const ended = [...connections].map((session) => session.ended)
  const spreadMs = Math.min(Math.max(connections.size * 2, minSpreadMs), maxSpreadMs)
  await Promise.all([...connections].map((session) => session.drain(spreadMs)))
  await parts.cluster.close()
  parts.fanOut.close()
  parts.stopAntiEntropy()
  parts.replayBuffer.close()
  parts.inboundLimits.close()
  stopIdleGarbageCollection()
  parts.ackWriter.close()
  const forceCloseTimer = setTimeout(() => {
    for (const socket of sockets.clients()) socket.terminate()
    server.closeAllConnections()
  }, closeTimeoutMs)
  await Promise.all([closed, ...ended])
  clearTimeout(forceCloseTimer)
  clearInterval(sweep)
  sockets.plain.close()
  sockets.deflating.close()
}

/** The seconds to wait for the rate limit; null if the request is admitted. */
function rateLimitWaitSeconds(admit: () => void): number | null {
  try {
    admit()
    return null
  } catch (error) {
    return retryAfterSeconds(error) ?? 1
  }
}
