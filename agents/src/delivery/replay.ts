/**
 * Reading a room again from the server, and the conversations that a caller follows. A replay passes over messages that
 * were taken before, so nothing in it is handled twice.
 */
import type { Envelope } from '@parley/protocol'
import { type Conversation, fold, startConversation } from '../conversation/reduce.ts'
import { replayStalled } from '../errors.ts'

type Replay = {
  next: number
  readonly until: number
  readonly each: (envelope: Envelope) => void
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  stall?: ReturnType<typeof setTimeout>
}

export type History = {
  /** A message that comes again. One that could not be read or is not genuine has no envelope, and is passed over. */
  again(message: { group_id: string; seq: number }, envelope: Envelope | undefined): void
  /** Whether a replay covers this message. */
  wants(group_id: string, seq: number): boolean
  /** The room's next message, in order. */
  live(envelope: Envelope): void
  replay(group_id: string, after: number, until: number, each: (envelope: Envelope) => void): Promise<void>
  conversation(group_id: string, server: string, until: number): Promise<Conversation>
  /** After a reconnect: asks again for what was being read. */
  resume(): void
  abandon(error: unknown): void
}

/** The server says nothing where a room is not, or no longer, this agent's to read. */
const stallMs = 30_000
/** Conversations kept up to date; the one used longest ago is read anew when it is needed again. */
const maxFollowed = 64

export function createHistory(subscribe: (group_id: string, after: number) => void): History {
  const replays = new Map<string, Replay>()
  const turns = new Map<string, Promise<unknown>>()
  const followed = new Map<string, Conversation>()

  function keep(conversation: Conversation): void {
    followed.delete(conversation.group_id)
    followed.set(conversation.group_id, conversation)
    for (const oldest of followed.keys()) {
      if (followed.size <= maxFollowed) break
      followed.delete(oldest)
    }
  }

  /** One replay per room at a time: the next waits its turn. */
  function inTurn<T>(group_id: string, work: () => Promise<T>): Promise<T> {
    const turn = (turns.get(group_id) ?? Promise.resolve()).then(work, work)
    turns.set(group_id, turn)
    const clear = () => {
      if (turns.get(group_id) === turn) turns.delete(group_id)
    }
    turn.then(clear, clear)
    return turn
  }

  function watch(group_id: string, replay: Replay): void {
    clearTimeout(replay.stall)
    replay.stall = setTimeout(() => {
      replays.delete(group_id)
      replay.reject(replayStalled(group_id, replay.next))
    }, stallMs)
  }

  function read(group_id: string, after: number, until: number, each: (envelope: Envelope) => void): Promise<void> {
    if (after >= until) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const replay = { next: after + 1, until, each, resolve, reject }
      replays.set(group_id, replay)
      watch(group_id, replay)
      subscribe(group_id, after)
    })
  }

  return {
    wants(group_id, seq) {
      const replay = replays.get(group_id)
      return replay !== undefined && seq >= replay.next && seq <= replay.until
    },
    again({ group_id, seq }, envelope) {
      const replay = replays.get(group_id)
      if (!replay || seq !== replay.next) return
      replay.next++
      if (envelope) replay.each(envelope)
      if (replay.next <= replay.until) return watch(group_id, replay)
      clearTimeout(replay.stall)
      replays.delete(group_id)
      replay.resolve()
    },
    live(envelope) {
      const conversation = followed.get(envelope.group_id)
      if (conversation && envelope.seq === conversation.seq + 1) followed.set(envelope.group_id, fold(conversation, envelope))
    },
    replay: (group_id, after, until, each) => inTurn(group_id, () => read(group_id, after, until, each)),
    conversation: (group_id, server, until) =>
      inTurn(group_id, async () => {
        let conversation = followed.get(group_id) ?? startConversation(group_id, server)
        await read(group_id, conversation.seq, until, (envelope) => {
          conversation = fold(conversation, envelope)
        })
        // Messages that came in during the replay were not folded in: they find their predecessor missing.
        const newest = followed.get(group_id)
        if (newest && newest.seq > conversation.seq) return newest
        keep(conversation)
        return conversation
      }),
    resume() {
      for (const [group_id, replay] of replays) {
        watch(group_id, replay)
        subscribe(group_id, replay.next - 1)
      }
    },
    abandon(error) {
      for (const replay of replays.values()) {
        clearTimeout(replay.stall)
        replay.reject(error)
      }
      replays.clear()
    },
  }
}
