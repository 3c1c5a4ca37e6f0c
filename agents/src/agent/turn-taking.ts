/**
 * Taking turns in rooms: when this agent is the one that is asked to speak, `speak` is called, once for each turn. Nobody
 * else is woken. Rooms go side by side: a long thought, or a task that one room waits for, holds up no other room.
 */
import { type DeliveredEnvelope, type Did, type Part, type Room, roomAt, sha256, type TaskId, turnUntil, uuidv7 } from '@parley/protocol'
import type { Session } from '../client/client.ts'
import type { Conversation } from '../conversation/reduce.ts'
import { ProblemError } from '../errors.ts'
import type { RoomMessage } from '../messages/inbox-messages.ts'
import type { Saying } from '../messages/message-builder.ts'

export type TurnGiven = {
  readonly group_id: string
  /** Names the turn in its room. */
  readonly turn: number
  readonly room: Room
  readonly conversation: Conversation
  /** What was said since this agent last had a turn, oldest first: all that is new to it. */
  readonly said: readonly DeliveredEnvelope[]
  /** What `observe` saw just before; unset where there is none, or it failed. */
  readonly observed?: string
  /** Aborted when the turn has passed on: what is said after that takes nothing from anybody. */
  readonly signal: AbortSignal
}

/** Left out: `act` is `discussion`, `next` whoever was asked already, then the lead. Without words the turn is passed on. */
export type Words = {
  readonly text?: string
  readonly parts?: readonly Part[]
  readonly act?: 'discussion' | 'propose' | 'vote' | 'pause' | 'conclude'
  /** DIDs of who is asked to speak next, in their order. */
  readonly next?: readonly string[]
  /** With `pause`: task ids. */
  readonly triggers?: readonly string[]
  readonly reply_to?: string
}

/** null: says nothing now, and lets the lease run. */
export type Speak = (turn: TurnGiven) => Words | null | Promise<Words | null>

/**
 * What an agent sees of the world as it is given the turn, beyond what is said in the room: a sensor, a simulator, a price.
 * It has as long as the turn; where it fails, the turn is taken without it.
 */
export type Observe = (turn: Omit<TurnGiven, 'observed'>) => string | Promise<string>

/** What is kept of a room for the next turn: more is in the room itself, by `session.replay`. */
const maxKept = 200
/** How far back a turn that was given earlier is read, and in how many rooms one is looked for. */
const maxTakenUp = 20
const maxRooms = 64

type Watch = {
  said: DeliveredEnvelope[]
  taken: number
  timer?: ReturnType<typeof setTimeout>
}

/** Calls `speak` for every turn of this agent's from now on. Returns how to stop. */
export function takeTurns(
  session: Session,
  speak: Speak,
  onError: (error: unknown) => void = console.error,
  { observe }: { readonly observe?: Observe } = {},
): () => void {
  const watched = new Map<string, Watch>()
  const ended = new AbortController()
  /** How far our clock is ahead of the server's, at most: the quickest message tells it best. */
  let ahead = Number.POSITIVE_INFINITY
  const failed = (error: unknown) => {
    // The session's own end is no failure: the turn is taken up by whoever comes back for it.
    if (!(error instanceof ProblemError && error.code.startsWith('session.'))) onError(error)
  }

  const off = session.on('message', ({ envelope, inbox }: RoomMessage) => {
    if (inbox) return
    const { group_id } = envelope
    const watch = watched.get(group_id) ?? { said: [], taken: 0 }
    watched.set(group_id, watch)
    if (envelope.sender_id !== session.did) watch.said = [...watch.said, envelope].slice(-maxKept)
    ahead = Math.min(ahead, Date.now() - Date.parse(envelope.received_at))
    // Not waited for: the room's next message, and every other room, go on meanwhile.
    void consider(group_id, watch).catch(failed)
  })
  const offEnd = session.on('end', stop)
  for (const group_id of session.groups.filter((one) => one !== session.inbox).slice(-maxRooms)) void takeUp(group_id).catch(failed)

  /** A turn that was given before this began, to an agent that was away or was started again. */
  async function takeUp(group_id: string): Promise<void> {
    const { room, seq } = await session.conversation(group_id)
    if (watched.has(group_id) || room?.turn?.holder !== session.did) return
    const watch: Watch = { said: [], taken: 0 }
    watched.set(group_id, watch)
    await session.replay(group_id, Math.max(0, seq - maxTakenUp), (envelope) => {
      // Only delivered messages are replayed.
      if (envelope.sender_id !== session.did) watch.said.push(envelope as DeliveredEnvelope)
    })
    await consider(group_id, watch)
  }

  async function consider(group_id: string, watch: Watch): Promise<void> {
    const conversation = await session.conversation(group_id)
    if (ended.signal.aborted || !conversation.room) return
    const now = Date.now() - (Number.isFinite(ahead) ? ahead : 0)
    const room = roomAt(conversation.room, now)
    clearTimeout(watch.timer)
    if (!room.turn) return
    const left = turnUntil(room.turn, room.limits) - now
    if (room.turn.holder !== session.did) {
      watch.timer = setTimeout(() => void consider(group_id, watch).catch(failed), Math.max(left, 0) + 1)
      return
    }
    if (room.turns === watch.taken) return
    watch.taken = room.turns
    const { said } = watch
    watch.said = []
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(Math.max(left, 0))])
    const turn = { group_id, turn: room.turns, room, conversation, said, signal }
    const observed = observe && (await seen(observe, turn))
    if (observe && signal.aborted) return
    const words = await speak({ ...turn, ...(observed !== undefined && { observed }) })
    if (!words || ended.signal.aborted) return
    const id = await turnId(group_id, session.did, room.turns, room.turn.since)
    await session.postMessage({ group_id, ...posted(words) }, { ...saying(words), id }).catch((error: unknown) => {
      // This turn was spoken before, by this agent before it was started again, or by its twin; or it has passed on meanwhile.
      if (!(error instanceof ProblemError && (error.code === 'envelope.id_reused' || error.code === 'group.turn_taken'))) throw error
    })
  }

  async function seen(look: Observe, turn: Omit<TurnGiven, 'observed'>): Promise<string | undefined> {
    try {
      return await look(turn)
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  function stop(): void {
    ended.abort()
    off()
    offEnd()
    for (const { timer } of watched.values()) clearTimeout(timer)
    watched.clear()
  }
  return stop
}

/** The same for everybody who counts the room's turns: what is said twice for one turn is said once. */
async function turnId(group_id: string, did: string, turn: number, since: number): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(`${group_id} ${did} ${turn}`))
  return uuidv7(
    since,
    Uint8Array.from(hash.match(/../g)?.slice(0, 10) ?? [], (byte) => Number.parseInt(byte, 16)),
  )
}

function posted({ text, parts = [], act = 'discussion', reply_to }: Words) {
  return { act, parts: [...(text ? [{ text }] : []), ...parts], ...(reply_to && { reply_to }) }
}

function saying({ next, triggers }: Words): Saying {
  return { ...(next && { next_speakers: [...next] as Did[] }), ...(triggers && { triggers: [...triggers] as TaskId[] }) }
}
