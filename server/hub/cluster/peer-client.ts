import type { WebSocket } from 'ws'
import { type Completion, type PeerWriter, type PostResult, postId, serializePost } from '../../conversations/index.ts'
import type { EventLoopStallDetector } from './event-loop-stall-detector.ts'
import { fromErrorPayload, type PeerRequest, type PeerResponse } from './peer-request-format.ts'
import { createPeerSendQueue, decodePeerMessages, type PeerMessage, type SendQueue } from './peer-send-queue.ts'

const pingMs = 500
/** A peer that is silent for this time counts as lost. */
const silenceTimeoutMs = 1_500
/** So does a peer that is alive but does not answer a post. It may have lost the database while this hub has not. */
const answerTimeoutMs = 5_000

/** An open connection to a hub that owns rooms. */
export type PeerClient = PeerWriter & {
  follows(roomId: string): boolean
  follow(roomId: string): void
  unfollow(roomId: string): void
  /** The number of posts without an answer. */
  inFlight(): number
  close(): void
}

/** `at`: when it was sent. */
type PendingForward = {
  readonly at: number
  readonly roomId: string
  readonly id: string
  readonly completion: Completion<PostResult> & { lost(): void }
}

type Events = {
  onCommitted(roomId: string, first: number, bodies: readonly Buffer[]): void
  onPosted(roomId: string): void
  /** The peer accepts no new posts, and still answers those in flight. */
  leaving(): void
  /** Called before the posts in flight are reported as lost. */
  ended(): void
}

type Peer = {
  readonly socket: WebSocket
  readonly sendQueue: SendQueue<PeerRequest>
  readonly events: Events
  readonly waiting: Map<number, PendingForward>
  readonly followed: Set<string>
  /** The number of the last post. */
  last: number
  lastReceivedAt: number
  isOver: boolean
  heartbeat: NodeJS.Timeout | undefined
}

export function createPeerClient(socket: WebSocket, stallDetector: EventLoopStallDetector, events: Events): PeerClient {
  const peer: Peer = {
    socket,
    sendQueue: createPeerSendQueue<PeerRequest>(socket),
    events,
    waiting: new Map(),
    followed: new Set(),
    last: 0,
    lastReceivedAt: performance.now(),
    isOver: false,
    heartbeat: undefined,
  }
  peer.heartbeat = setInterval(() => checkAlive(peer, stallDetector), pingMs)
  peer.heartbeat.unref()
  listen(peer)
  const { waiting, followed, sendQueue } = peer
  return {
    post(post, ending) {
      if (peer.isOver) return ending.lost()
      const n = ++peer.last
      const { head, text } = serializePost(post)
      waiting.set(n, { at: performance.now(), roomId: post.roomId, id: postId(post), completion: ending })
      sendQueue.send({ do: 'post', n, post: head }, [text])
    },
    follows: (roomId) => followed.has(roomId),
    follow(roomId) {
      if (followed.has(roomId)) return
      followed.add(roomId)
      sendQueue.send({ do: 'follow', roomId })
    },
    unfollow(roomId) {
      if (followed.delete(roomId)) sendQueue.send({ do: 'leave', roomId })
    },
    inFlight: () => waiting.size,
    close: () => end(peer),
  }
}

function listen(peer: Peer): void {
  const { socket } = peer
  socket.on('pong', () => {
    peer.lastReceivedAt = performance.now()
  })
  socket.on('message', (data: Buffer) => {
    if (peer.isOver) return
    peer.lastReceivedAt = performance.now()
    try {
      for (const response of decodePeerMessages<PeerResponse>(data)) handleResponse(peer, response)
    } catch {
      end(peer)
    }
  })
  socket.on('close', () => end(peer))
  socket.on('error', () => end(peer))
}

function handleResponse(peer: Peer, { message, payloads }: PeerMessage<PeerResponse>): void {
  const { events } = peer
  switch (message.do) {
    case 'spoken':
      events.onCommitted(message.roomId, message.first, payloads)
      break
    case 'said': {
      const one = take(peer, message.n)
      if (!one) break
      events.onPosted(one.roomId)
      one.completion.resolve({ room_id: one.roomId, seq: message.seq, id: one.id })
      break
    }
    case 'refused':
      take(peer, message.n)?.completion.reject(fromErrorPayload(message.fault))
      break
    case 'leaving':
      events.leaving()
      break
    default:
      message satisfies never
  }
}

function take({ waiting }: Peer, n: number): PendingForward | undefined {
  const one = waiting.get(n)
  waiting.delete(n)
  return one
}

function checkAlive(peer: Peer, stallDetector: EventLoopStallDetector): void {
  // After a stall of this process, the silence of a peer means nothing.
  const now = performance.now()
  const isAwake = stallDetector.isResponsive()
  if (!isAwake) peer.lastReceivedAt = now
  const oldest = peer.waiting.values().next().value
  if (now - peer.lastReceivedAt > silenceTimeoutMs || (isAwake && oldest && now - oldest.at > answerTimeoutMs)) end(peer)
  else peer.socket.ping()
}

function end(peer: Peer): void {
  if (peer.isOver) return
  peer.isOver = true
  clearInterval(peer.heartbeat)
  peer.socket.terminate()
  peer.events.ended()
  const lost = [...peer.waiting.values()]
  peer.waiting.clear()
  for (const one of lost) one.completion.lost()
}
