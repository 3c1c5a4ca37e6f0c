import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { textFrames } from '../codec/frames.ts'

/** The way out of one connection for what comes in numbers: all of one turn leaves in one write. */
export type WriteBuffer = {
  /** Frames that go to many and were made once. */
  writeFrames(frames: Buffer): void
  /** One frame of its own. */
  writeText(text: string): void
  /** Now, because something else is to follow. */
  flush(): void
}

export function createWriteBuffer(socket: WebSocket, raw: Duplex): WriteBuffer {
  let texts: string[] = []
  let isCorked = false

  function cork(): void {
    if (isCorked) return
    isCorked = true
    raw.cork()
    process.nextTick(flush)
  }

  function flush(): void {
    if (!isCorked) return
    isCorked = false
    if (texts.length > 0 && socket.readyState === socket.OPEN) raw.write(textFrames(texts))
    texts = []
    raw.uncork()
  }

  return {
    writeFrames(frames) {
      cork()
      raw.write(frames)
    },
    writeText(text) {
      cork()
      texts.push(text)
    },
    flush,
  }
}
