import type { Log } from '../log.ts'
import type { Wake, WakeListener } from './signal.ts'

type Heard = Wake | 'reconnected'

/** Who listens in this process. One whose work fails keeps nobody else from hearing. */
export function createListeners(log: Log): { tell(signal: Heard): void; on: WakeListener['on'] } {
  const listeners = new Set<(signal: Heard) => void>()
  return {
    tell(signal) {
      for (const listener of listeners) {
        try {
          listener(signal)
        } catch (error) {
          log.error({ err: error }, 'a signal was not taken')
        }
      }
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
