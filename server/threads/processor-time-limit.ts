/** How often the processor time is read after the limit in real time has passed. */
const readEveryMs = 100
/** The maximum real time, in multiples of the limit. */
const maxSlowness = 12

/** Runs a task whose signal aborts when its limit of processor time is over. */
export async function withinProcessorTime<T>(withinMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  const end = limitProcessorTime(abort, withinMs)
  return run(abort.signal).finally(end)
}

/**
 * Aborts when `withinMs` has passed and this process has also used that much processor time. So a thread that only waits for a busy
 * machine is not ended. After 12 times `withinMs` of real time it aborts in any case.
 * @returns ends the limit
 */
export function limitProcessorTime(abort: AbortController, withinMs: number): () => void {
  const begun = performance.now()
  const before = process.cpuUsage()
  const read = () => {
    const { user, system } = process.cpuUsage(before)
    const isOver = (user + system) / 1_000 >= withinMs || performance.now() - begun >= withinMs * maxSlowness
    if (isOver) abort.abort()
    else timer = setTimeout(read, readEveryMs)
  }
  let timer = setTimeout(read, withinMs)
  return () => clearTimeout(timer)
}
