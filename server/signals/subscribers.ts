import type { Log } from '../log.ts'
import type { Signal, SignalSource } from './signal.ts'

type SignalEvent = Signal | 'reconnected'

/** The subscribers in this process. A failing one does not affect the others. */
export function createSubscribers(log: Log): { notifySubscribers(signal: SignalEvent): void; on: SignalSource['on'] } {
  const listeners = new Set<(signal: SignalEvent) => void>()
  return {
    notifySubscribers(signal) {
      for (const listener of listeners) {
        try {
          listener(signal)
        } catch (error) {
          log.error({ event: 'signal.subscriber_failed', err: error }, 'A subscriber failed on a signal.')
        }
      }
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
