/**
 * Owns agents' connections: sockets, heartbeats, fan-out, resume, the connections between hubs, and the HTTP interface.
 * Never changes state except through commands, and never keeps a message in memory only.
 * Reads registry, conversations, delivery, identity, policy; goals and settlement for agents of other protocols.
 */
import { createServer } from 'node:http'
import { maxFrameBytes } from '@parley/protocol'
import { WebSocketServer } from 'ws'
import type { Context } from '../context.ts'
import { messageWriterOf } from '../conversations/index.ts'
import { retryAfterSeconds } from '../errors.ts'
import { requestRateSource, type TrustedProxies } from '../http/client-address.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limiter.ts'
import { consumeRate } from '../policy/index.ts'
import { alarmDescriptions, chainMetrics, listAlarms } from '../settlement/index.ts'
import type { SignalSource } from '../signals/signal.ts'
import { createCluster, peerPath, standaloneHub } from './cluster/cluster.ts'
import { isLoopback, parseRequestTarget } from './codec/frames.ts'
import { createPackedEncoder } from './codec/packed-encoder.ts'
import { createAckWriter } from './connection/ack-writer.ts'
import { openAgentConnection } from './connection/agent-connection.ts'
import { createConnectionStore } from './connection/connection-store.ts'
import type { AgentConnection, DeliveryCounters } from './connection/connection-types.ts'
import { createInboundLimits, defaultInboundLimits, type InboundLimitOptions } from './connection/inbound-limits.ts'
import { createPresenceWriter } from './connection/presence-writer.ts'
import { reconcileEveryMs, startAntiEntropy } from './fanout/anti-entropy.ts'
import { createFanOut } from './fanout/fan-out.ts'
import { createReplayBuffer } from './fanout/replay-buffer.ts'
import { createPollLimiter, type PollLimits } from './http/poll-limiter.ts'
import { type HttpServices, handleHttp } from './http/routes.ts'
import { startIdleGc } from './ops/idle-gc.ts'
import { startLoadReporter } from './ops/load-reporter.ts'
import { prometheusText } from './ops/metrics.ts'
import { coalesce, createReadinessCheck } from './ops/readiness.ts'
import { tuneGarbageCollector } from './ops/v8-flags.ts'

export { advertisedUrlOf } from './cluster/cluster.ts'
export { collectGarbage } from './ops/idle-gc.ts'

export type Hub = { readonly port: number; close(): Promise<void> }

const slowForMs = 30_000
/** How long a stopping hub waits for the close handshake of a client. */
const closeTimeoutMs = 1_000
/** Agents of a stopping hub reconnect within this range, two milliseconds for each agent. */
const [minSpreadMs, maxSpreadMs] = [500, 15_000]
/** Longer than proxies keep idle connections, so that no connection ends during a request. */
const keepAliveMs = 75_000

