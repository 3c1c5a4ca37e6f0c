import type { EscrowCharter } from '@parley/protocol'

/**
 * EIP-7825: maximum gas limit of a transaction, on Ethereum and compatible chains. A node simulates a higher limit with `eth_call`
 * but rejects its broadcast.
 */
export const maxTransactionGas = 2n ** 24n

/** Gas overhead of a batch. */
const batchOverhead = 200_000n
const sealBase = 300_000n
const sealEach = 40_000n
const settleBase = 400_000n
const settleEach = 130_000n

/** `entries`: steps of the charter and of the one that it replaces. */
export function sealGas(entries: number): bigint {
  return sealBase + sealEach * BigInt(entries)
}

/** `entries`: steps and royalties. Each may need its own transfer. */
export function settleGas(entries: number): bigint {
  return settleBase + settleEach * BigInt(entries)
}

export function countEntries({ steps, royalties }: Pick<EscrowCharter, 'steps' | 'royalties'>): number {
  return steps.length + royalties.length
}

/** `isBrought`: the charter is sealed together with its settlement. */
export function settlementGas(entries: number, isBrought: boolean): bigint {
  return settleGas(entries) + (isBrought ? sealGas(entries) : 0n)
}

/** The escrow reserves the largest item's gas for each item, and EIP-150 retains a 64th per call. */
export function batchGas(largest: bigint, count: number): bigint {
  return batchOverhead + ((largest * 65n) / 63n) * BigInt(count)
}

/** Caps the gas limit. A limit above the cap only covers a worst case that no charter accepted by `explainGasExcess` needs. */
export function capGas(gas: bigint): bigint {
  return gas < maxTransactionGas ? gas : maxTransactionGas
}

/** Maximum steps and royalties that one transaction can seal and settle: (2^24 − 300,000 − 400,000) / (40,000 + 130,000) = 94. */
export const maxEntries = Number((maxTransactionGas - settlementGas(0, true)) / (sealEach + settleEach))

/** Explains why one transaction cannot settle a charter of this size; null if it can. */
export function explainGasExcess({ steps, royalties }: { readonly steps: number; readonly royalties: number }): string | null {
  if (steps + royalties <= maxEntries) return null
  return `The charter has ${steps} steps and ${royalties} royalties, and one transaction settles at most ${maxEntries} together. Give it fewer steps, choose agents that owe fewer royalties, or split the work into several goals.`
}
