/**
 * A keyed FIFO queue: passes items on in the order of each sender, however long each item takes to become ready. Head-of-line blocking
 * stays within one sender.
 */
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
      // The rejection is already reported through `fail`.
      ready.catch(() => undefined)
      lastOf.set(sender, handed)
    },
  }
}
