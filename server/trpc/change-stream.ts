import type { Signal, SignalSource } from '../signals/signal.ts'

/** The polling interval, because signals are sent at most once. */
const rereadEveryMs = 15_000

/** The topics of the signals since the last read. Empty: anything may have changed. */
export type ChangedTopics = ReadonlySet<Signal['topic']>

/**
 * Yields at once, and whenever there may be something new: after a matching signal, after a reconnect, and every `everyMs`. Signals that
 * arrive while the reader works are merged.
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
