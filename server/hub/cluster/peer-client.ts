import type { WebSocket } from 'ws'
import { carryPost, type Ending, idOf, type Road, type Said } from '../../conversations/index.ts'
import { createOutbox, readWords } from './framing.ts'
import { type Answered, type Asked, errorOf } from './peer-messages.ts'
import type { Awake } from './stall-detector.ts'

const pingMs = 500
/** A hub that is silent for so long is given up. */
const silentMs = 1_500
/** So is one that lives and says nothing of what it was handed: it may be cut off from the database, where others are not. */
const lateMs = 5_000

/** An open connection to a hub that some rooms are at home at. */
export type OpenRoad = Road & {
  follows(groupId: string): boolean
  follow(groupId: string): void
  leave(groupId: string): void
  /** Posts that have no answer yet. */
  underWay(): number
  close(): void
}

/** `at`: when it was handed over. */
type Waiting = { readonly at: number; readonly groupId: string; readonly id: string; readonly end: Ending<Said> & { lost(): void } }

type Events = {
  spoken(groupId: string, first: number, bodies: readonly Buffer[]): void
  said(groupId: string): void
  /** Nothing more may be sent; what is under way is still answered. */
  leaving(): void
  /** Comes before posts are told that they are lost. */
  ended(): void
}

export function openRoad(socket: WebSocket, awake: Awake, events: Events): OpenRoad {
  const outbox = createOutbox<Asked>(socket)
  const waiting = new Map<number, Waiting>()
  const followed = new Set<string>()
  let [last, heardAt, isOver] = [0, performance.now(), false]

  function take(n: number) {
    const one = waiting.get(n)
    waiting.delete(n)
    return one
  }

  function hear({ word, texts }: { word: Answered; texts: readonly Buffer[] }): void {
    switch (word.do) {
      case 'spoken':
        events.spoken(word.groupId, word.first, texts)
        break
      case 'said': {
        const one = take(word.n)
        if (!one) break
        events.said(one.groupId)
        one.end.resolve({ group_id: one.groupId, seq: word.seq, id: one.id })
        break
      }
      case 'refused':
        take(word.n)?.end.reject(errorOf(word.fault))
        break
      case 'leaving':
        events.leaving()
        break
      default:
        word satisfies never
    }
  }

  function end(): void {
    if (isOver) return
    isOver = true
    clearInterval(pulse)
    socket.terminate()
    events.ended()
    const lost = [...waiting.values()]
    waiting.clear()
    for (const one of lost) one.end.lost()
  }

  const pulse = setInterval(() => {
    // Who has slept has heard nobody, and knows nothing of others.
    const now = performance.now()
    const isAwake = awake.is()
    if (!isAwake) heardAt = now
    const oldest = waiting.values().next().value
    if (now - heardAt > silentMs || (isAwake && oldest && now - oldest.at > lateMs)) end()
    else socket.ping()
  }, pingMs)
  pulse.unref()
  const heard = () => {
    heardAt = performance.now()
  }
  socket.on('pong', heard)
  socket.on('message', (data: Buffer) => {
    if (isOver) return
    heard()
    try {
      for (const one of readWords<Answered>(data)) hear(one)
    } catch {
      end()
    }
  })
  socket.on('close', end)
  socket.on('error', end)

  function follow(groupId: string): void {
    if (followed.has(groupId)) return
    followed.add(groupId)
    outbox.put({ do: 'follow', groupId })
  }

  return {
    post(post, ending) {
      if (isOver) return ending.lost()
      const n = ++last
      const { head, text } = carryPost(post)
      waiting.set(n, { at: performance.now(), groupId: post.groupId, id: idOf(post), end: ending })
      outbox.put({ do: 'post', n, post: head }, [text])
    },
    follows: (groupId) => followed.has(groupId),
    follow,
    leave(groupId) {
      if (followed.delete(groupId)) outbox.put({ do: 'leave', groupId })
    },
    underWay: () => waiting.size,
    close: end,
  }
}