/** Starts the hub. `ctx` has no actor; each connection gets its own. */
export async function startHub(
  ctx: Context,
  listener: SignalSource,
  address: { host: string; port: number },
  limits: {
    readonly slowForMs?: number
    readonly reconcileEveryMs?: number
    readonly trustedProxies?: TrustedProxies
    readonly deflatesLoopback?: boolean
    readonly inboundLimits?: Partial<InboundLimitOptions>
    readonly pollLimits?: PollLimits
    /** The URL at which other hubs reach this one, by its port; undefined: no peer connections. */
    readonly peerUrlOf?: ((port: number) => string) | undefined
  } = {},
): Promise<Hub> {
  tuneGarbageCollector()
  const connections = new Set<AgentConnection>()
  const byAgent = new Map<string, AgentConnection>()
  const byGroup = new Map<string, Set<AgentConnection>>()
  const groupsOf = new Map<AgentConnection, readonly string[]>()
  let moves = 0

  const removeFromGroups = (session: AgentConnection, kept: ReadonlySet<string> = new Set()) => {
    for (const groupId of groupsOf.get(session) ?? []) {
      if (kept.has(groupId)) continue
      const there = byGroup.get(groupId)
      there?.delete(session)
      if (there?.size !== 0) continue
      byGroup.delete(groupId)
      fanOut.untrack(groupId)
    }
  }
  const events = {
    onAgent(session: AgentConnection, agentId: string) {
      const former = byAgent.get(agentId)
      byAgent.set(agentId, session)
      if (former && former !== session) former.fence()
    },
    onGroups(session: AgentConnection, groupIds: readonly string[]) {
      removeFromGroups(session, new Set(groupIds))
      groupsOf.set(session, groupIds)
      for (const groupId of groupIds) byGroup.set(groupId, (byGroup.get(groupId) ?? new Set()).add(session))
    },
    onHeads(groups: readonly { readonly groupId: string; readonly head: number }[]) {
      for (const { groupId, head } of groups) if (byGroup.has(groupId)) fanOut.track(groupId, head)
    },
    onEnd(session: AgentConnection) {
      moves++
      removeFromGroups(session)
      groupsOf.delete(session)
      connections.delete(session)
      const agentId = session.agentId()
      if (agentId && byAgent.get(agentId) === session) byAgent.delete(agentId)
    },
  }
  const ackWriter = createAckWriter(ctx)
  const services = {
    ackWriter,
    presence: createPresenceWriter(ctx),
    store: createConnectionStore(ctx),
    slowForMs: limits.slowForMs ?? slowForMs,
  }
  const counters: DeliveryCounters = { pushed: 0, fetched: 0, slow: 0, behind: 0 }
  const writer = messageWriterOf(ctx)
  const cluster = limits.peerUrlOf ? createCluster(ctx, writer) : standaloneHub
  const [replayBuffer, packedEncoder] = [createReplayBuffer(), createPackedEncoder()]
  const inboundLimits = createInboundLimits({ ...defaultInboundLimits, ...limits.inboundLimits })
  const fanOut = createFanOut(ctx, writer, listener, { all: connections, byAgent, byGroup }, { packedEncoder, replayBuffer, cluster })
  const stopAntiEntropy = startAntiEntropy(
    ctx,
    {
      groups: () => byGroup.keys(),
      *agents() {
        for (const [agentId, session] of byAgent) {
          const [did, groups] = [session.did(), groupsOf.get(session)]
          // One of the groups is its inbox.
          if (did && groups) yield { agentId, did, connection: session.connection, rooms: groups.length - 1 }
        }
      },
      onHead: fanOut.notifyReaders,
      onChanged: (agentId) => byAgent.get(agentId)?.refresh(),
    },
    limits.reconcileEveryMs ?? reconcileEveryMs,
  )

  const closing = new AbortController()
  const readiness = createReadinessCheck(ctx)
  const httpServices: HttpServices = {
    closing: closing.signal,
    sourceOf: (request) => requestRateSource(request, limits.trustedProxies ?? []),
    streams: createConcurrencyLimiter(),
    pollLimiter: createPollLimiter(limits.pollLimits),
    inboundLimits,
    notReadyReason: async () => (closing.signal.aborted ? 'This hub is ending.' : readiness()),
    metrics: coalesce(async () => prometheusText(metrics()) + (await chainMetrics(ctx).catch(() => ''))),
    warnings: coalesce(async () => (await listAlarms(ctx)).map((alarm) => alarmDescriptions[alarm.kind])),
  }
  const metrics = () => ({
    ...counters,
    writes: writer.metrics(),
    connections: byAgent.size,
    cluster: cluster.metrics(),
    unsentBytes: clients().reduce((sum, socket) => sum + socket.bufferedAmount, 0),
  })
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
      keepAliveTimeout: keepAliveMs,
    },
    (request, response) => {
      void handleHttp(ctx, listener, httpServices, request, response)
    },
  )
  const plain = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    maxFragments: defaultInboundLimits.fragments,
    perMessageDeflate: false,
  })
  // The hub compresses once for all readers, so the WebSocket library must not; see `deflatedFrame`.
  const deflating = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    maxFragments: defaultInboundLimits.fragments,
    perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true, threshold: Number.MAX_SAFE_INTEGER },
  })
  const clients = () => [...plain.clients, ...deflating.clients]
  server.on('upgrade', (request, socket, head) => {
    // Without a listener, a socket error before the upgrade would end the process.
    socket.on('error', (error) => ctx.log.debug({ err: error }, 'a socket broke before it was opened'))
    const path = parseRequestTarget(request.url, ctx.market.hubUrl)?.pathname
    // Only browsers send Origin. A page of another site must not act for its visitor.
    const origin = request.headers.origin
    const isLink = path === peerPath && origin === undefined
    if ((path !== '/ioa' && !isLink) || (origin !== undefined && origin !== new URL(ctx.market.publicUrl).origin)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    const source = httpServices.sourceOf(request)
    const waitSeconds = isLink || inboundLimits.hasRoomFor(source) ? rateLimitWaitSeconds(() => consumeRate(ctx, 'connect', source)) : 1
    if (waitSeconds !== null) {
      socket.end(`HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${waitSeconds}\r\nConnection: close\r\n\r\n`)
      return
    }
    if (isLink) {
      void cluster.upgrade(request, socket, head)
      return
    }
    moves++
    const sockets = isLoopback(source) && !limits.deflatesLoopback ? plain : deflating
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      connections.add(
        openAgentConnection(
          ctx,
          { socket: webSocket, raw: socket, source, counters, inboundLimits, packedEncoder, replayBuffer },
          events,
          services,
        ),
      ),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : address.port
  const stopLoadReporter = startLoadReporter(ctx, { hub: writer.name, port, link: limits.peerUrlOf?.(port) ?? null }, metrics)
  const stopIdleGc = startIdleGc(() => ({ moves, said: writer.metrics().sizes.sum }))
  return {
    port,
    async close() {
      closing.abort()
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      // Requests in progress are answered; idle connections are closed.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      const ended = [...connections].map((session) => session.ended)
      const spreadMs = Math.min(Math.max(connections.size * 2, minSpreadMs), maxSpreadMs)
      await Promise.all([...connections].map((session) => session.drain(spreadMs)))
      await cluster.close()
      fanOut.close()
      stopAntiEntropy()
      replayBuffer.close()
      inboundLimits.close()
      stopIdleGc()
      ackWriter.close()
      const forceCloseTimer = setTimeout(() => {
        for (const socket of clients()) socket.terminate()
        server.closeAllConnections()
      }, closeTimeoutMs)
      await Promise.all([closed, ...ended])
      clearTimeout(forceCloseTimer)
      clearInterval(sweep)
      plain.close()
      deflating.close()
      await stopLoadReporter()
    },
  }
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
