import type { WebSocket } from 'ws'

/** A connection through a network that can hold up what passes. */
export type Link = {
  readonly socket: WebSocket
  send(text: string): void
  /** For so long nothing passes in either direction. */
  stall(ms: number): void
  read(isReading: boolean): void
  /** Whether it was held up at any time: what it carries then tells nothing of the hub's own pace. */
  wasStalled(): boolean
}

/** How long after a hold-up what was held up may still be on its way. */
const aftermathMs = 2_000

export function openLink(socket: WebSocket): Link {
  const held: string[] = []
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
    send(text) {
      if (stalls > 0) held.push(text)
      else if (socket.readyState === socket.OPEN) socket.send(text)
    },
    stall(ms) {
      stalls++
      flow()
      setTimeout(() => {
        stalls--
        stalledAt = performance.now()
        flow()
        if (stalls === 0) for (const text of held.splice(0)) if (socket.readyState === socket.OPEN) socket.send(text)
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
