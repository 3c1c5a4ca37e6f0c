/** How much an agent takes on at once. */
/** So many at work at once; the rest wait in the order of asking, or leave the queue when their signal aborts. */
export function createPlaces(size: number): (signal: AbortSignal) => Promise<() => void> {
  const waiting: (() => void)[] = []
  let taken = 0
  const leave = () => {
    const next = waiting.shift()
    // The place goes straight to the next in line: nobody can step in between.
    if (next) next()
    else taken--
  }
  return async (signal) => {
    if (taken < size) {
      taken++
      return leave
    }
    return new Promise((resolve) => {
      const enter = () => resolve(leave)
      waiting.push(enter)
      signal.addEventListener('abort', () => {
        const at = waiting.indexOf(enter)
        if (at < 0) return
        waiting.splice(at, 1)
        resolve(() => {})
      })
    })
  }
}
