/**
 * Owns agents' connections: sockets, heartbeats, fan-out, resume, and the HTTP door beside them.
 * Never changes state except through the gateway, and never keeps a message in memory only.
 * Reads registry, conversations, delivery, identity, policy.
 */
import { createServer } from 'node:http'
import { maxFrameBytes } from '@parley/protocol'
import { WebSocketServer } from 'ws'
import type { Context } from '../context.ts'
import { switchboardOf } from '../conversations/index.ts'
import type { WakeListener } from '../wake.ts'
import { createAcks } from './acks.ts'
import type { Tally } from './feed.ts'
import { handleHttp, type Probes } from './http.ts'
import { metricsText } from './metrics.ts'
import { openSession, type Session } from './session.ts'
import { tellLoad } from './tell-load.ts'
import { deliverText, readTarget, textFrames } from './wire.ts'

export type Hub = { readonly port: number; close(): Promise<void> }

const slowForMs = 30_000
const readyWithinMs = 2_000
/** A peer that doesn't answer our goodbye is left without one. */
const goodbyeMs = 1_000

/** Listens until closed. `ctx` acts for nobody; each connection gets its own actor. */
export async function startHub(
  ctx: Context,
  listener: WakeListener,
  address: { host: string; port: number },
  limits: { readonly slowForMs: number } = { slowForMs },
): Promise<Hub> {
  const sessions = new Set<Session>()
  const byAgent = new Map<string, Session>()
  const byGroup = new Map<string, Set<Session>>()
  const groupsOf = new Map<Session, readonly string[]>()

  const leaveGroups = (session: Session) => {
    for (const groupId of groupsOf.get(session) ?? []) {
      const there = byGroup.get(groupId)
      there?.delete(session)
      if (there?.size === 0) byGroup.delete(groupId)
    }
  }
  const events = {
    onAgent(session: Session, agentId: string) {
      const former = byAgent.get(agentId)
      byAgent.set(agentId, session)
      if (former && former !== session) former.fence()
    },
    onGroups(session: Session, groupIds: readonly string[]) {
      leaveGroups(session)
      groupsOf.set(session, groupIds)
      for (const groupId of groupIds) byGroup.set(groupId, (byGroup.get(groupId) ?? new Set()).add(session))
    },
    onEnd(session: Session) {
      leaveGroups(session)
      groupsOf.delete(session)
      sessions.delete(session)
      const agentId = session.agentId()
      if (agentId && byAgent.get(agentId) === session) byAgent.delete(agentId)
    },
  }
  const acks = createAcks(ctx)
  const tally: Tally = { pushed: 0, fetched: 0, slow: 0, behind: 0 }
  const board = switchboardOf(ctx)
  const stopHearing = board.onSpoken((spoken) => {
    if (spoken.logs === null) {
      for (const groupId of spoken.groupIds) for (const session of byGroup.get(groupId) ?? []) session.groupWoken(groupId)
      return
    }
    for (const { groupId, messages } of spoken.logs) {
      const there = byGroup.get(groupId)
      const [first, last] = [messages[0], messages.at(-1)]
      if (!there || !first || !last) continue
      const frames = textFrames(messages.map(({ body }) => deliverText(body)))
      for (const session of there) session.groupSpoken({ groupId, first: first.head, last: last.head, frames })
    }
  })
  const stopListening = listener.on((signal) => {
    if (signal === 'reconnected') {
      for (const session of sessions) session.agentWoken()
      for (const [groupId, there] of byGroup) for (const session of there) session.groupWoken(groupId)
    } else if (signal.topic === 'group') {
      if (signal.from === board.name) return
      for (const session of byGroup.get(signal.id) ?? []) session.groupWoken(signal.id, signal.seq)
    } else if (signal.topic === 'agent') byAgent.get(signal.id)?.agentWoken()
  })

  let isClosing = false
  const probes: Probes = {
    isReady: async () => !isClosing && (await answers(ctx)),
    metrics: () => metricsText(figures()),
  }
  const figures = () => ({
    ...tally,
    flushes: board.figures(),
    connections: byAgent.size,
    unsentBytes: [...sockets.clients].reduce((sum, socket) => sum + socket.bufferedAmount, 0),
  })
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16_384 }, (request, response) => {
    void handleHttp(ctx, listener, probes, request, response)
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    // From here on the socket is ours, and so are its errors: a stranger's reset must not end the process.
    socket.on('error', (error) => ctx.log.debug({ err: error }, 'a socket broke before it was opened'))
    const path = readTarget(request.url, ctx.market.hubUrl)?.pathname
    // A browser sends Origin; agents don't. A page of another site must not speak for anyone here.
    const origin = request.headers.origin
    if (path !== '/ioa' || (origin !== undefined && origin !== new URL(ctx.market.publicUrl).origin)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      sessions.add(openSession(ctx, { socket: webSocket, raw: socket, tally }, events, acks, limits.slowForMs)),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, address.host, resolve)
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : address.port
  const stopTelling = tellLoad(ctx, port, figures)
  return {
    port,
    async close() {
      isClosing = true
      stopListening()
      stopHearing()
      acks.close()
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeAllConnections()
      const ended = [...sessions].map((session) => session.ended)
      for (const session of sessions) session.close()
      const impatience = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate()
      }, goodbyeMs)
      await Promise.all([closed, ...ended])
      clearTimeout(impatience)
      sockets.close()
      await stopTelling()
    },
  }
}

/** Whether the database answers, and soon. */
async function answers(ctx: Context): Promise<boolean> {
  const late = AbortSignal.timeout(readyWithinMs)
  const isLate = new Promise<boolean>((resolve) => {
    late.addEventListener('abort', () => resolve(false))
  })
  const isThere = ctx.db.$queryRaw`select 1`.then(
    () => true,
    () => false,
  )
  return Promise.race([isThere, isLate])
}
