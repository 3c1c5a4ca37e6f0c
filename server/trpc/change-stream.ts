import type { Signal, SignalSource } from '../signals/signal.ts'

/** So often everything is read again, because signals are sent at most once. */
const rereadEveryMs = 15_000

/** What signals have told since the last look. Empty: anything may have changed. */
export type ChangedTopics = ReadonlySet<Signal['topic']>

/**
 * Yields at once, and then whenever there may be something new to read: at a signal that matches, after a lost connection, and
 * every `everyMs`. Signals that come while the reader works are one.
 */
export async function* changeStream(
  listener: SignalSource,
  isMine: (signal: Signal) => boolean,
  abort: AbortSignal | undefined,
  everyMs = rereadEveryMs,
): AsyncGenerator<ChangedTopics> {
  let due: 'all' | Set<Signal['topic']> | null = 'all'
  let ring = () => {}
  const wakeAll = () => {
    due = 'all'
    ring()
  }
  const off = listener.on((signal) => {
    if (signal === 'reconnected') return wakeAll()
    if (!isMine(signal)) return
    if (due !== 'all') due = (due ?? new Set()).add(signal.topic)
    ring()
  })
  const timer = setInterval(wakeAll, everyMs)
  abort?.addEventListener('abort', wakeAll)
  try {
    while (!abort?.aborted) {
      if (due !== null) {
        const moved: ChangedTopics = due === 'all' ? new Set() : due
        due = null
        yield moved
        continue
      }
      await new Promise<void>((resolve) => {
        ring = resolve
      })
    }
  } finally {
    off()
    clearInterval(timer)
    abort?.removeEventListener('abort', wakeAll)
    ring()
  }
}
