import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Forces a garbage collection that returns memory to the operating system. It blocks the process for some tenths of a second. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** The activity of a hub so far: connections opened or closed, and messages written. */
export type Activity = { readonly moves: number; readonly messages: number }

const everyMs = 4_000
/** Each connection leaves about ten kilobytes. */
const minMoves = 1_000

/** True if many connections came or went since the last collection, and nothing happened recently. */
export function isIdleAfterChurn(lastTime: Activity, whileAgo: Activity, now: Activity): boolean {
  return now.moves - lastTime.moves >= minMoves && now.moves === whileAgo.moves && now.messages === whileAgo.messages
}

/** Collects garbage after churn while the hub is idle. Returns the function that stops it. */
export function startIdleGarbageCollection(look: () => Activity): () => void {
  let lastTime = look()
  let whileAgo = lastTime
  const timer = setInterval(() => {
    const now = look()
    if (isIdleAfterChurn(lastTime, whileAgo, now)) {
      lastTime = now
      collectGarbage()
    }
    whileAgo = now
  }, everyMs)
  return () => clearInterval(timer)
}
