import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { heartbeatMs } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { refreshSubscriptions } from './authenticate-connection.ts'
import { type ConnectionServices, type ConnectionState, disconnect, send } from './connection-state.ts'
import type { AgentConnection, ConnectionContext, ConnectionEvents } from './connection-types.ts'
import { createInFlightFrames } from './in-flight-frames.ts'
import { receiveFrame } from './receive-frames.ts'
import { createWriteBuffer } from './write-buffer.ts'

const helloTimeoutMs = 10_000
/** How long a stopping hub waits for frames in flight. */
const drainTimeoutMs = 5_000

/** One agent's connection: challenge, hello (`authenticate-connection.ts`), then commands in (`receive-frames.ts`) and messages out. */
export function openAgentConnection(
  base: Context,
  context: ConnectionContext,
  events: ConnectionEvents,
  services: ConnectionServices,
): AgentConnection {
  const { socket } = context
  const connection = base.ids.uuid()
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()
  const state: ConnectionState = {
    base,
    context,
    events,
    services,
    connection,
    nonce: randomBytes(32).toString('base64url'),
    writer: createWriteBuffer(socket, context.raw),
    inFlight: createInFlightFrames(),
    intake: context.inboundLimits.watch(context, (code, reason) => disconnect(state, code, reason)),
    self: connectionOf(connection, () => state, ended),
    ctx: base,
    agent: null,
    subscriptions: null,
    lastReceivedAt: Date.now(),
    inFlightFrames: 0,
    queuedFrames: 0,
    queuedBytes: 0,
    isClosed: false,
    isDraining: false,
    frameQueue: Promise.resolve(),
    refreshing: Promise.resolve(),
    isRefreshDue: false,
  }
  socket.on('message', (data) => receiveFrame(state, data as Buffer))
  socket.on('error', (error) => base.log.debug({ event: 'connection.socket_failed', err: error }, 'The socket of a connection failed.'))
  const stopTimers = startTimers(state)
  socket.on('close', () => {
    stopTimers()
    void close(state).then(resolveEnded, resolveEnded)
  })
  send(state, { type: 'challenge', nonce: state.nonce, server: base.market.serverDid })
  return state.self
}

/** The connection as the hub sees it. */
function connectionOf(connection: string, stateOf: () => ConnectionState, ended: Promise<void>): AgentConnection {
  return {
    connection,
    agentId: () => stateOf().agent?.agentId ?? null,
    did: () => stateOf().agent?.actor.did ?? null,
    noteHead: (roomId, seq) => stateOf().subscriptions?.noteHead(roomId, seq),
    deliver: (batch) => stateOf().subscriptions?.deliver(batch) ?? true,
    refresh: () => refreshSubscriptions(stateOf()),
    fence() {
      send(stateOf(), { type: 'fenced' })
      disconnect(stateOf(), 4409, 'a newer connection took over')
    },
    drain: (spreadMs) => drain(stateOf(), spreadMs),
    ended,
  }
}

/** Starts the hello timeout and the heartbeat. Returns the function that stops both. */
function startTimers(state: ConnectionState): () => void {
  const { context, services, connection, self } = state
  const helloTimer = setTimeout(() => {
    if (!state.agent) disconnect(state, 4401, 'no hello')
  }, helloTimeoutMs)
  const heartbeat = setInterval(() => {
    if (Date.now() - state.lastReceivedAt > 3 * heartbeatMs) return context.socket.terminate()
    send(state, { type: 'ping' })
    if (state.agent) services.presence.noteHeartbeat({ agentId: state.agent.agentId, connection, fence: self.fence })
  }, heartbeatMs)
  return () => {
    clearTimeout(helloTimer)
    clearInterval(heartbeat)
  }
}

/** Finishes the frames in flight within a time limit, then asks the agent to reconnect. */
async function drain(state: ConnectionState, spreadMs: number): Promise<void> {
  state.isDraining = true
  state.services.ackWriter.flushNow()
  await Promise.race([state.frameQueue.then(state.inFlight.drained), pause(drainTimeoutMs, undefined, { ref: false })])
  if (!state.isClosed) disconnect(state, 1012, `come again within ${spreadMs} ms`)
}

/** Ends the subscriptions and marks the agent as offline. Resolves when nothing is in flight. */
function close(state: ConnectionState): Promise<void> {
  const { base, agent, connection, events, services, self } = state
  state.subscriptions?.close()
  events.onEnd(self)
  const markedOffline = agent ? services.store.markOffline({ agentId: agent.agentId, connection }) : Promise.resolve()
  markedOffline.catch((error: unknown) =>
    base.log.warn({ event: 'presence.offline_write_failed', err: error }, 'The offline presence of an agent was not stored.'),
  )
  return Promise.allSettled([markedOffline, state.frameQueue, state.refreshing]).then(state.inFlight.drained)
}
