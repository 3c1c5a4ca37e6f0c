/** Receives the values of one event. The emitter reports an exception or a rejection, and calls the other listeners. */
export type Listener<T> = (value: T) => void | Promise<void>

/** Event emitter with one value type per event name. */
export type TypedEmitter<Events extends object> = {
  /** Returns the function that removes the listener. */
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void
  /** Runs all listeners of the event in parallel. Resolves when the last one has finished; never rejects. */
  emit<K extends keyof Events>(name: K, value: Events[K]): Promise<void>
  listenerCount(name: keyof Events): number
}

/** @param onError receives the error of each listener that throws or rejects; the other listeners still run */
export function createTypedEmitter<Events extends object>(onError: (error: unknown) => void): TypedEmitter<Events> {
  const byName: { [K in keyof Events]?: Set<Listener<Events[K]>> } = {}
  return {
    on(name, listener) {
      const set = byName[name] ?? new Set()
      byName[name] = set.add(listener)
      return () => void set.delete(listener)
    },
    async emit(name, value) {
      const runs = [...(byName[name] ?? [])].map(async (listener) => listener(value))
      for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') onError(run.reason)
    },
    listenerCount: (name) => byName[name]?.size ?? 0,
  }
}
