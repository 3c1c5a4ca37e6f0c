import type { Fees } from '../ports.ts'
import type { Candidate } from './chain-transaction.ts'

/** Nodes take a replacement that pays a tenth more; a quarter leaves no doubt. */
const raise = { by: 5n, of: 4n }
/** Fourteen times the first price: what waits still waits for something else than its price. */
const maxCandidates = 13

/** What the next candidate of the same nonce offers, or null where offering more has not helped so far and is not going to. */
export function raiseFees(newest: Candidate, market: Fees): Fees | null {
  if (newest.n >= maxCandidates) return null
  const raised = (fee: bigint, asked: bigint) => {
    const least = (fee * raise.by) / raise.of + 1n
    return asked > least ? asked : least
  }
  const maxPriorityFeePerGas = raised(newest.maxPriorityFeePerGas, market.maxPriorityFeePerGas)
  const maxFeePerGas = raised(newest.maxFeePerGas, market.maxFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas }
}
