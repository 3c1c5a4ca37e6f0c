import { addSignal, type Signal } from './signal.ts'

/** A process that is silent for this long is gone: four times the announcement interval. */
const goneMs = 20_000
/** How long unsent signals are kept for a new process: far longer than its announcement takes. */
const keptMs = 1_000

/**
 * The other processes that listen, by their announcements. Without listeners nothing is sent, because NOTIFY costs the database as much
 * as a message. `onNewListener`: a process has appeared; it gets the signals that were not sent.
 */
export type ListeningProcesses = {
  isEmpty(): boolean
  /** A process announces itself. Our own announcements also arrive here. */
  markListening(id: string): void
  keepUnsent(signals: readonly Signal[]): void
}

export function trackListeningProcesses(
  own: string,
  onNewListener: (missed: readonly Signal[]) => void,
  now: () => number = () => performance.now(),
): ListeningProcesses {
  const others = new Map<string, number>()
  let [kept, older] = [new Map<string, Signal>(), new Map<string, Signal>()]
  let turnedAt = now()

  function turn(): void {
    const passed = now() - turnedAt
    if (passed < keptMs) return
    older = passed < 2 * keptMs ? kept : new Map()
    kept = new Map()
    turnedAt = now()
  }

  return {
    isEmpty() {
      for (const [id, at] of others) if (now() - at > goneMs) others.delete(id)
      return others.size === 0
    },
    markListening(id) {
      if (id === own) return
      const isNew = !others.has(id)
      others.set(id, now())
      if (!isNew) return
      turn()
      const missed = [...older.values(), ...kept.values()]
      // All current listeners get these signals now. A process that appears later reads the current state.
      older = new Map()
      kept = new Map()
      onNewListener(missed)
    },
    keepUnsent(signals) {
      turn()
      for (const signal of signals) addSignal(kept, signal)
    },
  }
}
