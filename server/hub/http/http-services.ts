import type { IncomingMessage } from 'node:http'
import type { ConcurrencyLimiter } from '../../http/concurrency-limiter.ts'
import type { InboundLimits } from '../connection/incomplete-message-limits.ts'
import type { PollLimiter } from './poll-limiter.ts'
import type { PollingPresence } from './polling-presence.ts'

/** What the routes need from the hub, including its health and metrics. */
export type HttpServices = {
  /** Why the hub is not ready, in one sentence; null if it is. */
  notReadyReason(): Promise<string | null>
  metrics(): Promise<string>
  /** Conditions for an operator, one sentence each. The hub is ready nevertheless. */
  warnings(): Promise<readonly string[]>
  /** Aborted when the hub stops, so that waiting requests are answered. */
  readonly closing: AbortSignal
  /** The rate limit key of a request; see `rateSource`. */
  sourceOf(request: IncomingMessage): string
  readonly streams: ConcurrencyLimiter
  readonly pollLimiter: PollLimiter
  readonly pollingPresence: PollingPresence
  readonly inboundLimits: InboundLimits
}
