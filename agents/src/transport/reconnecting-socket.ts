/**
 * One WebSocket that comes back: exponential back-off with full jitter, and an end to connections that have gone silent.
 * It carries text and bytes and knows no frame but the ping.
 */
import { heartbeatMs } from '@parley/protocol'

export type Backoff = {
  /** The first wait is at most this. */
  readonly baseMs: number
  /** No wait is longer. */
  readonly capMs: number
  readonly random: () => number
}

export const defaultBackoff: Backoff = { baseMs: 250, capMs: 30_000, random: Math.random }

/** Full jitter: anything from nothing to the exponential bound, so that a thousand agents don't come back at once. */
export function waitMs(attempt: number, { baseMs, capMs, random }: Backoff): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)))
}

export type LinkEvents = {
  text(text: string): void
  bytes(bytes: Uint8Array): void
  /** The connection ended; the link will come back by itself. */
  down(): void
}

export type Link = {
  /** False where there is no open connection; nothing is kept. */
  send(frame: string | Uint8Array<ArrayBuffer>): boolean
  /** The other side has welcomed us: from here on a connection that lasts resets the back-off. */
  welcomed(): void
  /** Ends this connection, so that the next attempt follows, after `minMs` at the earliest. */
  drop(minMs?: number): void
  /** Ends for good. */
  stop(): void
}

/** A connection that lived this long was a good one. */
const steadyMs = 5_000
/** A side that is silent for three heartbeats is gone. */
const silenceMs = heartbeatMs * 3

/** The hub closes with this before it restarts, and says in how many milliseconds to come again at the latest. */
const restartCode = 1012

/** How long a hub that restarts asks to be given at the most; null where it says nothing of it. */
export function readHint(code: number, reason: string): number | null {
  const ms = code === restartCode ? /(\d+) ms/.exec(reason)?.[1] : undefined
  return ms === undefined ? null : Math.min(Number(ms), 60_000)
}

/** `urls`: doors of the same market. The first is any of them; after an end the next one is tried. */
export function openLink(urls: string | readonly string[], events: LinkEvents, backoff: Backoff = defaultBackoff): Link {
  const doors = typeof urls === 'string' ? [urls] : urls
  let at = Math.min(doors.length - 1, Math.floor(backoff.random() * doors.length))
  let socket: WebSocket | undefined
  let stopped = false
  let attempt = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let steady: ReturnType<typeof setTimeout> | undefined

  function heard(of: WebSocket): void {
    clearTimeout(silence)
    silence = setTimeout(() => ended(of), silenceMs)
  }

  /** Both `close` and our own decision lead here, once per connection. A dead peer never sends its `close`. */
  function ended(of: WebSocket, hintMs: number | null = null, minMs = 0): void {
    if (of !== socket) return
    socket = undefined
    clearTimeout(silence)
    clearTimeout(steady)
    if (of.readyState === WebSocket.OPEN || of.readyState === WebSocket.CONNECTING) of.close()
    if (stopped) return
    events.down()
    at = (at + 1) % doors.length
    // A hub that says when to come is none that failed.
    if (!stopped) retry = setTimeout(open, minMs + (hintMs === null ? waitMs(attempt++, backoff) : Math.round(backoff.random() * hintMs)))
  }

  function open(): void {
    const own = new WebSocket(doors[at] ?? '')
    own.binaryType = 'arraybuffer'
    socket = own
    heard(own)
    own.addEventListener('message', ({ data }) => {
      if (own !== socket) return
      heard(own)
      if (typeof data === 'string') events.text(data)
      else if (data instanceof ArrayBuffer) events.bytes(new Uint8Array(data))
    })
    own.addEventListener('close', ({ code, reason }) => ended(own, readHint(code, reason)))
    // An `error` is always followed by `close`; the listener keeps it from being an uncaught one.
    own.addEventListener('error', () => {})
  }

  open()
  return {
    send(frame) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(frame)
      return true
    },
    welcomed() {
      clearTimeout(steady)
      steady = setTimeout(() => {
        attempt = 0
      }, steadyMs)
    },
    drop(minMs = 0) {
      if (socket) ended(socket, null, minMs)
    },
    stop() {
      stopped = true
      clearTimeout(retry)
      if (socket) ended(socket)
    },
  }
}

/** `http(s)` or `ws(s)`, with or without the door's path, to the address of the door. */
export function doorUrl(url: string): string {
  const door = new URL(url)
  door.protocol = door.protocol === 'https:' || door.protocol === 'wss:' ? 'wss:' : 'ws:'
  if (door.pathname === '/') door.pathname = '/ioa'
  return door.href
}
