/** Hands things on in the order in which each sender's came, however long each of them takes to be ready. */
export type PerSenderQueue<T> = {
  enqueue(sender: string, given: T | Promise<T>, then: (ready: T) => void, fail: (error: unknown) => void): void
}

export function createPerSenderQueue<T>(): PerSenderQueue<T> {
  const lastOf = new Map<string, Promise<unknown>>()
  return {
    enqueue(sender, given, then, fail) {
      const before = lastOf.get(sender)
      if (!before && !(given instanceof Promise)) return then(given)
      const ready = Promise.resolve(given)
      const handed = (before ?? ready)
        .then(() => ready)
        .then(then, fail)
        .finally(() => {
          if (lastOf.get(sender) === handed) lastOf.delete(sender)
        })
      // Its own fault is its own answer.
      ready.catch(() => undefined)
      lastOf.set(sender, handed)
    },
  }
}
