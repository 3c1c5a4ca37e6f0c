import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type AgentFrame,
  type CommandFrame,
  type HelloFrame,
  heartbeatMs,
  maxFrameBytes,
  type Problem,
  packing,
  type ServerFrame,
} from '@parley/protocol'
import { actingAs, type Context } from '../../context.ts'
import { DomainError, isDatabaseAway, toProblem } from '../../errors.ts'
import { admit, readJson } from '../../gateway/index.ts'
import type { ConnectedAgent } from '../../registry/index.ts'
import { decodeUtf8, resultJson } from '../codec/frames.ts'
import type { AckWriter } from './ack-writer.ts'
import { authenticateHello } from './authenticate.ts'
import type { ConnectionStore } from './connection-store.ts'
import type { AgentConnection, ConnectionContext, ConnectionEvents } from './connection-types.ts'
import { handlePostMessage } from './handle-post-message.ts'
import { createInFlight } from './in-flight.ts'
import { createPackedConnection, type PackedConnection } from './packed-connection.ts'
import { parseFrame } from './parse-frame.ts'
import type { PresenceWriter } from './presence-writer.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'
import { createWriteBuffer } from './write-buffer.ts'

/** Frames in flight on one connection. A client that sends more is disconnected. */
const maxInFlightFrames = 64
/** Back-pressure limit: while more bytes of frames wait, nothing is read from the socket. */
const maxInFlightBytes = 2 * maxFrameBytes
const helloTimeoutMs = 10_000
/** How long a stopping hub waits for frames in flight. */
const drainTimeoutMs = 5_000

/** The batched writers that all connections share. */
export type ConnectionServices = { readonly ackWriter: AckWriter; readonly presence: PresenceWriter; readonly store: ConnectionStore }

