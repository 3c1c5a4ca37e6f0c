/** Publish/subscribe (pub/sub) between processes, by PostgreSQL's LISTEN/NOTIFY or NATS JetStream. */
import type { Context } from '../context.ts'

/** What processes tell one another: only that something is there to read, never the thing itself. */
export type Signal = {
  readonly topic: 'group' | 'goal' | 'agent' | 'market' | 'channel'
  readonly id: string
  /** Of a group: its last message, so that who has it need not look. */
  readonly seq?: number
  /** Who wrote it, where that one tells its own process by itself. */
  readonly from?: string
}

/** Hears what processes tell. After a lost connection listeners get `reconnected` and must read again. */
export type SignalSource = { on(listener: (signal: Signal | 'reconnected') => void): () => void; close(): Promise<void> }

/**
 * Carries signals between processes, each at most once: who waits for one also looks by itself now and then. The adapters
 * stand in `wake/`; one suite tests them all.
 */
export type SignalBus = SignalSource & {
  /** True where what is written in a transaction is told by its commit, so that a statement may say so in its own text. */
  readonly isTransactional: boolean
  /** Tells all processes, when and if the transaction commits. */
  write(tx: Context, signals: readonly Signal[]): Promise<void>
  /** Tells what has been committed already. Never fails: what can't be told now is told later, or found by looking. */
  publish(signals: readonly Signal[]): void
}

/** Tells all processes, when and if the transaction commits. */
export async function sendSignal(ctx: Context, ...signals: Signal[]): Promise<void> {
  await ctx.ports.signals.write(ctx, signals)
}

/** One signal, or null: anybody who may connect may tell, and what is no signal is passed over. */
export function parseSignal(value: unknown): Signal | null {
  if (typeof value !== 'object' || value === null) return null
  const { topic, id, seq, from } = value as Signal
  if (typeof topic !== 'string' || typeof id !== 'string') return null
  return { topic, id, ...(typeof seq === 'number' && { seq }), ...(typeof from === 'string' && { from }) }
}

/** One signal that says what both say: to everybody whom either concerns, and to look where either leaves the place open. */
export function mergeSignals(a: Signal, b: Signal): Signal {
  const { topic, id } = a
  return {
    topic,
    id,
    ...(a.seq !== undefined && b.seq !== undefined && { seq: Math.max(a.seq, b.seq) }),
    ...(a.from !== undefined && a.from === b.from && { from: a.from }),
  }
}

/** Puts a signal among those that wait, one for each thing that has changed. `most`: so many things; one more is left out. */
export function addSignal(waiting: Map<string, Signal>, signal: Signal, maxSignals = Number.POSITIVE_INFINITY): void {
  const key = `${signal.topic} ${signal.id}`
  const other = waiting.get(key)
  if (other || waiting.size < maxSignals) waiting.set(key, other ? mergeSignals(other, signal) : signal)
}
