/** Limits what incomplete inbound messages may hold in memory: bytes, fragments and time. */
import type { Duplex } from 'node:stream'
import { maxFrameBytes } from '@parley/protocol'
import type { WebSocket } from 'ws'
import { type BufferBudget, type BufferLimits, createBufferBudget, defaultBufferLimits } from '../../http/buffer-budget.ts'
import { createFrameMeter, type FrameViolation } from './frame-meter.ts'
import { createUnauthenticatedLimiter } from './unauthenticated-limiter.ts'

export type InboundLimitOptions = BufferLimits & {
  /** Before authentication: total bytes on the wire, and bytes of a compressed message. */
  readonly unauthenticatedBytes: number
  readonly unauthenticatedCompressedBytes: number
  readonly fragments: number
  /** The time to complete a message, plus one second for each `bytesPerSecond` of its size. */
  readonly incompleteMs: number
  readonly bytesPerSecond: number
  /** Unauthenticated connections: in total, and per source address. */
  readonly maxUnauthenticated: number
  readonly maxUnauthenticatedPerSource: number
}

export const defaultInboundLimits: InboundLimitOptions = {
  ...defaultBufferLimits,
  unauthenticatedBytes: 16_384,
  unauthenticatedCompressedBytes: 1_024,
  fragments: 1_024,
  incompleteMs: 30_000,
  bytesPerSecond: 65_536,
  maxUnauthenticated: 4_096,
  maxUnauthenticatedPerSource: 1_024,
}

/** Close codes of RFC 6455, section 7.4.1; 4408 as for slow readers. */
const closeCodes = { 'too large': 1009, 'too many fragments': 1008, 'too slow': 4408, 'hub full': 1013, 'no place': 1013 } as const
type Fault = FrameViolation | 'too slow' | 'hub full' | 'no place'
const checkEveryMs = 1_000
/** A disconnected peer is not read from any more, and is terminated after this time. */
const goodbyeMs = 1_000

/** The inbound side of one connection. */
export type InboundLimiter = {
  /** Whether a complete message may be handled. Before authentication a compressed one may have grown too large. */
  accepts(message: Uint8Array): boolean
  /** The connection has authenticated. */
  authenticated(): void
  /** Back-pressure: pauses the socket while too many complete frames wait. */
  setBackPressure(isCrowded: boolean): void
}

export type InboundLimits = {
  /** Whether this source may open one more unauthenticated connection. */
  hasRoomFor(source: string): boolean
  /** Starts before the first read. `cutOff`: sends the reason to the peer and closes. */
  watch(line: { readonly socket: WebSocket; readonly raw: Duplex; readonly source: string }, cutOff: Disconnect): InboundLimiter
  /** Memory held by incomplete messages and request bodies. */
  readonly holdings: BufferBudget
  close(): void
}
type Disconnect = (code: number, reason: string) => void
type Watched = { readonly check: (now: number) => void }

export function createInboundLimits(limits: InboundLimitOptions = defaultInboundLimits): InboundLimits {
  const watched = new Set<Watched>()
  const unauthenticated = createUnauthenticatedLimiter({
    maxTotal: limits.maxUnauthenticated,
    maxPerSource: limits.maxUnauthenticatedPerSource,
  })
  const holdings = createBufferBudget(limits)
  const timer = setInterval(() => {
    const now = Date.now()
    for (const one of watched) one.check(now)
  }, checkEveryMs)
  timer.unref()

  return {
    hasRoomFor: unauthenticated.hasRoomFor,
    watch({ socket, raw, source }, cutOff) {
      const release = unauthenticated.acquire(source, () => line.end('no place'))
      const line = limitConnection(socket, raw, limits, cutOff, { holdings, authenticated: release })
      watched.add(line)
      socket.once('close', () => {
        watched.delete(line)
        line.gone()
      })
      return line
    },
    holdings,
    close: () => clearInterval(timer),
  }
}

type Totals = { readonly holdings: BufferBudget; authenticated(): void }

function limitConnection(
  socket: WebSocket,
  raw: Duplex,
  limits: InboundLimitOptions,
  disconnect: Disconnect,
  totals: Totals,
): InboundLimiter & Watched & { gone(): void; end(fault: Fault): void } {
  const meter = createFrameMeter()
  let [isAuthenticated, isEnded, counted] = [false, false, 0]
  let begunAt: number | null = null
  // Many agents may share one address, so there is no limit per address. Under pressure the largest connection ends first.
  const holding = totals.holdings.open(null, () => end('hub full'))
  const small = {
    messageBytes: limits.unauthenticatedBytes,
    compressedBytes: limits.unauthenticatedCompressedBytes,
    fragments: limits.fragments,
  }
  const large = { messageBytes: maxFrameBytes, compressedBytes: maxFrameBytes, fragments: limits.fragments }

  function end(fault: Fault): void {
    if (isEnded) return
    isEnded = true
    holding.close()
    disconnect(closeCodes[fault], reasons[fault])
    // Data that still arrives would be held until the close handshake ends.
    socket.pause()
    setTimeout(() => socket.terminate(), goodbyeMs).unref()
  }

  function count(bytes: number): void {
    const change = bytes - counted
    counted = bytes
    if (change !== 0 && !holding.add(change)) end('hub full')
  }

  const read = (chunk: Buffer) => {
    if (isEnded) return
    const complete = meter.messages
    const fault = meter.read(chunk, isAuthenticated ? large : small)
    if (fault !== null) return end(fault)
    if (!isAuthenticated && meter.bytes > limits.unauthenticatedBytes) return end('too large')
    if (meter.incompleteBytes === 0) begunAt = null
    else if (begunAt === null || meter.messages !== complete) begunAt = Date.now()
    count(meter.incompleteBytes)
  }
  // Runs before the listener of the WebSocket, which buffers the data.
  raw.prependListener('data', read)

  return {
    accepts(message) {
      if (!isAuthenticated && message.length > limits.unauthenticatedBytes) end('too large')
      return !isEnded
    },
    authenticated() {
      if (isAuthenticated) return
      isAuthenticated = true
      totals.authenticated()
    },
    setBackPressure(isCrowded) {
      if (isEnded || isCrowded === socket.isPaused) return
      if (isCrowded) return socket.pause()
      // Time under back-pressure does not count against the sender.
      if (begunAt !== null) begunAt = Date.now()
      socket.resume()
    },
    check(now) {
      if (begunAt === null || socket.isPaused) return
      if (now - begunAt > limits.incompleteMs + (meter.incompleteBytes / limits.bytesPerSecond) * 1_000) end('too slow')
    },
    end,
    gone() {
      if (!isEnded) holding.close()
      isEnded = true
      if (!isAuthenticated) totals.authenticated()
    },
  }
}

const reasons = {
  'too large': 'a message is too large, or was sent before a hello',
  'too many fragments': 'a message has too many fragments',
  'too slow': 'a message was begun and not completed in time',
  'hub full': 'this hub holds too much that is not complete, come again',
  'no place': 'no hello came, and others wait, come again',
} as const satisfies Record<Fault, string>
