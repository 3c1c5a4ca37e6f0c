import { maxRetryAt } from './retry-delay.ts'
import { type ChainTransaction, isLiveTransaction } from './transaction.ts'

/**
 * Decides whether a new attempt at the same effect may start. `isSameCall`: it has the same call data as the last attempt. After a
 * final failure, a different call (another signature or intent) starts with its own attempts. So does the same call if more
 * attempts are allowed now, because the client signed the same terms again.
 */
export function decideNextAttempt(
  last: ChainTransaction,
  next: { attempts: number; isSameCall: boolean; now: Date },
): 'new' | 'wait' | 'no' {
  const { state, attempt } = last
  if (isLiveTransaction(last) || state === 'final' || state === 'posted') return 'wait'
  if (last.reopenedAt !== null) return 'new'
  // A foreign transaction that used the nonce gives no information about our call.
  if (state === 'replaced') return isDelayOver(last, next.now) ? 'new' : 'wait'
  if (state === 'failed_final') return next.isSameCall && next.attempts <= last.attempts ? 'no' : 'new'
  if (attempt >= last.attempts) return 'no'
  return isDelayOver(last, next.now) ? 'new' : 'wait'
}

function isDelayOver({ retryAt }: ChainTransaction, now: Date): boolean {
  return retryAt === null || retryAt <= now || retryAt > maxRetryAt(now)
}

/** Key of the n-th attempt: the effect's key, then `…#2`. */
export function attemptKey(key: string, attempt: number): string {
  return attempt === 1 ? key : `${key}#${attempt}`
}
