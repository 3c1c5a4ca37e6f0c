/**
 * Turn taking in rooms. The handler runs once for each turn of this agent, and for no other message. Rooms run in parallel: a long
 * turn, or a task that one room waits for, blocks no other room.
 */
import { type DeliveredEnvelope, type Did, type Part, type Room, roomAt, sha256, type TaskId, turnUntil, uuidv7 } from '@parley/protocol'
import type { Conversation } from '../conversation/conversation.ts'
import { isSessionError, ProblemError } from '../errors.ts'
import type { MessageOptions } from '../messages/commands.ts'
import type { RoomMessage } from '../messages/message-events.ts'
import type { AgentSession } from '../session/agent-session.ts'

/** One turn of this agent: the room and all that happened since the last one. The lease of a turn is 60 s. */
export type Turn = {
  readonly room_id: string
  /** Number of the turn in its room. */
  readonly turn: number
  readonly room: Room
  readonly conversation: Conversation
  /** Messages of others since this agent's last turn, oldest first, at most 200. */
  readonly newMessages: readonly DeliveredEnvelope[]
  /** The result of `observe`; undefined without `observe`, or if it failed. */
  readonly observation?: string
  /** Aborted when the turn has passed to another member. */
  readonly signal: AbortSignal
}

/** What the agent posts in its turn. An empty message passes the turn on. */
export type TurnMessage = {
  readonly text?: string
  readonly parts?: readonly Part[]
  /** Default: `discussion`. */
  readonly act?: 'discussion' | 'propose' | 'vote' | 'pause' | 'conclude'
  /** DIDs that are asked to speak next, in order. Default: the members asked before, then the lead. */
  readonly nextSpeakers?: readonly string[]
  /** With `pause`: ids of the tasks to wait for. */
  readonly triggers?: readonly string[]
  readonly reply_to?: string
}

/** Null posts nothing. The turn then passes on when its lease ends. */
export type TurnHandler = (turn: Turn) => TurnMessage | null | Promise<TurnMessage | null>

/** Reads a sensor, a simulator or a price before each turn. It has until the turn's lease ends. If it fails, the turn runs without it. */
export type ObserveWorld = (turn: Omit<Turn, 'observation'>) => string | Promise<string>

/** What `takeTurns` calls besides the handler. */
export type TurnOptions = {
  /** Receives errors of the handler and of `observe`. Default: `console.error`. */
  readonly onError?: (error: unknown) => void
  readonly observe?: ObserveWorld
}

/** Messages kept for the next turn. `session.replay` reads older ones. */
const maxNewMessages = 200
/** On start, a turn is looked for in so many rooms, with so many messages before it. */
const maxResumedRooms = 64
const maxResumedMessages = 20

type WatchedRoom = {
  newMessages: DeliveredEnvelope[]
  /** Number of the last turn that the handler received. */
  lastTurn: number
  leaseTimer?: ReturnType<typeof setTimeout>
}

type State = {
  readonly session: AgentSession
  readonly handler: TurnHandler
  readonly observe: ObserveWorld | undefined
  readonly onError: (error: unknown) => void
  readonly rooms: Map<string, WatchedRoom>
  readonly stopped: AbortController
  /** Estimate of this clock minus the server's, milliseconds: the minimum over all messages, because delivery only adds to it. */
  clockOffsetMs: number
}

/** Calls the handler for every turn of this agent from now on. Returns the function that stops it. */
export function takeTurns(session: AgentSession, handler: TurnHandler, { onError = console.error, observe }: TurnOptions = {}): () => void {
  const state: State = {
    session,
    handler,
    observe,
    onError,
    rooms: new Map(),
    stopped: new AbortController(),
    clockOffsetMs: Number.POSITIVE_INFINITY,
  }
  const removers = [session.on('message', (message) => noteMessage(state, message)), session.on('end', stop)]
  const rooms = session.rooms.filter((one) => one !== session.inbox).slice(-maxResumedRooms)
  for (const room_id of rooms) run(state, resumeTurn(state, room_id))

  function stop(): void {
    state.stopped.abort()
    for (const remove of removers) remove()
    for (const { leaseTimer } of state.rooms.values()) clearTimeout(leaseTimer)
    state.rooms.clear()
  }
  return stop
}

/** Runs in the background: the room's next message, and all other rooms, do not wait. */
function run({ onError }: State, work: Promise<void>): void {
  void work.catch((error: unknown) => {
    // The end of the session is no error: the next session resumes the turn.
    if (!isSessionError(error)) onError(error)
  })
}

