import type { WebSocket } from 'ws'
import { type Completion, type PeerWriter, type PostResult, postId, serializePost } from '../../conversations/index.ts'
import { createSendQueue, decodeMessages, type PeerMessage } from './framing.ts'
import { fromErrorPayload, type PeerRequest, type PeerResponse } from './peer-messages.ts'
import type { StallDetector } from './stall-detector.ts'

const pingMs = 500
/** A peer that is silent for this time counts as lost. */
const silenceTimeoutMs = 1_500
/** So does a peer that is alive but does not answer a post. It may have lost the database while this hub has not. */
const answerTimeoutMs = 5_000

/** An open connection to a hub that owns rooms. */
export type PeerClient = PeerWriter & {
  follows(groupId: string): boolean
  follow(groupId: string): void
  unfollow(groupId: string): void
  /** The number of posts without an answer. */
  inFlight(): number
  close(): void
}

/** `at`: when it was sent. */
type PendingForward = {
  readonly at: number
  readonly groupId: string
  readonly id: string
  readonly completion: Completion<PostResult> & { lost(): void }
}

type Events = {
  spoken(groupId: string, first: number, bodies: readonly Buffer[]): void
  said(groupId: string): void
  /** The peer accepts no new posts, and still answers those in flight. */
  leaving(): void
  /** Called before the posts in flight are reported as lost. */
  ended(): void
}

export function createPeerClient(socket: WebSocket, stallDetector: StallDetector, events: Events): PeerClient {
  const sendQueue = createSendQueue<PeerRequest>(socket)
  const waiting = new Map<number, PendingForward>()
  const followed = new Set<string>()
  let [last, lastHeardAt, isOver] = [0, performance.now(), false]

  function take(n: number) {
    const one = waiting.get(n)
    waiting.delete(n)
    return one
  }

  function handleResponse({ message, payloads }: PeerMessage<PeerResponse>): void {
    switch (message.do) {
      case 'spoken':
        events.spoken(message.groupId, message.first, payloads)
        break
      case 'said': {
        const one = take(message.n)
        if (!one) break
        events.said(one.groupId)
        one.completion.resolve({ group_id: one.groupId, seq: message.seq, id: one.id })
        break
      }
      case 'refused':
        take(message.n)?.completion.reject(fromErrorPayload(message.fault))
        break
      case 'leaving':
        events.leaving()
        break
      default:
        message satisfies never
    }
  }

  function end(): void {
    if (isOver) return
    isOver = true
    clearInterval(heartbeat)
    socket.terminate()
    events.ended()
    const lost = [...waiting.values()]
    waiting.clear()
    for (const one of lost) one.completion.lost()
  }

  const heartbeat = setInterval(() => {
    // After a stall of this process, the silence of a peer means nothing.
    const now = performance.now()
    const isAwake = stallDetector.isResponsive()
    if (!isAwake) lastHeardAt = now
    const oldest = waiting.values().next().value
    if (now - lastHeardAt > silenceTimeoutMs || (isAwake && oldest && now - oldest.at > answerTimeoutMs)) end()
    else socket.ping()
  }, pingMs)
  heartbeat.unref()
  const heard = () => {
    lastHeardAt = performance.now()
  }
  socket.on('pong', heard)
  socket.on('message', (data: Buffer) => {
    if (isOver) return
    heard()
    try {
      for (const one of decodeMessages<PeerResponse>(data)) handleResponse(one)
    } catch {
      end()
    }
  })
  socket.on('close', end)
  socket.on('error', end)

  function follow(groupId: string): void {
    if (followed.has(groupId)) return
    followed.add(groupId)
    sendQueue.send({ do: 'follow', groupId })
  }

  return {
    post(post, ending) {
      if (isOver) return ending.lost()
      const n = ++last
      const { head, text } = serializePost(post)
      waiting.set(n, { at: performance.now(), groupId: post.groupId, id: postId(post), completion: ending })
      sendQueue.send({ do: 'post', n, post: head }, [text])
    },
    follows: (groupId) => followed.has(groupId),
    follow,
    unfollow(groupId) {
      if (followed.delete(groupId)) sendQueue.send({ do: 'leave', groupId })
    },
    inFlight: () => waiting.size,
    close: end,
  }
}
