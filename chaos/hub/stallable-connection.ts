import type { WebSocket } from 'ws'

/** A connection through a network that can stall the data. */
export type StallableConnection = {
  readonly socket: WebSocket
  send(frame: string | Uint8Array): void
  /** For so long nothing passes in either direction. */
  stall(ms: number): void
  read(isReading: boolean): void
  /** Whether it was held up at any time: its traffic then does not show the hub's own pace. */
  wasStalled(): boolean
}

/** How long after a hold-up what was held up may still be in flight. */
const aftermathMs = 2_000

export function openStallableConnection(socket: WebSocket): StallableConnection {
  const held: (string | Uint8Array)[] = []
  let stalls = 0
  let isRead = true
  let stalledAt = Number.NEGATIVE_INFINITY

  const flow = () => {
    if (socket.readyState !== socket.OPEN) return
    if (stalls === 0 && isRead) socket.resume()
    else socket.pause()
  }
  return {
    socket,
    send(frame) {
      if (stalls > 0) held.push(frame)
      else if (socket.readyState === socket.OPEN) socket.send(frame)
    },
    stall(ms) {
      stalls++
      flow()
      setTimeout(() => {
        stalls--
        stalledAt = performance.now()
        flow()
        if (stalls === 0) for (const frame of held.splice(0)) if (socket.readyState === socket.OPEN) socket.send(frame)
      }, ms)
    },
    read(isReading) {
      isRead = isReading
      if (isReading) stalledAt = performance.now()
      flow()
    },
    wasStalled: () => stalls > 0 || !isRead || performance.now() - stalledAt < aftermathMs,
  }
}
