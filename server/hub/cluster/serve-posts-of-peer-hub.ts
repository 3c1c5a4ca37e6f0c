import type { WebSocket } from 'ws'
import { type Completion, deserializePost, type MessageWriter, type PostResult } from '../../conversations/index.ts'
import { DomainError } from '../../errors.ts'
import type { EventLoopStallDetector } from './event-loop-stall-detector.ts'
import { type PeerRequest, type PeerResponse, toErrorPayload } from './peer-request-format.ts'
import { createPeerSendQueue, decodePeerMessages, type PeerMessage } from './peer-send-queue.ts'

/** Back-pressure limit: beyond it, committed messages are not sent to this peer, which then reads the log. */
const maxUnsentBytes = 8_388_608

/** Another hub that forwards posts for rooms that this hub owns. */
export type ClientPeer = {
  publish(roomId: string, first: number, bodies: readonly Buffer[]): void
  /** Asks the peer to send nothing more. */
  askToDrain(): void
  inFlight(): number
  close(): void
}

type Events = { follow(roomId: string): void; leave(roomId: string): void; ended(): void }

export function servePostsOfPeerHub(
  socket: WebSocket,
  writer: Pick<MessageWriter, 'postLocally'>,
  stallDetector: EventLoopStallDetector,
  events: Events,
): ClientPeer {
  const sendQueue = createPeerSendQueue<PeerResponse>(socket)
  let [underWay, isOver] = [0, false]

  function end(): void {
    if (isOver) return
    isOver = true
    socket.terminate()
    events.ended()
  }

  function completionOf(n: number): Completion<PostResult> {
    return {
      resolve({ seq }) {
        underWay--
        if (!isOver) sendQueue.send({ do: 'said', n, seq })
      },
      reject(error) {
        underWay--
        if (isOver) return
        // It is unknown whether the post was written, and later posts must not overtake it. The peer sends all of them again.
        if (error instanceof DomainError && error.code === 'server.unavailable') end()
        else sendQueue.send({ do: 'refused', n, fault: toErrorPayload(error) })
      },
    }
  }

  function handleRequest({ message, payloads }: PeerMessage<PeerRequest>): void {
    if (message.do !== 'post') {
      events[message.do](message.roomId)
      return
    }
    underWay++
    writer.postLocally(deserializePost({ head: message.post, text: payloads[0] ?? Buffer.alloc(0) }), completionOf(message.n))
  }

  socket.on('message', (data: Buffer) => {
    // The peer has given up on posts that arrived during a stall of this process.
    if (!stallDetector.isResponsive()) end()
    if (isOver) return
    try {
      for (const one of decodePeerMessages<PeerRequest>(data)) if (!isOver) handleRequest(one)
    } catch {
      end()
    }
  })
  socket.on('close', end)
  socket.on('error', end)

  return {
    publish(roomId, first, bodies) {
      if (!isOver && socket.bufferedAmount < maxUnsentBytes) sendQueue.send({ do: 'spoken', roomId, first }, bodies)
    },
    askToDrain: () => sendQueue.send({ do: 'leaving' }),
    inFlight: () => underWay,
    close: end,
  }
}
