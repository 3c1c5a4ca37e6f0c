/** Waits for a permit. Resolves with the function that releases it. An aborted caller leaves the queue with a release that does nothing. */
export type Semaphore = (signal: AbortSignal) => Promise<() => void>

/** Counting semaphore with a FIFO queue. @param permits how many callers may hold a permit at the same time */
export function createSemaphore(permits: number): Semaphore {
  const queue: (() => void)[] = []
  let held = 0
  const release = () => {
    const next = queue.shift()
    // Direct hand-off: a new caller cannot overtake the queue.
    if (next) next()
    else held--
  }
  return async (signal) => {
    if (held < permits) {
      held++
      return release
    }
    return new Promise((resolve) => {
      const enter = () => resolve(release)
      queue.push(enter)
      signal.addEventListener('abort', () => {
        const at = queue.indexOf(enter)
        if (at < 0) return
        queue.splice(at, 1)
        resolve(() => {})
      })
    })
  }
}
