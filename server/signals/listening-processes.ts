import { addSignal, type Signal } from './signal.ts'

/** Whoever has said nothing for so long listens no more: four times what they take from one sign of life to the next. */
const goneMs = 20_000
/** So long what nobody else was told is kept for who comes now: far longer than word of a newcomer takes. */
const keptMs = 1_000

/**
 * Which other processes listen, as far as they have said so: to tell where nobody else is costs the database as much as a
 * message does. `welcome`: somebody has come, and these were told to nobody meanwhile.
 */
export type ListeningProcesses = {
  isEmpty(): boolean
  /** Somebody is there; also ourselves, as our own signs come back. */
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
      // All who listen are told now, and whoever listens only later reads what stands then.
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
