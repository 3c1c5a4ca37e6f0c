/** Limits concurrent streams and polls, in total and per caller. Each one holds a connection and reads the log on every change. */
import { DomainError } from '../errors.ts'

const defaultMaxTotal = 5_000
const defaultMaxPerCaller = 100
const goalHint = 'End one, or ask for the goal again instead of following it.'

export type ConcurrencyLimiter = {
  /**
   * Acquires one slot, which counts for each key of `who`. Returns the function that releases it.
   * @throws rate.exceeded
   */
  take(...who: string[]): () => void
  readonly size: number
}

export type ConcurrencyLimits = {
  readonly maxTotal?: number
  readonly maxPerCaller?: number
  readonly what?: string
  readonly hint?: string
}

export function createConcurrencyLimiter(limits: ConcurrencyLimits = {}): ConcurrencyLimiter {
  const { maxTotal = defaultMaxTotal, maxPerCaller = defaultMaxPerCaller, what = 'streams', hint = goalHint } = limits
  const open = new Map<string, number>()
  let size = 0
  return {
    take(...who) {
      const isOwn = who.some((one) => (open.get(one) ?? 0) >= maxPerCaller)
      if (size >= maxTotal || isOwn)
        throw new DomainError('rate.exceeded', `${isOwn ? 'You have' : 'This server has'} the maximum number of open ${what}.`, {
          hint,
          facts: { retry_after_seconds: 30 },
        })
      size += 1
      for (const one of who) open.set(one, (open.get(one) ?? 0) + 1)
      let isGiven = false
      return () => {
        if (isGiven) return
        isGiven = true
        size -= 1
        for (const one of who) {
          const left = (open.get(one) ?? 1) - 1
          if (left > 0) open.set(one, left)
          else open.delete(one)
        }
      }
    },
    get size() {
      return size
    },
  }
}
