/** Limits what incomplete inbound messages may hold in memory: bytes, fragments and time. */
import type { Duplex } from 'node:stream'
import { maxFrameBytes } from '@parley/protocol'
import type { WebSocket } from 'ws'
import {
  type BufferBudget,
  type BufferLimits,
  type BufferReservation,
  createBufferBudget,
  defaultBufferLimits,
} from '../../http/buffer-budget.ts'
import { createFrameMeter, type FrameLimits, type FrameMeter, type FrameViolation } from './frame-meter.ts'
import { createUnauthenticatedConnectionLimiter } from './unauthenticated-connection-limiter.ts'

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
/** After the close frame the server reads no more data, and terminates the socket after this time. */
const closeTimeoutMs = 1_000

/** The inbound side of one connection. */
export type InboundLimiter = {
  /** Whether a complete message may be handled. Before authentication a compressed one may have grown too large. */
  accepts(message: Uint8Array): boolean
  /** Call this after the connection has authenticated. */
  authenticated(): void
  /** Back-pressure: pauses the socket while too many complete frames wait. */
  setBackPressure(isCrowded: boolean): void
}

export type InboundLimits = {
  /** Whether this source may open one more unauthenticated connection. */
  hasCapacityFor(source: string): boolean
  /** Starts before the first read. `disconnect`: sends the reason to the peer and closes. */
  watch(line: { readonly socket: WebSocket; readonly raw: Duplex; readonly source: string }, disconnect: Disconnect): InboundLimiter
  /** Memory held by incomplete messages and request bodies. */
  readonly budget: BufferBudget
  close(): void
}
type Disconnect = (code: number, reason: string) => void

type InboundState = {
  readonly socket: WebSocket
  readonly disconnect: Disconnect
  readonly limits: InboundLimitOptions
  readonly meter: FrameMeter
  readonly holding: BufferReservation
  /** Gives up the place among the unauthenticated connections. */
  readonly releasePlace: () => void
  frameLimits: FrameLimits
  /** The bytes that `holding` counts. */
  heldBytes: number
  /** When the incomplete message began. */
  begunAt: number | null
  isAuthenticated: boolean
  isEnded: boolean
}

export function createIncompleteMessageLimits(limits: InboundLimitOptions = defaultInboundLimits): InboundLimits {
  const watched = new Set<InboundState>()
  const unauthenticated = createUnauthenticatedConnectionLimiter({
    maxTotal: limits.maxUnauthenticated,
    maxPerSource: limits.maxUnauthenticatedPerSource,
  })
  const budget = createBufferBudget(limits)
  const smallFrames = smallFramesOf(limits)
  const largeFrames = { messageBytes: maxFrameBytes, compressedBytes: maxFrameBytes, fragments: limits.fragments }
  const timer = setInterval(() => {
    const now = Date.now()
    for (const state of watched) if (isTooSlow(state, now)) end(state, 'too slow')
  }, checkEveryMs)
  timer.unref()

  return {
    hasCapacityFor: unauthenticated.hasCapacityFor,
    watch({ socket, raw, source }, disconnect) {
      const state: InboundState = {
        socket,
        disconnect,
        limits,
        meter: createFrameMeter(),
        releasePlace: unauthenticated.acquire(source, () => end(state, 'no place')),
        // Many agents may share one address, so there is no limit per address. Under pressure the largest connection ends first.
        holding: budget.open(null, () => end(state, 'hub full')),
        frameLimits: smallFrames,
        heldBytes: 0,
        begunAt: null,
        isAuthenticated: false,
        isEnded: false,
      }
      // Runs before the listener of the WebSocket, which buffers the data.
      raw.prependListener('data', (chunk: Buffer) => readChunk(state, chunk))
      watched.add(state)
      socket.once('close', () => {
        watched.delete(state)
        release(state)
      })
      return limiterOf(state, largeFrames)
    },
    budget,
    close: () => clearInterval(timer),
  }
}

const smallFramesOf = ({ unauthenticatedBytes, unauthenticatedCompressedBytes, fragments }: InboundLimitOptions): FrameLimits => ({
  messageBytes: unauthenticatedBytes,
  compressedBytes: unauthenticatedCompressedBytes,
  fragments,
})

function limiterOf(state: InboundState, authenticatedFrames: FrameLimits): InboundLimiter {
  const { socket, limits } = state
  return {
    accepts(message) {
      if (!state.isAuthenticated && message.length > limits.unauthenticatedBytes) end(state, 'too large')
      return !state.isEnded
    },
    authenticated() {
      if (state.isAuthenticated) return
      state.isAuthenticated = true
      state.frameLimits = authenticatedFrames
      state.releasePlace()
    },
    setBackPressure(isCrowded) {
      if (state.isEnded || isCrowded === socket.isPaused) return
      if (isCrowded) return socket.pause()
      // Time under back-pressure does not count against the sender.
      if (state.begunAt !== null) state.begunAt = Date.now()
      socket.resume()
    },
  }
}

function readChunk(state: InboundState, chunk: Buffer): void {
  if (state.isEnded) return
  const { meter, limits } = state
  const complete = meter.messages
  const violation = meter.read(chunk, state.frameLimits)
  if (violation !== null) {
    end(state, violation)
    return
  }
  if (!state.isAuthenticated && meter.bytes > limits.unauthenticatedBytes) {
    end(state, 'too large')
    return
  }
  if (meter.incompleteBytes === 0) state.begunAt = null
  else if (state.begunAt === null || meter.messages !== complete) state.begunAt = Date.now()
  hold(state, meter.incompleteBytes)
}

function hold(state: InboundState, bytes: number): void {
  const change = bytes - state.heldBytes
  state.heldBytes = bytes
  if (change !== 0 && !state.holding.add(change)) end(state, 'hub full')
}

function isTooSlow({ socket, limits, meter, begunAt }: InboundState, now: number): boolean {
  if (begunAt === null || socket.isPaused) return false
  return now - begunAt > limits.incompleteMs + (meter.incompleteBytes / limits.bytesPerSecond) * 1_000
}

function end(state: InboundState, fault: Fault): void {
  if (state.isEnded) return
  const { socket } = state
  state.isEnded = true
  state.holding.close()
  state.disconnect(closeCodes[fault], reasons[fault])
  // Data that still arrives would be held until the close handshake ends.
  socket.pause()
  setTimeout(() => socket.terminate(), closeTimeoutMs).unref()
}

/** The socket has closed. */
function release(state: InboundState): void {
  if (!state.isEnded) state.holding.close()
  state.isEnded = true
  if (!state.isAuthenticated) state.releasePlace()
}

const reasons = {
  'too large': 'a message is too large, or was sent before a hello',
  'too many fragments': 'a message has too many fragments',
  'too slow': 'a message was begun and not completed in time',
  'hub full': 'this hub holds too much that is not complete, come again',
  'no place': 'no hello came, and others wait, come again',
} as const satisfies Record<Fault, string>
