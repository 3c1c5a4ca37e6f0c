/** The maximum length of all waiting tasks, in total and per source. */
export type QueueLimits = { readonly together: number; readonly ofSource: number }
type Waiter = { readonly begin: () => void; readonly length: number }

/** A queue with limited concurrency that serves its sources round-robin, so that a source with many tasks delays only itself. */
export function createFairQueue(maxRunning: number, limits: QueueLimits) {
  /** The next source comes first. */
  const waiting = new Map<string, Waiter[]>()
  let [running, together] = [0, 0]
  return {
    /** False if the queue is full. */
    async take(source: string, length: number): Promise<boolean> {
      if (running < maxRunning) {
        running++
        return true
      }
      const own = waiting.get(source) ?? []
      const ofSource = own.reduce((sum, one) => sum + one.length, 0)
      if (together + length > limits.together || ofSource + length > limits.ofSource) return false
      together += length
      waiting.set(source, own)
      await new Promise<void>((begin) => own.push({ begin, length }))
      return true
    },
    give(): void {
      const [first] = waiting
      const next = first?.[1].shift()
      if (!first || !next) {
        running--
        return
      }
      const [source, rest] = first
      waiting.delete(source)
      if (rest.length > 0) waiting.set(source, rest)
      together -= next.length
      next.begin()
    },
  }
}
