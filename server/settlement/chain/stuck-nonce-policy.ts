import { maxReplacements } from './gas-fees.ts'
import { type ChainTransaction, isLiveTransaction, isMined, type SignedTransaction } from './transaction.ts'

/** What decides whether to cancel a nonce. `isNext`: the chain expects this nonce next. */
export type PendingNonce = {
  readonly transaction: ChainTransaction
  /** Newest first. */
  readonly candidates: readonly SignedTransaction[]
  readonly isNext: boolean
  readonly now: Date
  readonly cancelAfterMs: number
}

/**
 * Decides whether to replace a transaction by a cancellation: an empty transaction with the same nonce. Only the transaction that
 * blocks all others is cancelled automatically, after a timeout or after the last fee bump. An operator may request it at any
 * time.
 */
export function shouldCancelStuckNonce({ transaction, candidates, isNext, now, cancelAfterMs }: PendingNonce): boolean {
  const [newest] = candidates
  const first = candidates.at(-1)
  if (!newest || !first || isMined(transaction) || newest.isCancel) return false
  if (transaction.cancelRequestedAt !== null) return true
  if (!isNext) return false
  return newest.n >= maxReplacements || now.getTime() - first.createdAt.getTime() >= cancelAfterMs
}

/**
 * Whether a reorganization freed the nonce of an ended transaction while later nonces are pending. `count`: how many nonces the
 * chain has used. `highest`: the highest pending nonce.
 */
export function shouldFillNonce(
  { state, nonce }: Pick<ChainTransaction, 'state' | 'nonce'>,
  { count, highest }: { readonly count: number; readonly highest: number },
): boolean {
  return !isLiveTransaction({ state }) && nonce !== null && nonce >= count && nonce < highest
}
