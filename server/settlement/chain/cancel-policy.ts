import { maxReplacements } from './gas-fees.ts'
import { type ChainTransaction, isLive, isMined, type SignedTransaction } from './transaction.ts'

/** What decides whether a nonce is given up. `isNext`: it is the one that the chain waits for. */
export type PendingNonce = {
  readonly transaction: ChainTransaction
  /** Newest first. */
  readonly candidates: readonly SignedTransaction[]
  readonly isNext: boolean
  readonly now: Date
  readonly cancelAfterMs: number
}

/**
 * Whether the nonce is to be used up by a transaction that does nothing. Only one that all others wait for is given up by
 * itself: after a time, or when offering more has come to its end. An operator may ask for it at any time.
 */
export function shouldCancel({ transaction, candidates, isNext, now, cancelAfterMs }: PendingNonce): boolean {
  const [newest] = candidates
  const first = candidates.at(-1)
  if (!newest || !first || isMined(transaction) || newest.isCancel) return false
  if (transaction.cancelAskedAt !== null) return true
  if (!isNext) return false
  return newest.n >= maxReplacements || now.getTime() - first.createdAt.getTime() >= cancelAfterMs
}

/**
 * Whether the nonce of an ended transaction is free again and others wait behind it. `count`: how many nonces the chain has used.
 * `highest`: of those that wait.
 */
export function shouldFillNonce(
  { state, nonce }: Pick<ChainTransaction, 'state' | 'nonce'>,
  { count, highest }: { readonly count: number; readonly highest: number },
): boolean {
  return !isLive({ state }) && nonce !== null && nonce >= count && nonce < highest
}
