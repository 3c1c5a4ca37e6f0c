/** Publish/subscribe (pub/sub) between processes, by PostgreSQL's LISTEN/NOTIFY or NATS JetStream, with at-most-once delivery. */
import type { Database } from '../db.ts'

/** A change signal: names what changed, never the content. */
export type Signal = {
  readonly topic: 'room' | 'goal' | 'agent' | 'market' | 'channel'
  readonly id: string
  /** For a room: its last sequence number, so that an up-to-date reader need not query. */
  readonly seq?: number
  /** The sender, if it notifies its own process itself. */
  readonly from?: string
}

/** Receives the signals of all processes. After a lost connection subscribers get `reconnected` and must read again. */
export type SignalSource = { on(listener: (signal: Signal | 'reconnected') => void): () => void; close(): Promise<void> }

/** Sends signals between processes, each at most once. Readers therefore also poll. Both adapters pass the same test suite. */
export type SignalBus = SignalSource & {
  /** True if the transaction's commit sends the signals, so that a statement may contain them. */
  readonly isTransactional: boolean
  /** Signals all processes if the transaction commits. */
  write(tx: { readonly db: Database }, signals: readonly Signal[]): Promise<void>
  /** Signals a committed change. Never throws: a failed signal is retried, or readers find the change by polling. */
  publish(signals: readonly Signal[]): void
}

/** Signals all processes if the transaction commits. */
export async function sendSignal(
  ctx: { readonly db: Database; readonly ports: { readonly signals: SignalBus } },
  ...signals: Signal[]
): Promise<void> {
  await ctx.ports.signals.write(ctx, signals)
}

/** Parses a signal; null if invalid. Any client of the database may send one. */
export function parseSignal(value: unknown): Signal | null {
  if (typeof value !== 'object' || value === null) return null
  const { topic, id, seq, from } = value as Signal
  if (typeof topic !== 'string' || typeof id !== 'string') return null
  return { topic, id, ...(typeof seq === 'number' && { seq }), ...(typeof from === 'string' && { from }) }
}

/** Merges two signals about the same object. Where they differ, the result makes readers query. */
export function mergeSignals(a: Signal, b: Signal): Signal {
  const { topic, id } = a
  return {
    topic,
    id,
    ...(a.seq !== undefined && b.seq !== undefined && { seq: Math.max(a.seq, b.seq) }),
    ...(a.from !== undefined && a.from === b.from && { from: a.from }),
  }
}

/** Adds a signal to a set with one entry per object. `maxSignals`: further objects are dropped. */
export function addSignal(waiting: Map<string, Signal>, signal: Signal, maxSignals = Number.POSITIVE_INFINITY): void {
  const key = `${signal.topic} ${signal.id}`
  const other = waiting.get(key)
  if (other || waiting.size < maxSignals) waiting.set(key, other ? mergeSignals(other, signal) : signal)
}
