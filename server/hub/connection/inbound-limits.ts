/** Bounds what strangers and agents may make this hub hold of messages that are not complete, in bytes, fragments and time. */
import type { Duplex } from 'node:stream'
import { maxFrameBytes } from '@parley/protocol'
import type { WebSocket } from 'ws'
import { createHoldings, type HoldingLimits, type Holdings, holdingLimits } from '../../network/holdings.ts'
import { createFrameMeter, type FrameViolation } from './frame-meter.ts'
import { createUnauthenticatedLimiter } from './unauthenticated-limiter.ts'

export type InboundLimitOptions = HoldingLimits & {
  /** Before authentication: bytes on the wire in all, and of a compressed message. */
  readonly unauthenticatedBytes: number
  readonly unauthenticatedCompressedBytes: number
  readonly fragments: number
  /** A message that has begun is complete after so long, and a second for each `bytesPerSecond` of it. */
  readonly incompleteMs: number
  readonly bytesPerSecond: number
  /** Connections that have not authenticated: in all, and of one address. */
  readonly maxUnauthenticated: number
  readonly maxUnauthenticatedPerSource: number
}

export const defaultInboundLimits: InboundLimitOptions = {
  ...holdingLimits,
  unauthenticatedBytes: 16_384,
  unauthenticatedCompressedBytes: 1_024,
  fragments: 1_024,
  incompleteMs: 30_000,
  bytesPerSecond: 65_536,
  maxUnauthenticated: 4_096,
  maxUnauthenticatedPerSource: 1_024,
}

/** Close codes of RFC 6455, section 7.4.1; 4408 as for who reads too slowly. */
const closeCodes = { 'too large': 1009, 'too many fragments': 1008, 'too slow': 4408, 'hub full': 1013, 'no place': 1013 } as const
type Fault = FrameViolation | 'too slow' | 'hub full' | 'no place'
const checkEveryMs = 1_000
/** A peer that was told to go is not read from, and gone after so long. */
const goodbyeMs = 1_000

/** One connection, as far as it is read from. */
export type InboundLimiter = {
  /** Whether a message that is complete may be read: before authentication a compressed one may have grown too large. */
  accepts(message: Uint8Array): boolean
  /** It has authenticated. */
  authenticated(): void
  /** Whether frames that are complete wait for their turn in such a number that none is to be read. */
  setBackPressure(isCrowded: boolean): void
}

export type InboundLimits = {
  /** Whether one more connection that has not authenticated may come from here. */
  hasRoomFor(source: string): boolean
  /** Begins before anything of the connection is read. `cutOff`: tells the peer why it ends, and closes. */
  watch(line: { readonly socket: WebSocket; readonly raw: Duplex; readonly source: string }, cutOff: Disconnect): InboundLimiter
  /** What this hub holds of incomplete messages and of request bodies. */
  readonly holdings: Holdings
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
  const holdings = createHoldings(limits)
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

type Totals = { readonly holdings: Holdings; authenticated(): void }

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
  // Agents behind one address are many: here the largest ends first, and nobody has a share.
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
    // What it still sends would be held until it has said goodbye.
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
  // Ahead of the one that keeps what comes.
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
      // Time in which nothing was read is not the sender's.
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
