/** A WebSocket that reconnects: exponential back-off with full jitter, and a timeout for silent connections. It carries text. */

import { heartbeatMs } from '@parley/protocol'
import { openWebSocket } from '#open-websocket'

/** Exponential back-off with full jitter, which prevents a thundering herd after a restart of a hub. */
export type Backoff = {
  /** Upper bound of the first wait, milliseconds. */
  readonly baseMs: number
  /** Upper bound of every wait, milliseconds. */
  readonly capMs: number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Waits of at most 250 ms at first, doubling up to 30 s. */
export const defaultBackoff: Backoff = { baseMs: 250, capMs: 30_000, random: Math.random }

/** Full jitter: uniform between 0 and the exponential bound, so that many agents do not reconnect at the same moment. */
export function backoffMs(attempt: number, { baseMs, capMs, random }: Backoff): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)))
}

/** What the socket calls. `text`: one received text frame. */
export type SocketEvents = {
  text(text: string): void
  /** The connection ended. The socket reconnects. */
  disconnected(): void
}

/** A WebSocket to one of several hubs. It connects again until it is closed. */
export type ReconnectingSocket = {
  /** False if no connection is open. The frame is then dropped. */
  send(text: string): boolean
  /** Marks the handshake as complete. If the connection then lasts, the back-off starts again at `baseMs`. */
  markWelcomed(): void
  /** Ends this connection. The next attempt follows after at least `minMs` milliseconds. */
  reconnect(minMs?: number): void
  /** Ends the connection without another attempt. */
  close(): void
}

/** A connection that lasts this long after its handshake resets the back-off. */
const stableConnectionMs = 5_000
/** Three missed heartbeats count as a dead peer. */
const idleTimeoutMs = heartbeatMs * 3

/** WebSocket close code 1012, Service Restart. Its reason holds the longest wait, for example `3000 ms`. */
const restartCode = 1012

/** The longest wait, in milliseconds, that a restarting hub asks for, at most 60 s. Null if it names none. */
export function readRestartDelayMs(code: number, reason: string): number | null {
  const ms = code === restartCode ? /(\d+) ms/.exec(reason)?.[1] : undefined
  return ms === undefined ? null : Math.min(Number(ms), 60_000)
}

type State = {
  readonly urls: readonly string[]
  readonly events: SocketEvents
  readonly backoff: Backoff
  urlIndex: number
  socket: WebSocket | undefined
  isClosed: boolean
  /** Failed attempts since the last stable connection. */
  attempt: number
  retryTimer?: ReturnType<typeof setTimeout>
  idleTimer?: ReturnType<typeof setTimeout>
  stableTimer?: ReturnType<typeof setTimeout>
}

/** `urls`: addresses of the same market. The first connection takes one at random, each later one the next in the list. */
export function openReconnectingSocket(
  urls: string | readonly string[],
  events: SocketEvents,
  backoff: Backoff = defaultBackoff,
): ReconnectingSocket {
  const list = typeof urls === 'string' ? [urls] : urls
  const urlIndex = Math.min(list.length - 1, Math.floor(backoff.random() * list.length))
  const state: State = { urls: list, events, backoff, urlIndex, socket: undefined, isClosed: false, attempt: 0 }
  open(state)
  return {
    send(text) {
      if (!state.socket || state.socket.readyState !== state.socket.OPEN) return false
      state.socket.send(text)
      return true
    },
    markWelcomed() {
      clearTimeout(state.stableTimer)
      state.stableTimer = setTimeout(() => {
        state.attempt = 0
      }, stableConnectionMs)
    },
    reconnect(minMs = 0) {
      if (state.socket) endConnection(state, state.socket, null, minMs)
    },
    close() {
      state.isClosed = true
      clearTimeout(state.retryTimer)
      if (state.socket) endConnection(state, state.socket)
    },
  }
}

function open(state: State): void {
  const socket = openWebSocket(state.urls[state.urlIndex] ?? '')
  state.socket = socket
  restartIdleTimer(state, socket)
  socket.addEventListener('message', ({ data }) => {
    if (socket !== state.socket) return
    restartIdleTimer(state, socket)
    if (typeof data === 'string') state.events.text(data)
  })
  socket.addEventListener('close', ({ code, reason }) => endConnection(state, socket, readRestartDelayMs(code, reason)))
  // `close` follows every `error`. Without a listener, Node would throw the error.
  socket.addEventListener('error', () => {})
}

function restartIdleTimer(state: State, socket: WebSocket): void {
  clearTimeout(state.idleTimer)
  state.idleTimer = setTimeout(() => endConnection(state, socket), idleTimeoutMs)
}

/** Runs once per connection. It does not wait for the `close` event, because a dead peer never sends one. */
function endConnection(state: State, socket: WebSocket, restartDelayMs: number | null = null, minMs = 0): void {
  if (socket !== state.socket) return
  state.socket = undefined
  clearTimeout(state.idleTimer)
  clearTimeout(state.stableTimer)
  if (socket.readyState === socket.OPEN || socket.readyState === socket.CONNECTING) socket.close()
  if (state.isClosed) return
  state.events.disconnected()
  state.urlIndex = (state.urlIndex + 1) % state.urls.length
  // The listener may have closed the socket.
  if (state.isClosed) return
  // An announced restart does not count as a failed attempt.
  const wait = restartDelayMs === null ? backoffMs(state.attempt++, state.backoff) : Math.round(state.backoff.random() * restartDelayMs)
  state.retryTimer = setTimeout(() => open(state), minMs + wait)
}

/** The WebSocket address of a hub. `url`: `http(s)` or `ws(s)`, with or without the path `/v1/ws`. */
export function hubSocketUrl(url: string): string {
  const address = new URL(url)
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:'
  if (address.pathname === '/') address.pathname = '/v1/ws'
  return address.href
}
