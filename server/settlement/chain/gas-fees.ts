import type { FeeCaps, Fees, MarketFees } from '../../ports.ts'
import { min } from '../ledger/ledger.ts'
import type { SignedTransaction } from './transaction.ts'

/** Nodes require a replacement transaction to pay at least 10 % more. We raise the fee by 25 %. */
const bumpRatio = { by: 5n, of: 4n }
const minBumpRatio = { by: 11n, of: 10n }
/** 1.25^12 is about 14 times the initial fee. If that does not help, the fee is not the cause. */
export const maxReplacements = 13

/** Limits on the fee of one transaction. `balance`: wei that the sender can spend on it. */
export type FeeBudget = { readonly caps: FeeCaps; readonly gas: bigint; readonly balance: bigint }
/** The limit that keeps a transaction below the market fee. */
export type FeeLimit = 'fee_cap' | 'transaction_cap' | 'balance'

/** Maximum fee per gas, and the limit that determines it. */
export function feeCeiling({ caps, gas, balance }: FeeBudget): { readonly perGas: bigint; readonly by: FeeLimit } {
  const limits = [
    { perGas: caps.maxFeePerGas, by: 'fee_cap' },
    { perGas: caps.maxTransactionFee / gas, by: 'transaction_cap' },
    { perGas: balance / gas, by: 'balance' },
  ] as const
  return limits.reduce((lowest, one) => (one.perGas < lowest.perGas ? one : lowest))
}

/** Fee of the first transaction with a nonce, or the limit that is below the base fee of the next block. */
export function initialGasFees(market: MarketFees, budget: FeeBudget): Fees | FeeLimit {
  const ceiling = feeCeiling(budget)
  if (ceiling.perGas <= market.baseFeePerGas) return ceiling.by
  return capFees(market, ceiling.perGas, budget.caps)
}

/**
 * Fee of the next replacement transaction (replace-by-fee). `exhausted`: the maximum number of replacements is reached. A limit:
 * the remaining increase is too small for nodes to accept the replacement.
 */
export function bumpFees(
  newest: SignedTransaction,
  market: MarketFees,
  budget: FeeBudget,
  max = maxReplacements,
): Fees | FeeLimit | 'exhausted' {
  if (newest.n >= max) return 'exhausted'
  const ceiling = feeCeiling(budget)
  if (ceiling.perGas <= market.baseFeePerGas) return ceiling.by
  const wanted = {
    maxFeePerGas: bumped(newest.maxFeePerGas, market.maxFeePerGas),
    maxPriorityFeePerGas: bumped(newest.maxPriorityFeePerGas, market.maxPriorityFeePerGas),
  }
  const offered = capFees(wanted, ceiling.perGas, budget.caps)
  const isEnough = (fee: bigint, before: bigint) => fee * minBumpRatio.of >= before * minBumpRatio.by
  if (!isEnough(offered.maxFeePerGas, newest.maxFeePerGas)) return ceiling.by
  return isEnough(offered.maxPriorityFeePerGas, newest.maxPriorityFeePerGas) ? offered : 'fee_cap'
}

function capFees(wanted: Fees, perGas: bigint, caps: FeeCaps): Fees {
  const maxFeePerGas = min(wanted.maxFeePerGas, perGas)
  return { maxFeePerGas, maxPriorityFeePerGas: min(min(wanted.maxPriorityFeePerGas, caps.maxPriorityFeePerGas), maxFeePerGas) }
}

function bumped(fee: bigint, marketFee: bigint): bigint {
  const minFee = (fee * bumpRatio.by) / bumpRatio.of + 1n
  return marketFee > minFee ? marketFee : minFee
}
