/** How long the tasks that wait may be, all together and those of one source. */
export type QueueLimits = { readonly together: number; readonly ofSource: number }
type Waiter = { readonly begin: () => void; readonly length: number }

/**
 * So many at once; a source that comes later waits, where what waits is not too long already. Sources take turns, so that one that asks
 * for much delays itself.
 */
export function createFairQueue(maxRunning: number, limits: QueueLimits) {
  /** The source whose turn is next stands first. */
  const waiting = new Map<string, Waiter[]>()
  let [running, together] = [0, 0]
  return {
    /** False where it is not to wait. */
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
