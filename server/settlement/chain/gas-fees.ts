import type { FeeCaps, Fees, MarketFees } from '../../ports.ts'
import type { SignedTransaction } from './transaction.ts'

/** Nodes take a replacement that pays a tenth more; a quarter leaves no doubt. */
const bumpRatio = { by: 5n, of: 4n }
const minBumpRatio = { by: 11n, of: 10n }
/** Fourteen times the first price: what waits still waits for something else than its price. */
export const maxReplacements = 13

/** What bounds the price of one transaction. `balance`: wei that the sender can spend on it. */
export type FeeBudget = { readonly caps: FeeCaps; readonly gas: bigint; readonly balance: bigint }
/** Why a transaction cannot be offered at what the market asks. */
export type FeeLimit = 'fee_cap' | 'transaction_cap' | 'balance'

/** The most that may be offered per gas, and which of the limits says so. */
export function feeCeiling({ caps, gas, balance }: FeeBudget): { readonly perGas: bigint; readonly by: FeeLimit } {
  const limits = [
    { perGas: caps.maxFeePerGas, by: 'fee_cap' },
    { perGas: caps.maxTransactionFee / gas, by: 'transaction_cap' },
    { perGas: balance / gas, by: 'balance' },
  ] as const
  return limits.reduce((lowest, one) => (one.perGas < lowest.perGas ? one : lowest))
}

/** What the first candidate of a nonce offers, or the limit that is below what the next block costs. */
export function initialFees(market: MarketFees, budget: FeeBudget): Fees | FeeLimit {
  const ceiling = feeCeiling(budget)
  if (ceiling.perGas <= market.baseFeePerGas) return ceiling.by
  return capFees(market, ceiling.perGas, budget.caps)
}

/**
 * What the next candidate of the same nonce offers. `exhausted`: offering more has not helped so far and is not going to.
 * A limit: no node would take the little that may still be added for a replacement.
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

function bumped(fee: bigint, asked: bigint): bigint {
  const minFee = (fee * bumpRatio.by) / bumpRatio.of + 1n
  return asked > minFee ? asked : minFee
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
