import type { FeeCaps, Fees, MarketFees } from '../../ports.ts'
import type { Candidate } from './transaction.ts'

/** Nodes take a replacement that pays a tenth more; a quarter leaves no doubt. */
const raise = { by: 5n, of: 4n }
const enough = { by: 11n, of: 10n }
/** Fourteen times the first price: what waits still waits for something else than its price. */
export const maxCandidates = 13

/** What bounds the price of one transaction. `balance`: wei that the sender can spend on it. */
export type Budget = { readonly caps: FeeCaps; readonly gas: bigint; readonly balance: bigint }
/** Why a transaction cannot be offered at what the market asks. */
export type FeeLimit = 'fee_cap' | 'transaction_cap' | 'balance'

/** The most that may be offered per gas, and which of the limits says so. */
export function ceilingOf({ caps, gas, balance }: Budget): { readonly perGas: bigint; readonly by: FeeLimit } {
  const limits = [
    { perGas: caps.maxFeePerGas, by: 'fee_cap' },
    { perGas: caps.maxTransactionFee / gas, by: 'transaction_cap' },
    { perGas: balance / gas, by: 'balance' },
  ] as const
  return limits.reduce((lowest, one) => (one.perGas < lowest.perGas ? one : lowest))
}

/** What the first candidate of a nonce offers, or the limit that is below what the next block costs. */
export function firstFees(market: MarketFees, budget: Budget): Fees | FeeLimit {
  const ceiling = ceilingOf(budget)
  if (ceiling.perGas <= market.baseFeePerGas) return ceiling.by
  return within(market, ceiling.perGas, budget.caps)
}

/**
 * What the next candidate of the same nonce offers. `exhausted`: offering more has not helped so far and is not going to.
 * A limit: no node would take the little that may still be added for a replacement.
 */
export function raiseFees(newest: Candidate, market: MarketFees, budget: Budget, most = maxCandidates): Fees | FeeLimit | 'exhausted' {
  if (newest.n >= most) return 'exhausted'
  const ceiling = ceilingOf(budget)
  if (ceiling.perGas <= market.baseFeePerGas) return ceiling.by
  const wanted = {
    maxFeePerGas: raised(newest.maxFeePerGas, market.maxFeePerGas),
    maxPriorityFeePerGas: raised(newest.maxPriorityFeePerGas, market.maxPriorityFeePerGas),
  }
  const offered = within(wanted, ceiling.perGas, budget.caps)
  const isEnough = (fee: bigint, before: bigint) => fee * enough.of >= before * enough.by
  if (!isEnough(offered.maxFeePerGas, newest.maxFeePerGas)) return ceiling.by
  return isEnough(offered.maxPriorityFeePerGas, newest.maxPriorityFeePerGas) ? offered : 'fee_cap'
}

function within(wanted: Fees, perGas: bigint, caps: FeeCaps): Fees {
  const maxFeePerGas = lesser(wanted.maxFeePerGas, perGas)
  return { maxFeePerGas, maxPriorityFeePerGas: lesser(lesser(wanted.maxPriorityFeePerGas, caps.maxPriorityFeePerGas), maxFeePerGas) }
}

function raised(fee: bigint, asked: bigint): bigint {
  const least = (fee * raise.by) / raise.of + 1n
  return asked > least ? asked : least
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
