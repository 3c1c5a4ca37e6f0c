import type { EscrowCharter } from '@parley/protocol'

/**
 * EIP-7825: the highest gas limit that a transaction may have, on Ethereum and on the chains that follow it. A node answers `eth_call`
 * above it and refuses the broadcast, so the server has to keep to it.
 */
export const maxTransactionGas = 2n ** 24n

/** A batch, beside its settlements. */
const batchOverhead = 200_000n
const sealBase = 300_000n
const sealEach = 40_000n
const settleBase = 400_000n
const settleEach = 130_000n

/** `entries`: steps of the charter, and of the one that it replaces. */
export function sealGas(entries: number): bigint {
  return sealBase + sealEach * BigInt(entries)
}

/** `entries`: steps and royalties: each can be a transfer of its own. */
export function settleGas(entries: number): bigint {
  return settleBase + settleEach * BigInt(entries)
}

export function countEntries({ steps, royalties }: Pick<EscrowCharter, 'steps' | 'royalties'>): number {
  return steps.length + royalties.length
}

/** `isBrought`: the charter comes on chain with its settlement. */
export function settlementGas(entries: number, isBrought: boolean): bigint {
  return settleGas(entries) + (isBrought ? sealGas(entries) : 0n)
}

/** The escrow gives each item as much as the largest may use, and keeps the 64th part back from each. */
export function batchGas(largest: bigint, count: number): bigint {
  return batchOverhead + ((largest * 65n) / 63n) * BigInt(count)
}

/** What a transaction is sent with. A limit above the cap gives room for the worst case, which no charter that `gasFault` allows needs. */
export function capGas(gas: bigint): bigint {
  return gas < maxTransactionGas ? gas : maxTransactionGas
}

/**
 * The most steps and royalties that one transaction seals and settles together:
 * (2^24 − 300,000 − 400,000) / (40,000 + 130,000), which is 94.
 */
export const maxEntries = Number((maxTransactionGas - settlementGas(0, true)) / (sealEach + settleEach))

/** Why no single transaction could settle a charter of this size in the escrow, in a sentence; null where one could. */
export function explainGasExcess({ steps, royalties }: { readonly steps: number; readonly royalties: number }): string | null {
  if (steps + royalties <= maxEntries) return null
  return `The charter has ${steps} steps and ${royalties} royalties, and one transaction settles at most ${maxEntries} together. Give it fewer steps, choose agents that owe fewer royalties, or split the work into several goals.`
}
