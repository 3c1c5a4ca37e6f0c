/** Listeners by event name, typed. A listener that throws is reported and harms nobody else. */
export type Listener<T> = (value: T) => void | Promise<void>

export type Listeners<Events extends object> = {
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void
  /** Runs all listeners of the event; resolves when the last has finished. */
  emit<K extends keyof Events>(name: K, value: Events[K]): Promise<void>
  count(name: keyof Events): number
}

export function createListeners<Events extends object>(failed: (error: unknown) => void): Listeners<Events> {
  const byName: { [K in keyof Events]?: Set<Listener<Events[K]>> } = {}
  return {
    on(name, listener) {
      const set = byName[name] ?? new Set()
      byName[name] = set.add(listener)
      return () => void set.delete(listener)
    },
    async emit(name, value) {
      const runs = [...(byName[name] ?? [])].map(async (listener) => listener(value))
      for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') failed(run.reason)
    },
    count: (name) => byName[name]?.size ?? 0,
  }
}
