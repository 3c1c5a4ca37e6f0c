import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { textFrames } from '../codec/frames.ts'

/** Buffers the outbound frames of one connection, so that one turn results in one write (`cork`). */
export type WriteBuffer = {
  /** Frames that are shared by many readers. */
  writeFrames(frames: Buffer): void
  /** One text frame. */
  writeText(text: string): void
  /** Writes now, because other data follows. */
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
