import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Gives back to the machine what loading the program, or a crowd that came and went, has left behind: it would otherwise stay
 * with the process. Nothing else is done for some tenths of a second.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** What a hub has done so far: connections that came or went, and messages that were said. */
export type Activity = { readonly moves: number; readonly said: number }

const everyMs = 4_000
/** Each leaves some ten kilobytes behind. */
const minMoves = 1_000

/** Whether it is worth it, and disturbs nobody: many have come or gone since it was last done, and since a while ago nothing has happened. */
export function isIdleAfterChurn(lastTime: Activity, whileAgo: Activity, now: Activity): boolean {
  return now.moves - lastTime.moves >= minMoves && now.moves === whileAgo.moves && now.said === whileAgo.said
}

/** Gives memory back whenever it is time to; ends with the returned function. */
export function startIdleGc(look: () => Activity): () => void {
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
