import type { WebSocket } from 'ws'

/** One word between hubs: what JSON says of it, and the texts that belong to it, in UTF-8. */
export type LinkWord<T> = { readonly word: T; readonly texts: readonly Buffer[] }

/** Words that wait for the end of this turn, and leave together. */
export type Outbox<T> = { put(word: T, texts?: readonly Buffer[]): void }

const headBytes = 4
/** What is more goes as another frame, so that nothing is copied in one piece that is larger. */
const frameBytes = 4_194_304

/** `socket`: an open connection between two hubs. */
export function createOutbox<T>(socket: Pick<WebSocket, 'send' | 'readyState' | 'OPEN'>): Outbox<T> {
  let waiting: LinkWord<T>[] = []
  let bytes = 0

  function flush(): void {
    const words = waiting
    if (words.length === 0) return
    waiting = []
    bytes = 0
    if (socket.readyState === socket.OPEN) socket.send(writeWords(words))
  }

  return {
    put(word, texts = []) {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ word, texts })
      for (const { length } of texts) bytes += length
      if (bytes > frameBytes) flush()
    },
  }
}

/** The length of the JSON in four bytes, the JSON (each word with the lengths of its texts), and all texts. */
export function writeWords<T>(words: readonly LinkWord<T>[]): Buffer {
  const head = Buffer.from(JSON.stringify(words.map(({ word, texts }) => [word, texts.map(({ length }) => length)])))
  const size = Buffer.allocUnsafe(headBytes)
  size.writeUInt32BE(head.length)
  return Buffer.concat([size, head, ...words.flatMap(({ texts }) => texts)])
}

/** @throws where it isn't what `writeWords` gives */
export function readWords<T>(frame: Buffer): LinkWord<T>[] {
  let at = headBytes + frame.readUInt32BE()
  const head = JSON.parse(frame.toString('utf8', headBytes, at)) as [T, number[]][]
  const take = (length: number) => {
    const from = at
    at += length
    return frame.subarray(from, at)
  }
  const words = head.map(([word, lengths]) => ({ word, texts: lengths.map(take) }))
  if (at !== frame.length) throw new RangeError(`a frame of ${frame.length} bytes that should have ${at}`)
  return words
}
