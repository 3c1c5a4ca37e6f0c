/**
 * Owns agents' connections: sockets, heartbeats, fan-out, resume, and the HTTP door beside them.
 * Never changes state except through the gateway, and never keeps a message in memory only.
 * Reads registry, conversations, delivery, identity, policy; goals and settlement for agents of other protocols.
 */
import { createServer } from 'node:http'
import { maxFrameBytes } from '@parley/protocol'
import { WebSocketServer } from 'ws'
import type { Context } from '../context.ts'
import { switchboardOf } from '../conversations/index.ts'
import { waitSecondsOf } from '../errors.ts'
import { rateSourceOf, type TrustedProxies } from '../network/peer-address.ts'
import { createStreams } from '../network/streams.ts'
import { takeRate } from '../policy/index.ts'
import { alarmDescriptions, chainMetrics, listAlarms } from '../settlement/index.ts'
import type { WakeListener } from '../wake.ts'
import { createLinks, linkPath, linksToNobody } from './cluster/cluster.ts'
import { isLoopback, readTarget } from './codec/frames.ts'
import { createPacks } from './codec/packed-encoder.ts'
import { createAcks } from './connection/ack-writer.ts'
import { openSession } from './connection/agent-connection.ts'
import { openDesk } from './connection/connection-store.ts'
import type { Session, Tally } from './connection/connection-types.ts'
import { createIntake, type IntakeLimits, intakeLimits } from './connection/inbound-limits.ts'
import { createPulse } from './connection/presence-writer.ts'
import { lookEveryMs, startLooking } from './fanout/anti-entropy.ts'
import { createFanOut } from './fanout/fan-out.ts'
import { createRecent } from './fanout/replay-buffer.ts'
import { createPolls, type PollLimits } from './http/poll-limiter.ts'
import { handleHttp, type Probes } from './http/routes.ts'
import { giveBackAtRest } from './ops/idle-gc.ts'
import { tellLoad } from './ops/load-reporter.ts'
import { metricsText } from './ops/metrics.ts'
import { createReadiness, joined } from './ops/readiness.ts'
import { collectCalmly } from './ops/v8-flags.ts'

export { linkToOf } from './cluster/cluster.ts'
export { giveBackMemory } from './ops/idle-gc.ts'

export type Hub = { readonly port: number; close(): Promise<void> }

const slowForMs = 30_000
/** A peer that doesn't answer our goodbye is left without one. */
const goodbyeMs = 1_000
/** Agents of a hub that stops come to another within this time, two milliseconds for each. */
const [leastSpreadMs, mostSpreadMs] = [500, 15_000]
/** Longer than proxies keep a connection that they don't use, so that none is ended under a request. */
const keepAliveMs = 75_000

