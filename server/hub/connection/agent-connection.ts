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
import { readUtf8, wireText } from '../codec/frames.ts'
import type { Acks } from './ack-writer.ts'
import { proveHello } from './authenticate.ts'
import type { Desk } from './connection-store.ts'
import type { Line, Session, SessionEvents } from './connection-types.ts'
import { hearTalk } from './handle-post-message.ts'
import { createInHand } from './in-flight.ts'
import { openPackedLine, type PackedLine } from './packed-connection.ts'
import { readFrame } from './parse-frame.ts'
import type { Pulse } from './presence-writer.ts'
import { createFeed, type Feed } from './subscriptions.ts'
import { openOutlet } from './write-buffer.ts'

/** Frames of one connection that may wait for their turn; a sender with more in flight is cut off. */
const windowFrames = 64
/** Bytes of frames that wait for their turn, beyond which nothing more is taken off the wire until some are done. */
const windowBytes = 2 * maxFrameBytes
const helloWithinMs = 10_000
/** So long a hub that stops waits for what is in hand. */
const inHandMs = 5_000

/** What connections have written together. */
export type Writers = { readonly acks: Acks; readonly pulse: Pulse; readonly desk: Desk }

/** One agent's connection: challenge, hello, then commands in and rooms out. */
export function openSession(base: Context, line: Line, events: SessionEvents, { acks, pulse, desk }: Writers, slowForMs: number): Session {
  const { socket, raw } = line
  const connection = base.ids.uuid()
  const nonce = randomBytes(32).toString('base64url')
  let ctx = base
  let agent: ConnectedAgent | null = null
  let feed: Feed | null = null
  /** Where both sides have agreed to pack frames. */
  let packed: PackedLine | null = null
  let heardAt = Date.now()
  let waiting = 0
  let waitingBytes = 0
  /** Cut off, fenced or closed by us: what still comes in is not done. */
  let isOver = false
  /** What came before this is finished; what comes after it is not taken. */
  let isLeaving = false
  /** Frames that wait for the one before them. */
  let inTurn: Promise<void> = Promise.resolve()
  let turns = 0
  const outlet = openOutlet(socket, raw)
  const inHand = createInHand()
  let refreshing: Promise<void> = Promise.resolve()
  let isRefreshDue = false
  const { promise: ended, resolve: noteEnd } = Promise.withResolvers<void>()

  const isOpen = () => socket.readyState === socket.OPEN
  const send = (frame: ServerFrame) => {
    outlet.flush()
    if (isOpen()) socket.send(JSON.stringify(frame))
  }
  const cutOff = (code: number, reason: string) => {
    isOver = true
    outlet.flush()
    socket.close(code, reason)
    base.log.info({ code, reason, agent: agent?.agentId }, 'a connection is cut off')
  }
  const intake = line.intake.watch(line, cutOff)
  const complain = (id: string | number | null, error: unknown): Problem => {
    const problem = toProblem(error, base.ids.uuid())
    if (problem.code === 'server.bug') base.log.error({ err: error, instance: problem.instance, agent: agent?.agentId }, 'a command broke')
    send({ type: 'problem', id, problem })
    return problem
  }

  async function hello(frame: HelloFrame): Promise<void> {
    const proven = await proveHello(base, frame, nonce, line.source, desk)
    const { agentId } = proven
    ctx = actingAs(base, proven.actor)
    await desk.come({ agentId, connection, isOpen })
    if (!isOpen()) return desk.go({ agentId, connection })
    agent = proven
    intake.proven()
    events.onAgent(session, agentId)
    const groupIds = [proven.inboxId, ...(await desk.roomsOf(proven.actor.did))]
    if (!isOpen()) return
    if (frame.packed === packing) packed = openPackedLine(line, outlet, proven.actor.did)
    const reading = createFeed(ctx, line, outlet, packed, slowForMs)
    feed = reading
    reading.expect(groupIds)
    events.onGroups(session, groupIds)
    const groups = await desk.cursorsOf({ memberId: agentId, groupIds })
    if (!isOpen()) return
    send({
      type: 'welcome',
      agent_id: agentId as never,
      did: proven.actor.did,
      handle: proven.handle,
      inbox: proven.inboxId as never,
      server: base.market.serverDid,
      ...(packed && { packed: packing }),
      groups: groups.map((group) => ({ group_id: group.groupId as never, head: group.head, acked: group.acked })),
    })
    events.onHeads(groups)
    for (const group of groups) reading.follow(group.groupId, group.acked, group.head)
  }

  async function refreshGroups(): Promise<void> {
    if (!agent || !feed) return
    const { agentId, inboxId, actor } = agent
    if (!(await desk.isCurrent({ agentId, connection }))) return session.fence()
    const groups = await desk.cursorsOf({ memberId: agentId, groupIds: [inboxId, ...(await desk.roomsOf(actor.did))] })
    if (!isOpen()) return
    const ids = groups.map((group) => group.groupId)
    for (const group of groups) {
      if (feed.follows(group.groupId)) continue
      send({ type: 'joined', group_id: group.groupId as never })
      feed.follow(group.groupId, group.acked)
    }
    feed.keepOnly(ids)
    packed?.keepOnly(ids)
    events.onGroups(session, ids)
  }

  /** One after the other, so that an older reading never takes back what a newer one has found. */
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

  async function command(frame: CommandFrame): Promise<void> {
    try {
      const text = wireText(await admit(ctx, frame.command, { door: 'socket', trace: frame.trace }))
      if (packed) packed.answer(frame, text)
      else outlet.text(`{"type":"result","id":${JSON.stringify(frame.id)},"result":${text}}`)
    } catch (error) {
      packed?.refused(frame)
      throw error
    }
  }

  /** Its place in the window is free again when it is done. */
  function talk(frame: CommandFrame): void {
    waiting++
    hearTalk(ctx, frame, { inHand, outlet, packed, ended: () => waiting--, refuse: ({ id }, error) => refuse(id, error) })
  }

  /** Talk and acks are in hand when it returns; whoever gets a promise waits for it before the next frame. */
  function handle(data: string | Uint8Array): Promise<void> | undefined {
    if (isOver) return
    const { frame, id, fault } = readFrame(typeof data === 'string' ? readJson(data) : (packed?.read(data) ?? null))
    if (!frame) return void complain(id, fault)
    if (typeof data !== 'string' && frame.type === 'command') packed?.heard(frame)
    if (agent && feed && frame.type === 'command' && frame.command.type === 'message.post') return void talk(frame)
    if (agent && feed && frame.type === 'ack') {
      const { group_id: groupId, seq } = frame
      if (!feed.follows(groupId)) return
      const noted = feed.acked(groupId, seq, () => acks.note({ groupId, memberId: session.agentId() ?? '', acked: seq }))
      const told = noted.catch((error: unknown) => void complain(null, error))
      if (inHand.ack(told, () => waiting--)) waiting++
      return
    }
    return handleAlone(frame)
  }

  async function handleAlone(frame: AgentFrame): Promise<void> {
    while (!inHand.isNothing()) {
      acks.hurry()
      await inHand.done()
    }
    if (frame.type === 'ping') return send({ type: 'pong' })
    if (frame.type === 'pong') return
    if (frame.type === 'hello') {
      if (agent) return
      const greeting = hello(frame).catch((error: unknown) => {
        complain(null, error)
        cutOff(4401, 'not proven')
      })
      // A room that opens in the middle of it is looked for afterwards.
      refreshing = greeting
      return greeting
    }
    if (!agent || !feed) return cutOff(4401, 'say hello first')
    switch (frame.type) {
      case 'command':
        await command(frame).catch((error: unknown) => complain(frame.id, error))
        return
      case 'ack':
        return
      case 'subscribe':
        return feed.again(frame, () => packed?.again()).catch((error: unknown) => void complain(null, error))
      default:
        return frame satisfies never
    }
  }

  /** Talk that the database did not take begins again with the next connection, all of it and in its order. */
  function refuse(id: string | number, error: unknown): void {
    if (isDatabaseAway(error) || (error instanceof DomainError && error.code === 'server.unavailable')) {
      if (!isOver) cutOff(1013, 'not written down, come again')
    } else complain(id, error)
  }

  socket.on('message', (data, isBinary) => {
    heardAt = Date.now()
    if (isOver || isLeaving || !intake.takes(data as Buffer)) return
    waiting++
    // Nothing after the frame that is left out may be done either: it would come out of its order.
    if (waiting > windowFrames) return cutOff(4429, `at most ${windowFrames} frames in flight`)
    const text = isBinary && packed ? (data as Buffer) : readUtf8(data as Buffer)
    const isNext = turns === 0
    const done = () => {
      waiting--
      heardAt = Date.now()
    }
    const first = isNext ? handled(text) : undefined
    if (isNext && !first) return done()
    turns++
    waitingBytes += text.length
    // What is not taken waits with its sender; the heart beats on by what is done meanwhile.
    if (waitingBytes > windowBytes) intake.crowded(true)
    // One after the other, so that a sender's own order is the room's order.
    inTurn = (first ?? inTurn.then(() => handled(text))).finally(() => {
      done()
      turns--
      waitingBytes -= text.length
      if (waitingBytes <= windowBytes) intake.crowded(false)
    })
  })
  function handled(text: string | Uint8Array): Promise<void> | undefined {
    try {
      return handle(text)?.catch((error: unknown) => void complain(null, error))
    } catch (error) {
      complain(null, error)
      return
    }
  }
  const impatience = setTimeout(() => {
    if (!agent) cutOff(4401, 'no hello')
  }, helloWithinMs)
  const heartbeat = setInterval(() => {
    if (Date.now() - heardAt > 3 * heartbeatMs) return socket.terminate()
    send({ type: 'ping' })
    if (agent) pulse.note({ agentId: agent.agentId, connection, fence: session.fence })
  }, heartbeatMs)
  socket.on('error', (error) => base.log.debug({ err: error }, 'socket error'))
  socket.on('close', () => {
    clearTimeout(impatience)
    clearInterval(heartbeat)
    feed?.close()
    events.onEnd(session)
    const goodbye = agent ? desk.go({ agentId: agent.agentId, connection }) : Promise.resolve()
    goodbye.catch((error: unknown) => base.log.warn({ err: error }, 'presence not written'))
    void Promise.allSettled([goodbye, inTurn, refreshing]).then(inHand.done).then(noteEnd, noteEnd)
  })

  const session: Session = {
    connection,
    agentId: () => agent?.agentId ?? null,
    did: () => agent?.actor.did ?? null,
    groupWoken: (groupId, seq) => feed?.wake(groupId, seq),
    groupSpoken: (live) => feed?.push(live) ?? true,
    agentWoken: refresh,
    fence() {
      send({ type: 'fenced' })
      cutOff(4409, 'a newer connection took over')
    },
    async leave(spreadMs) {
      isLeaving = true
      acks.hurry()
      await Promise.race([inTurn.then(inHand.done), pause(inHandMs, undefined, { ref: false })])
      if (!isOver) cutOff(1012, `come again within ${spreadMs} ms`)
    },
    ended,
  }
  send({ type: 'challenge', nonce, server: base.market.serverDid, packed: [packing] })
  return session
}
