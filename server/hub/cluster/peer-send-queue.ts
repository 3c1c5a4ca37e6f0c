import type { WebSocket } from 'ws'

/** A message between hubs: a JSON part, and its binary payloads in UTF-8. */
export type PeerMessage<T> = { readonly message: T; readonly payloads: readonly Buffer[] }

/** Collects messages until the end of this turn and sends them in one frame. */
export type SendQueue<T> = { send(word: T, texts?: readonly Buffer[]): void }

const headBytes = 4
/** The size from which a new frame starts, which limits how much is copied at once. */
const frameBytes = 4_194_304

/** `socket`: an open connection between two hubs. */
export function createPeerSendQueue<T>(socket: Pick<WebSocket, 'send' | 'readyState' | 'OPEN'>): SendQueue<T> {
  let waiting: PeerMessage<T>[] = []
  let bytes = 0

  function flush(): void {
    const words = waiting
    if (words.length === 0) return
    waiting = []
    bytes = 0
    if (socket.readyState === socket.OPEN) socket.send(encodePeerMessages(words))
  }

  return {
    send(message, payloads = []) {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ message, payloads })
      for (const { length } of payloads) bytes += length
      if (bytes > frameBytes) flush()
    },
  }
}

/** The length of the JSON in four bytes, the JSON (each message with the lengths of its payloads), and all payloads. */
export function encodePeerMessages<T>(words: readonly PeerMessage<T>[]): Buffer {
  const head = Buffer.from(JSON.stringify(words.map(({ message, payloads }) => [message, payloads.map(({ length }) => length)])))
  const size = Buffer.allocUnsafe(headBytes)
  size.writeUInt32BE(head.length)
  return Buffer.concat([size, head, ...words.flatMap(({ payloads }) => payloads)])
}

/** @throws RangeError if the frame was not made by `encodePeerMessages` */
export function decodePeerMessages<T>(frame: Buffer): PeerMessage<T>[] {
  let at = headBytes + frame.readUInt32BE()
  const head = JSON.parse(frame.toString('utf8', headBytes, at)) as [T, number[]][]
  const take = (length: number) => {
    const from = at
    at += length
    return frame.subarray(from, at)
  }
  const messages = head.map(([message, lengths]) => ({ message, payloads: lengths.map(take) }))
  if (at !== frame.length) throw new RangeError(`a frame of ${frame.length} bytes that should have ${at}`)
  return messages
}
