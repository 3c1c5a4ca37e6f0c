import { mergeInto, type Wake } from './signal.ts'

/** Whoever has said nothing for so long listens no more: four times what they take from one sign of life to the next. */
const goneMs = 20_000
/** So long what nobody else was told is kept for who comes now: far longer than word of a newcomer takes. */
const keptMs = 1_000

/**
 * Which other processes listen, as far as they have said so: to tell where nobody else is costs the database as much as a
 * message does. `welcome`: somebody has come, and these were told to nobody meanwhile.
 */
export type Audience = {
  isEmpty(): boolean
  /** Somebody is there; also ourselves, as our own signs come back. */
  heard(id: string): void
  untold(signals: readonly Wake[]): void
}

export function createAudience(
  own: string,
  welcome: (missed: readonly Wake[]) => void,
  now: () => number = () => performance.now(),
): Audience {
  const others = new Map<string, number>()
  let [kept, older] = [new Map<string, Wake>(), new Map<string, Wake>()]
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
    heard(id) {
      if (id === own) return
      const isNew = !others.has(id)
      others.set(id, now())
      if (!isNew) return
      turn()
      const missed = [...older.values(), ...kept.values()]
      // All who listen are told now, and whoever listens only later reads what stands then.
      older = new Map()
      kept = new Map()
      welcome(missed)
    },
    untold(signals) {
      turn()
      for (const signal of signals) mergeInto(kept, signal)
    },
  }
}
