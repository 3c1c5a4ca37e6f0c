import { batchGas, maxTransactionGas } from '../rails/max-transaction-gas.ts'

/** Maximum number of settlements per transaction. Each needs two signatures, and all wait until the last one is made. */
export const maxBatchSize = 20

/** A due settlement. `maxBatch`: maximum size of its batch, itself included. */
export type BatchMember = { readonly goalId: string; readonly gas: bigint; readonly maxBatch: number }
/** An earlier batch transaction of the goal: its size and whether it succeeded. */
export type PastBatch = { readonly size: number; readonly succeeded: boolean }

/**
 * Maximum batch size after earlier batches. Each failure halves it, which isolates the failing goal. A goal that a successful
 * batch skipped settles alone, which reveals the contract's error.
 */
export function maxBatchSizeAfter(past: readonly PastBatch[]): number {
  return past.reduce((max, { size, succeeded }) => Math.min(max, succeeded ? 1 : Math.max(1, Math.floor(size / 2))), maxBatchSize)
}

/** Groups settlements into batches within the gas cap. */
export function groupSettlementsIntoBatches<M extends BatchMember>(members: readonly M[]): M[][] {
  // Groups similar sizes, because each item of a batch reserves as much gas as the largest.
  const sorted = [...members].sort((a, b) => b.maxBatch - a.maxBatch || Number(b.gas - a.gas) || (a.goalId < b.goalId ? -1 : 1))
  const batches: M[][] = []
  for (const member of sorted) {
    const open = batches.at(-1)
    if (open && fits(open, member)) open.push(member)
    else batches.push([member])
  }
  return batches
}

function fits(batch: readonly BatchMember[], member: BatchMember): boolean {
  const count = batch.length + 1
  let largest = member.gas
  for (const { gas } of batch) if (gas > largest) largest = gas
  return count <= member.maxBatch && batchGas(largest, count) <= maxTransactionGas
}
