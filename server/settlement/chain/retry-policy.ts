import { maxRetryAt } from './retry-delay.ts'
import { type ChainTransaction, isLive } from './transaction.ts'

/**
 * Whether another attempt at the same effect may begin. `isSameCall`: it would call what the last one called; where that was
 * given up, another call (another signature, another wish) is a new matter with attempts of its own, and so is the same one
 * where more attempts are allowed than were then (the client has signed the same terms once more).
 */
export function decideNextAttempt(
  last: ChainTransaction,
  next: { attempts: number; isSameCall: boolean; now: Date },
): 'new' | 'wait' | 'no' {
  const { state, attempt } = last
  if (isLive(last) || state === 'final' || state === 'posted') return 'wait'
  if (last.reopenedAt !== null) return 'new'
  // Somebody else's transaction says nothing about ours.
  if (state === 'replaced') return isDelayOver(last, next.now) ? 'new' : 'wait'
  if (state === 'failed_final') return next.isSameCall && next.attempts <= last.attempts ? 'no' : 'new'
  if (attempt >= last.attempts) return 'no'
  return isDelayOver(last, next.now) ? 'new' : 'wait'
}

function isDelayOver({ retryAt }: ChainTransaction, now: Date): boolean {
  return retryAt === null || retryAt <= now || retryAt > maxRetryAt(now)
}

/** The key of the n-th attempt at one purpose: the purpose's own key, then `…#2`. */
export function attemptKey(key: string, attempt: number): string {
  return attempt === 1 ? key : `${key}#${attempt}`
}
