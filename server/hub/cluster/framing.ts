import type { WebSocket } from 'ws'

/** One word between hubs: what JSON says of it, and the texts that belong to it, in UTF-8. */
export type PeerMessage<T> = { readonly message: T; readonly payloads: readonly Buffer[] }

/** Words that wait for the end of this turn, and leave together. */
export type SendQueue<T> = { send(word: T, texts?: readonly Buffer[]): void }

const headBytes = 4
/** What is more goes as another frame, so that nothing is copied in one piece that is larger. */
const frameBytes = 4_194_304

/** `socket`: an open connection between two hubs. */
export function createSendQueue<T>(socket: Pick<WebSocket, 'send' | 'readyState' | 'OPEN'>): SendQueue<T> {
  let waiting: PeerMessage<T>[] = []
  let bytes = 0

  function flush(): void {
    const words = waiting
    if (words.length === 0) return
    waiting = []
    bytes = 0
    if (socket.readyState === socket.OPEN) socket.send(encodeMessages(words))
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

/** The length of the JSON in four bytes, the JSON (each word with the lengths of its texts), and all texts. */
export function encodeMessages<T>(words: readonly PeerMessage<T>[]): Buffer {
  const head = Buffer.from(JSON.stringify(words.map(({ message, payloads }) => [message, payloads.map(({ length }) => length)])))
  const size = Buffer.allocUnsafe(headBytes)
  size.writeUInt32BE(head.length)
  return Buffer.concat([size, head, ...words.flatMap(({ payloads }) => payloads)])
}

/** @throws where it isn't what `writeWords` gives */
export function decodeMessages<T>(frame: Buffer): PeerMessage<T>[] {
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
