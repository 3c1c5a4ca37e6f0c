/**
 * Reads a room again from the server, and keeps conversations up to date. Replayed messages were handled before, so they are not
 * delivered again.
 */
import type { Envelope } from '@parley/protocol'
import { type BoundedMap, createBoundedMap } from '../bounded-map.ts'
import { type Conversation, startConversation } from '../conversation/conversation.ts'
import { reduceConversation } from '../conversation/reduce-conversation.ts'
import { replayStalled } from '../errors.ts'

type RunningReplay = {
  next: number
  readonly until: number
  readonly each: (envelope: Envelope) => void
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  stallTimer?: ReturnType<typeof setTimeout>
}

/** From after message `after` to message `until`. */
export type ReplayRange = { readonly room_id: string; readonly after: number; readonly until: number }

/** Reads stretches of rooms from the server again, in order. It shares the connection with live messages. */
export type ReplayReader = {
  /** A message that was received before. `envelope` is undefined if it failed verification. */
  acceptReplayed(message: { room_id: string; seq: number }, envelope: Envelope | undefined): void
  /** Whether a running replay covers this message. */
  covers(room_id: string, seq: number): boolean
  /** The room's next message, in order. */
  acceptLive(envelope: Envelope): void
  /** @throws {ProblemError} `session.replay_stalled` */
  replay(range: ReplayRange, each: (envelope: Envelope) => void): Promise<void>
  /** The conversation up to message `until`. @throws {ProblemError} `session.replay_stalled` */
  conversation(room_id: string, server: string, until: number): Promise<Conversation>
  /** After a reconnect: requests the rest of each running replay. */
  resume(): void
  rejectAll(error: unknown): void
}

/** The server does not answer for a room that this agent may not read, or may no longer read. */
const stallTimeoutMs = 30_000
/** Conversations kept up to date. The oldest is read again when it is needed. */
const maxTrackedConversations = 64

type State = {
  readonly subscribe: (room_id: string, after: number) => void
  /** Running replays, by room id. */
  readonly replays: Map<string, RunningReplay>
  readonly tracked: BoundedMap<Conversation>
}

/** @param subscribe asks the server for the messages of a room after a sequence number */
export function createReplayReader(subscribe: (room_id: string, after: number) => void): ReplayReader {
  const state: State = { subscribe, replays: new Map(), tracked: createBoundedMap(maxTrackedConversations) }
  const { replays, tracked } = state
  const inSequence = createKeyedQueue()
  return {
    covers(room_id, seq) {
      const replay = replays.get(room_id)
      return replay !== undefined && seq >= replay.next && seq <= replay.until
    },
    acceptReplayed: (message, envelope) => acceptReplayed(state, message, envelope),
    acceptLive(envelope) {
      const conversation = tracked.get(envelope.room_id)
      if (conversation && envelope.seq === conversation.seq + 1) tracked.set(envelope.room_id, reduceConversation(conversation, envelope))
    },
    replay: (range, each) => inSequence(range.room_id, () => readRange(state, range, each)),
    conversation: (room_id, server, until) => inSequence(room_id, () => readConversation(state, room_id, server, until)),
    resume() {
      for (const [room_id, replay] of replays) {
        restartStallTimer(state, room_id, replay)
        subscribe(room_id, replay.next - 1)
      }
    },
    rejectAll(error) {
      for (const replay of replays.values()) {
        clearTimeout(replay.stallTimer)
        replay.reject(error)
      }
      replays.clear()
    },
  }
}

function restartStallTimer({ replays }: State, room_id: string, replay: RunningReplay): void {
  clearTimeout(replay.stallTimer)
  replay.stallTimer = setTimeout(() => {
    replays.delete(room_id)
    replay.reject(replayStalled(room_id, replay.next))
  }, stallTimeoutMs)
}

function acceptReplayed(state: State, { room_id, seq }: { room_id: string; seq: number }, envelope: Envelope | undefined): void {
  const replay = state.replays.get(room_id)
  if (!replay || seq !== replay.next) return
  replay.next++
  if (envelope) replay.each(envelope)
  if (replay.next <= replay.until) {
    restartStallTimer(state, room_id, replay)
    return
  }
  clearTimeout(replay.stallTimer)
  state.replays.delete(room_id)
  replay.resolve()
}

function readRange(state: State, { room_id, after, until }: ReplayRange, each: (envelope: Envelope) => void): Promise<void> {
  if (after >= until) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const replay = { next: after + 1, until, each, resolve, reject }
    state.replays.set(room_id, replay)
    restartStallTimer(state, room_id, replay)
    state.subscribe(room_id, after)
  })
}

async function readConversation(state: State, room_id: string, server: string, until: number): Promise<Conversation> {
  let conversation = state.tracked.get(room_id) ?? startConversation(room_id, server)
  await readRange(state, { room_id, after: conversation.seq, until }, (envelope) => {
    conversation = reduceConversation(conversation, envelope)
  })
  // A conversation that live messages moved further during the replay is newer than the one just read.
  const newest = state.tracked.get(room_id)
  if (newest && newest.seq > conversation.seq) return newest
  state.tracked.set(room_id, conversation)
  return conversation
}

/** Runs the work of one key in sequence, because a room has one replay at a time. Different keys run in parallel. */
function createKeyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, run)
    const clear = () => {
      if (last.get(key) === run) last.delete(key)
    }
    run.then(clear, clear)
    return run
  }
}