function noteMessage(state: State, { envelope, isInbox }: RoomMessage): void {
  if (isInbox) return
  const { room_id } = envelope
  const watched = state.rooms.get(room_id) ?? { newMessages: [], lastTurn: 0 }
  state.rooms.set(room_id, watched)
  if (envelope.sender_id !== state.session.did) watched.newMessages = [...watched.newMessages, envelope].slice(-maxNewMessages)
  state.clockOffsetMs = Math.min(state.clockOffsetMs, Date.now() - Date.parse(envelope.received_at))
  run(state, checkTurn(state, room_id, watched))
}

/** Takes a turn that this agent was given before it started. */
async function resumeTurn(state: State, room_id: string): Promise<void> {
  const { session, rooms } = state
  const { room, seq } = await session.conversation(room_id)
  if (rooms.has(room_id) || room?.turn?.holder !== session.did) return
  const watched: WatchedRoom = { newMessages: [], lastTurn: 0 }
  rooms.set(room_id, watched)
  await session.replay(room_id, Math.max(0, seq - maxResumedMessages), (envelope) => {
    // Replayed messages are delivered ones.
    if (envelope.sender_id !== session.did) watched.newMessages.push(envelope as DeliveredEnvelope)
  })
  await checkTurn(state, room_id, watched)
}

/** Runs the turn if it is this agent's. Otherwise checks again when the current lease ends. */
async function checkTurn(state: State, room_id: string, watched: WatchedRoom): Promise<void> {
  const { session, stopped } = state
  const conversation = await session.conversation(room_id)
  if (stopped.signal.aborted || !conversation.room) return
  const now = Date.now() - (Number.isFinite(state.clockOffsetMs) ? state.clockOffsetMs : 0)
  const room = roomAt(conversation.room, now)
  clearTimeout(watched.leaseTimer)
  if (!room.turn) return
  const leaseLeftMs = Math.max(turnUntil(room.turn, room.limits) - now, 0)
  if (room.turn.holder !== session.did) {
    watched.leaseTimer = setTimeout(() => run(state, checkTurn(state, room_id, watched)), leaseLeftMs + 1)
    return
  }
  if (room.turns === watched.lastTurn) return
  watched.lastTurn = room.turns
  const { newMessages } = watched
  watched.newMessages = []
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(leaseLeftMs)])
  const id = await turnMessageId(room_id, session.did, room.turns, room.turn.since)
  await takeTurn(state, { room_id, turn: room.turns, room, conversation, newMessages, signal }, id)
}

async function takeTurn(state: State, turn: Omit<Turn, 'observation'>, id: string): Promise<void> {
  const { session, observe, stopped } = state
  const observation = observe && (await tryObserve(state, observe, turn))
  if (observe && turn.signal.aborted) return
  const message = await state.handler({ ...turn, ...(observation !== undefined && { observation }) })
  if (!message || stopped.signal.aborted) return
  try {
    await session.postMessage({ room_id: turn.room_id, ...toPost(message) }, { ...toOptions(message), id })
  } catch (error) {
    // The turn was posted before a restart or by another process of this agent, or it has passed on meanwhile.
    const isTaken = error instanceof ProblemError && (error.code === 'envelope.id_reused' || error.code === 'room.out_of_turn')
    if (!isTaken) throw error
  }
}

async function tryObserve({ onError }: State, observe: ObserveWorld, turn: Omit<Turn, 'observation'>): Promise<string | undefined> {
  try {
    return await observe(turn)
  } catch (error) {
    onError(error)
    return undefined
  }
}

/** Deterministic, so that a turn that is posted twice is stored once. */
async function turnMessageId(room_id: string, did: string, turn: number, since: number): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(`${room_id} ${did} ${turn}`))
  return uuidv7(
    since,
    Uint8Array.from(hash.match(/../g)?.slice(0, 10) ?? [], (byte) => Number.parseInt(byte, 16)),
  )
}

function toPost({ text, parts = [], act = 'discussion', reply_to }: TurnMessage) {
  return { act, parts: [...(text ? [{ text }] : []), ...parts], ...(reply_to && { reply_to }) }
}

function toOptions({ nextSpeakers, triggers }: TurnMessage): MessageOptions {
  return {
    ...(nextSpeakers && { next_speakers: [...nextSpeakers] as Did[] }),
    ...(triggers && { triggers: [...triggers] as TaskId[] }),
  }
}