/** Listens until closed. `ctx` acts for nobody; each connection gets its own actor. */
export async function startHub(
  ctx: Context,
  listener: WakeListener,
  address: { host: string; port: number },
  limits: {
    readonly slowForMs?: number
    readonly lookEveryMs?: number
    readonly trustedProxies?: TrustedProxies
    readonly squeezesLoopback?: boolean
    readonly intake?: Partial<IntakeLimits>
    readonly polls?: PollLimits
    /** Where other hubs reach this one, by the port that it listens on; unset: it has no links to others. */
    readonly linkTo?: ((port: number) => string) | undefined
  } = {},
): Promise<Hub> {
  collectCalmly()
  const sessions = new Set<Session>()
  const byAgent = new Map<string, Session>()
  const byGroup = new Map<string, Set<Session>>()
  const groupsOf = new Map<Session, readonly string[]>()
  let moves = 0

  const leaveGroups = (session: Session, kept: ReadonlySet<string> = new Set()) => {
    for (const groupId of groupsOf.get(session) ?? []) {
      if (kept.has(groupId)) continue
      const there = byGroup.get(groupId)
      there?.delete(session)
      if (there?.size !== 0) continue
      byGroup.delete(groupId)
      fanOut.forget(groupId)
    }
  }
  const events = {
    onAgent(session: Session, agentId: string) {
      const former = byAgent.get(agentId)
      byAgent.set(agentId, session)
      if (former && former !== session) former.fence()
    },
    onGroups(session: Session, groupIds: readonly string[]) {
      leaveGroups(session, new Set(groupIds))
      groupsOf.set(session, groupIds)
      for (const groupId of groupIds) byGroup.set(groupId, (byGroup.get(groupId) ?? new Set()).add(session))
    },
    onHeads(groups: readonly { readonly groupId: string; readonly head: number }[]) {
      for (const { groupId, head } of groups) if (byGroup.has(groupId)) fanOut.begin(groupId, head)
    },
    onEnd(session: Session) {
      moves++
      leaveGroups(session)
      groupsOf.delete(session)
      sessions.delete(session)
      const agentId = session.agentId()
      if (agentId && byAgent.get(agentId) === session) byAgent.delete(agentId)
    },
  }
  const acks = createAcks(ctx)
  const writers = { acks, pulse: createPulse(ctx), desk: openDesk(ctx) }
  const tally: Tally = { pushed: 0, fetched: 0, slow: 0, behind: 0 }
  const board = switchboardOf(ctx)
  const links = limits.linkTo ? createLinks(ctx, board) : linksToNobody
  const [recent, packs] = [createRecent(), createPacks()]
  const intake = createIntake({ ...intakeLimits, ...limits.intake })
  const fanOut = createFanOut(ctx, board, listener, { all: sessions, byAgent, byGroup }, { packs, recent, links })
  const stopLooking = startLooking(
    ctx,
    {
      groups: () => byGroup.keys(),
      *agents() {
        for (const [agentId, session] of byAgent) {
          const [did, groups] = [session.did(), groupsOf.get(session)]
          // One of them is its inbox.
          if (did && groups) yield { agentId, did, connection: session.connection, rooms: groups.length - 1 }
        }
      },
      onHead: fanOut.look,
      onChanged: (agentId) => byAgent.get(agentId)?.agentWoken(),
    },
    limits.lookEveryMs ?? lookEveryMs,
  )

  const closing = new AbortController()
  const readiness = createReadiness(ctx)
  const probes: Probes = {
    closing: closing.signal,
    sourceOf: (request) => rateSourceOf(request, limits.trustedProxies ?? []),
    streams: createStreams(),
    polls: createPolls(limits.polls),
    intake,
    whyNot: async () => (closing.signal.aborted ? 'This hub is ending.' : readiness()),
    metrics: joined(async () => metricsText(figures()) + (await chainMetrics(ctx).catch(() => ''))),
    warnings: joined(async () => (await listAlarms(ctx)).map((alarm) => alarmDescriptions[alarm.kind])),
  }
  const figures = () => ({
    ...tally,
    flushes: board.figures(),
    connections: byAgent.size,
    links: links.figures(),
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
      void handleHttp(ctx, listener, probes, request, response)
    },
  )
  const plain = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    maxFragments: intakeLimits.fragments,
    perMessageDeflate: false,
  })
  // What is squeezed we squeeze ourselves, once for all readers; see `squeezedFrame`.
  const squeezing = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    maxFragments: intakeLimits.fragments,
    perMessageDeflate: { serverNoContextTakeover: true, clientNoContextTakeover: true, threshold: Number.MAX_SAFE_INTEGER },
  })
  const clients = () => [...plain.clients, ...squeezing.clients]
  server.on('upgrade', (request, socket, head) => {
    // From here on the socket is ours, and so are its errors: a stranger's reset must not end the process.
    socket.on('error', (error) => ctx.log.debug({ err: error }, 'a socket broke before it was opened'))
    const path = readTarget(request.url, ctx.market.hubUrl)?.pathname
    // A browser sends Origin; agents don't. A page of another site must not speak for anyone here.
    const origin = request.headers.origin
    const isLink = path === linkPath && origin === undefined
    if ((path !== '/ioa' && !isLink) || (origin !== undefined && origin !== new URL(ctx.market.publicUrl).origin)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    const source = probes.sourceOf(request)
    const waitSeconds = isLink || intake.hasRoomFor(source) ? waitOf(() => takeRate(ctx, 'connect', source)) : 1
    if (waitSeconds !== null) {
      socket.end(`HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${waitSeconds}\r\nConnection: close\r\n\r\n`)
      return
    }
    if (isLink) {
      void links.upgrade(request, socket, head)
      return
    }
    moves++
    const sockets = isLoopback(source) && !limits.squeezesLoopback ? plain : squeezing
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      sessions.add(
        openSession(
          ctx,
          { socket: webSocket, raw: socket, source, tally, intake, packs, recent },
          events,
          writers,
          limits.slowForMs ?? slowForMs,
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
  const stopTelling = tellLoad(ctx, { hub: board.name, port, link: limits.linkTo?.(port) ?? null }, figures)
  const stopResting = giveBackAtRest(() => ({ moves, said: board.figures().sizes.sum }))
  return {
    port,
    async close() {
      closing.abort()
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      // Requests that are being answered are answered; connections that only wait for a next one are let go.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      const ended = [...sessions].map((session) => session.ended)
      const spreadMs = Math.min(Math.max(sessions.size * 2, leastSpreadMs), mostSpreadMs)
      await Promise.all([...sessions].map((session) => session.leave(spreadMs)))
      await links.close()
      fanOut.close()
      stopLooking()
      recent.close()
      intake.close()
      stopResting()
      acks.close()
      const impatience = setTimeout(() => {
        for (const socket of clients()) socket.terminate()
        server.closeAllConnections()
      }, goodbyeMs)
      await Promise.all([closed, ...ended])
      clearTimeout(impatience)
      clearInterval(sweep)
      plain.close()
      squeezing.close()
      await stopTelling()
    },
  }
}

/** How many seconds it asks to wait, or null where it admits. */
function waitOf(admit: () => void): number | null {
  try {
    admit()
    return null
  } catch (error) {
    return waitSecondsOf(error) ?? 1
  }
}
