import { randomBytes } from 'node:crypto'
import { AgentFrame, type CommandFrame, type HelloFrame, heartbeatMs, type Problem, type ServerFrame } from '@parley/protocol'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { actingAs, type Context } from '../context.ts'
import { listRoomsOf } from '../conversations/index.ts'
import { listCursors, moveCursor } from '../delivery/index.ts'
import { toProblem } from '../errors.ts'
import { admit, readJson } from '../gateway/index.ts'
import { type ConnectedAgent, connectAgent, isCurrentConnection, markOffline, markOnline, markSeen } from '../registry/index.ts'
import { createFeed, type Feed } from './feed.ts'
import { toWire } from './wire.ts'

/** Frames of one connection that may wait for their turn; a sender with more in flight is cut off. */
const windowFrames = 64
const helloWithinMs = 10_000

export type Session = {
  readonly connection: string
  agentId(): string | null
  /** Something may be new in this group. */
  groupWoken(groupId: string): void
  /** The agent's rooms may have changed, or another connection of it may have come. */
  agentWoken(): void
  fence(): void
  close(): void
}

export type SessionEvents = {
  onAgent(session: Session, agentId: string): void
  onGroups(session: Session, groupIds: readonly string[]): void
  onEnd(session: Session): void
}

/** One agent's connection: challenge, hello, then commands in and rooms out. */
export function openSession(base: Context, socket: WebSocket, events: SessionEvents): Session {
  const connection = base.ids.uuid()
  const nonce = randomBytes(32).toString('base64url')
  let ctx = base
  let agent: ConnectedAgent | null = null
  let feed: Feed | null = null
  let heardAt = Date.now()
  let waiting = 0
  let line: Promise<void> = Promise.resolve()

  const send = (frame: ServerFrame) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
  }
  const complain = (id: string | number | null, error: unknown): Problem => {
    const problem = toProblem(error, base.ids.uuid())
    if (problem.code === 'server.bug') base.log.error({ err: error, instance: problem.instance, agent: agent?.agentId }, 'a command broke')
    send({ type: 'problem', id, problem })
    return problem
  }

  async function hello(frame: HelloFrame): Promise<void> {
    const proven = await connectAgent(base, { did: frame.did, signature: frame.signature, nonce, token: frame.token })
    agent = proven
    ctx = actingAs(base, proven.actor)
    await markOnline(ctx, proven.agentId, connection)
    events.onAgent(session, proven.agentId)
    const groups = await cursorsOf(proven)
    feed = createFeed(ctx, socket)
    send({
      type: 'welcome',
      agent_id: proven.agentId as never,
      did: proven.actor.did,
      handle: proven.handle,
      inbox: proven.inboxId as never,
      server: base.market.serverDid,
      groups: groups.map((group) => ({ group_id: group.groupId as never, head: group.head, acked: group.acked })),
    })
    for (const group of groups) feed.follow(group.groupId, group.acked)
    events.onGroups(
      session,
      groups.map((group) => group.groupId),
    )
  }

  async function cursorsOf({ agentId, inboxId, actor }: ConnectedAgent) {
    return listCursors(ctx, agentId, [inboxId, ...(await listRoomsOf(ctx, actor.did))])
  }

  async function refreshGroups(): Promise<void> {
    if (!agent || !feed) return
    if (!(await isCurrentConnection(ctx, agent.agentId, connection))) return session.fence()
    const groups = await cursorsOf(agent)
    const ids = groups.map((group) => group.groupId)
    for (const group of groups) {
      if (feed.follows(group.groupId)) continue
      send({ type: 'joined', group_id: group.groupId as never })
      feed.follow(group.groupId, group.acked)
    }
    feed.keepOnly(ids)
    events.onGroups(session, ids)
  }

  async function command(frame: CommandFrame): Promise<void> {
    const result = await admit(ctx, frame.command)
    send({ type: 'result', id: frame.id, result: toWire(result) })
  }

  async function handle(text: string): Promise<void> {
    const value = readJson(text)
    const parsed = AgentFrame.safeParse(value)
    if (!parsed.success) {
      send({
        type: 'problem',
        id: null,
        problem: {
          ...toProblem(null, base.ids.uuid()),
          status: 400,
          code: 'request.malformed',
          title: 'request: malformed',
          retry: 'after-change',
          detail: z.prettifyError(parsed.error),
        },
      })
      return
    }
    const frame = parsed.data
    if (frame.type === 'ping') return send({ type: 'pong' })
    if (frame.type === 'pong') return
    if (frame.type === 'hello') {
      if (agent) return
      await hello(frame).catch((error: unknown) => {
        complain(null, error)
        socket.close(4401, 'not proven')
      })
      return
    }
    if (!agent || !feed) return socket.close(4401, 'say hello first')
    switch (frame.type) {
      case 'command':
        await command(frame).catch((error: unknown) => complain(frame.id, error))
        return
      case 'ack':
        if (feed.follows(frame.group_id)) await moveCursor(ctx, { groupId: frame.group_id, memberId: agent.agentId, acked: frame.seq })
        return
      case 'subscribe':
        if (feed.follows(frame.group_id)) feed.follow(frame.group_id, frame.after)
        return
      default:
        return frame satisfies never
    }
  }

  socket.on('message', (data) => {
    heardAt = Date.now()
    waiting++
    if (waiting > windowFrames) return socket.close(4429, `at most ${windowFrames} frames in flight`)
    // One after the other, so that a sender's own order is the room's order.
    line = line
      .then(() => handle(data.toString()))
      .catch((error: unknown) => {
        complain(null, error)
      })
      .finally(() => {
        waiting--
      })
  })
  const impatience = setTimeout(() => {
    if (!agent) socket.close(4401, 'no hello')
  }, helloWithinMs)
  const heartbeat = setInterval(() => {
    if (Date.now() - heardAt > 3 * heartbeatMs) return socket.terminate()
    send({ type: 'ping' })
    if (agent)
      markSeen(ctx, agent.agentId, connection).then(
        (isCurrent) => (isCurrent ? undefined : session.fence()),
        (error: unknown) => base.log.warn({ err: error }, 'presence not written'),
      )
  }, heartbeatMs)
  socket.on('error', (error) => base.log.debug({ err: error }, 'socket error'))
  socket.on('close', () => {
    clearTimeout(impatience)
    clearInterval(heartbeat)
    feed?.close()
    events.onEnd(session)
    if (agent) markOffline(ctx, agent.agentId, connection).catch((error: unknown) => base.log.warn({ err: error }, 'presence not written'))
  })

  const session: Session = {
    connection,
    agentId: () => agent?.agentId ?? null,
    groupWoken: (groupId) => feed?.wake(groupId),
    agentWoken: () => {
      refreshGroups().catch((error: unknown) => base.log.warn({ err: error }, 'rooms not refreshed'))
    },
    fence() {
      send({ type: 'fenced' })
      socket.close(4409, 'a newer connection took over')
    },
    close: () => socket.close(1001, 'the hub stops'),
  }
  send({ type: 'challenge', nonce, server: base.market.serverDid })
  return session
}