/** One agent's connection: challenge, hello, then commands in and messages out. */
export function openAgentConnection(
  base: Context,
  context: ConnectionContext,
  events: ConnectionEvents,
  { ackWriter, presence, store }: ConnectionServices,
  slowForMs: number,
): AgentConnection {
  const { socket, raw } = context
  const connection = base.ids.uuid()
  const nonce = randomBytes(32).toString('base64url')
  let ctx = base
  let agent: ConnectedAgent | null = null
  let subscriptions: Subscriptions | null = null
  /** Set if both sides agreed on packed frames. */
  let packed: PackedConnection | null = null
  let lastReceivedAt = Date.now()
  let inFlightFrames = 0
  let queuedBytes = 0
  /** Disconnected, fenced or closed by this hub: further frames are ignored. */
  let isClosed = false
  /** Draining: frames in flight are finished, new ones are not accepted. */
  let isDraining = false
  /** A promise chain that handles frames one after the other. */
  let frameQueue: Promise<void> = Promise.resolve()
  let queuedFrames = 0
  const writer = createWriteBuffer(socket, raw)
  const inFlight = createInFlight()
  let refreshing: Promise<void> = Promise.resolve()
  let isRefreshDue = false
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()

  const isOpen = () => socket.readyState === socket.OPEN
  const send = (frame: ServerFrame) => {
    writer.flush()
    if (isOpen()) socket.send(JSON.stringify(frame))
  }
  const disconnect = (code: number, reason: string) => {
    isClosed = true
    writer.flush()
    socket.close(code, reason)
    base.log.info({ code, reason, agent: agent?.agentId }, 'a connection is cut off')
  }
  const intake = context.inboundLimits.watch(context, disconnect)
  const sendProblem = (id: string | number | null, error: unknown): Problem => {
    const problem = toProblem(error, base.ids.uuid())
    if (problem.code === 'server.bug') base.log.error({ err: error, instance: problem.instance, agent: agent?.agentId }, 'a command broke')
    send({ type: 'problem', id, problem })
    return problem
  }

  async function handleHello(frame: HelloFrame): Promise<void> {
    const authenticated = await authenticateHello(base, frame, nonce, context.source, store)
    const { agentId } = authenticated
    ctx = actingAs(base, authenticated.actor)
    await store.markOnline({ agentId, connection, isOpen })
    if (!isOpen()) return store.markOffline({ agentId, connection })
    agent = authenticated
    intake.authenticated()
    events.onAgent(self, agentId)
    const groupIds = [authenticated.inboxId, ...(await store.roomsOf(authenticated.actor.did))]
    if (!isOpen()) return
    if (frame.packed === packing) packed = createPackedConnection(context, writer, authenticated.actor.did)
    const opened = createSubscriptions(ctx, context, writer, packed, slowForMs)
    subscriptions = opened
    opened.expect(groupIds)
    events.onGroups(self, groupIds)
    const groups = await store.cursorsOf({ memberId: agentId, groupIds })
    if (!isOpen()) return
    send({
      type: 'welcome',
      agent_id: agentId as never,
      did: authenticated.actor.did,
      handle: authenticated.handle,
      inbox: authenticated.inboxId as never,
      server: base.market.serverDid,
      ...(packed && { packed: packing }),
      groups: groups.map((group) => ({ group_id: group.groupId as never, head: group.head, acked: group.acked })),
    })
    events.onHeads(groups)
    for (const group of groups) opened.follow(group.groupId, group.acked, group.head)
  }

  async function refreshGroups(): Promise<void> {
    if (!agent || !subscriptions) return
    const { agentId, inboxId, actor } = agent
    if (!(await store.isCurrent({ agentId, connection }))) return self.fence()
    const groups = await store.cursorsOf({ memberId: agentId, groupIds: [inboxId, ...(await store.roomsOf(actor.did))] })
    if (!isOpen()) return
    const ids = groups.map((group) => group.groupId)
    for (const group of groups) {
      if (subscriptions.follows(group.groupId)) continue
      send({ type: 'joined', group_id: group.groupId as never })
      subscriptions.follow(group.groupId, group.acked)
    }
    subscriptions.keepOnly(ids)
    packed?.keepOnly(ids)
    events.onGroups(self, ids)
  }

  /** Refreshes run one after the other, so that an older result never replaces a newer one. */
  function refresh(): void {
    if (isRefreshDue) return
    isRefreshDue = true
    refreshing = refreshing
      .then(() => {
        isRefreshDue = false
        return refreshGroups()
      })
      .catch((error: unknown) => base.log.warn({ err: error }, 'rooms not refreshed'))
  }

  async function handleCommand(frame: CommandFrame): Promise<void> {
    try {
      const text = resultJson(await admit(ctx, frame.command, { door: 'socket', trace: frame.trace }))
      if (packed) packed.sendResult(frame, text)
      else writer.writeText(`{"type":"result","id":${JSON.stringify(frame.id)},"result":${text}}`)
    } catch (error) {
      packed?.noteRejected(frame)
      throw error
    }
  }

  /** A post holds a place in the window until it completes. */
  function handlePost(frame: CommandFrame): void {
    inFlightFrames++
    handlePostMessage(ctx, frame, {
      inFlight,
      writer,
      packed,
      onDone: () => inFlightFrames--,
      refuse: ({ id }, error) => rejectPost(id, error),
    })
  }

  /** Handles a frame. Posts and acks continue in the background; the next frame waits for a returned promise. */
  function handleFrame(data: string | Uint8Array): Promise<void> | undefined {
    if (isClosed) return
    const { frame, id, fault } = parseFrame(typeof data === 'string' ? readJson(data) : (packed?.decode(data) ?? null))
    if (!frame) return void sendProblem(id, fault)
    if (typeof data !== 'string' && frame.type === 'command') packed?.noteCommand(frame)
    if (agent && subscriptions && frame.type === 'command' && frame.command.type === 'message.post') return void handlePost(frame)
    if (agent && subscriptions && frame.type === 'ack') {
      const { group_id: groupId, seq } = frame
      if (!subscriptions.follows(groupId)) return
      const noted = subscriptions.ack(groupId, seq, () => ackWriter.noteAck({ groupId, memberId: self.agentId() ?? '', acked: seq }))
      const told = noted.catch((error: unknown) => void sendProblem(null, error))
      if (inFlight.ack(told, () => inFlightFrames--)) inFlightFrames++
      return
    }
    return handleExclusively(frame)
  }

  async function handleExclusively(frame: AgentFrame): Promise<void> {
    while (!inFlight.isEmpty()) {
      ackWriter.flushNow()
      await inFlight.drained()
    }
    if (frame.type === 'ping') return send({ type: 'pong' })
    if (frame.type === 'pong') return
    if (frame.type === 'hello') {
      if (agent) return
      const greeting = handleHello(frame).catch((error: unknown) => {
        sendProblem(null, error)
        disconnect(4401, 'not proven')
      })
      // A refresh runs after the hello, so that it includes rooms that open in the meantime.
      refreshing = greeting
      return greeting
    }
    if (!agent || !subscriptions) return disconnect(4401, 'say hello first')
    switch (frame.type) {
      case 'command':
        await handleCommand(frame).catch((error: unknown) => sendProblem(frame.id, error))
        return
      case 'ack':
        return
      case 'subscribe':
        return subscriptions.resubscribe(frame, () => packed?.forgetOwnMessages()).catch((error: unknown) => void sendProblem(null, error))
      default:
        return frame satisfies never
    }
  }

  /** If the database is unavailable, the agent reconnects and repeats its posts in order. */
  function rejectPost(id: string | number, error: unknown): void {
    if (isDatabaseAway(error) || (error instanceof DomainError && error.code === 'server.unavailable')) {
      if (!isClosed) disconnect(1013, 'not written down, come again')
    } else sendProblem(id, error)
  }

  socket.on('message', (data, isBinary) => {
    lastReceivedAt = Date.now()
    if (isClosed || isDraining || !intake.accepts(data as Buffer)) return
    inFlightFrames++
    // A frame after a dropped one must not be handled, because it would be out of order.
    if (inFlightFrames > maxInFlightFrames) return disconnect(4429, `at most ${maxInFlightFrames} frames in flight`)
    const text = isBinary && packed ? (data as Buffer) : decodeUtf8(data as Buffer)
    const isNext = queuedFrames === 0
    const done = () => {
      inFlightFrames--
      lastReceivedAt = Date.now()
    }
    const first = isNext ? handleSafely(text) : undefined
    if (isNext && !first) return done()
    queuedFrames++
    queuedBytes += text.length
    // Back-pressure reaches the sender through TCP. Frames that complete in the meantime count as heartbeats.
    if (queuedBytes > maxInFlightBytes) intake.setBackPressure(true)
    // Frames of one sender are handled in order, so that its order is the room's order.
    frameQueue = (first ?? frameQueue.then(() => handleSafely(text))).finally(() => {
      done()
      queuedFrames--
      queuedBytes -= text.length
      if (queuedBytes <= maxInFlightBytes) intake.setBackPressure(false)
    })
  })
  function handleSafely(text: string | Uint8Array): Promise<void> | undefined {
    try {
      return handleFrame(text)?.catch((error: unknown) => void sendProblem(null, error))
    } catch (error) {
      sendProblem(null, error)
      return
    }
  }
  const helloTimer = setTimeout(() => {
    if (!agent) disconnect(4401, 'no hello')
  }, helloTimeoutMs)
  const heartbeat = setInterval(() => {
    if (Date.now() - lastReceivedAt > 3 * heartbeatMs) return socket.terminate()
    send({ type: 'ping' })
    if (agent) presence.noteHeartbeat({ agentId: agent.agentId, connection, fence: self.fence })
  }, heartbeatMs)
  socket.on('error', (error) => base.log.debug({ err: error }, 'socket error'))
  socket.on('close', () => {
    clearTimeout(helloTimer)
    clearInterval(heartbeat)
    subscriptions?.close()
    events.onEnd(self)
    const goodbye = agent ? store.markOffline({ agentId: agent.agentId, connection }) : Promise.resolve()
    goodbye.catch((error: unknown) => base.log.warn({ err: error }, 'presence not written'))
    void Promise.allSettled([goodbye, frameQueue, refreshing]).then(inFlight.drained).then(resolveEnded, resolveEnded)
  })

  const self: AgentConnection = {
    connection,
    agentId: () => agent?.agentId ?? null,
    did: () => agent?.actor.did ?? null,
    noteHead: (groupId, seq) => subscriptions?.noteHead(groupId, seq),
    deliver: (live) => subscriptions?.deliver(live) ?? true,
    refresh: refresh,
    fence() {
      send({ type: 'fenced' })
      disconnect(4409, 'a newer connection took over')
    },
    async drain(spreadMs) {
      isDraining = true
      ackWriter.flushNow()
      await Promise.race([frameQueue.then(inFlight.drained), pause(drainTimeoutMs, undefined, { ref: false })])
      if (!isClosed) disconnect(1012, `come again within ${spreadMs} ms`)
    },
    ended,
  }
  send({ type: 'challenge', nonce, server: base.market.serverDid, packed: [packing] })
  return self
}
