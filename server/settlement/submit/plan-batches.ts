import { batchGas, maxTransactionGas } from '../rails/gas-limits.ts'

/** The most settlements of one transaction: it needs two signatures for each, which are made while all of them wait. */
export const maxBatchSize = 20

/** A settlement that is due. `most`: with how many it may go in one transaction, itself included. */
export type BatchMember = { readonly goalId: string; readonly gas: bigint; readonly maxBatch: number }
/** A transaction that was to settle the goal with others: how many it had, and whether it succeeded. */
export type PastBatch = { readonly size: number; readonly succeeded: boolean }

/**
 * With how many others a settlement is tried again. Each failure halves the number, so that what makes a transaction fail is soon by
 * itself; what a transaction succeeded without goes alone, which shows why the escrow refuses it.
 */
export function maxBatchSizeAfter(past: readonly PastBatch[]): number {
  return past.reduce((max, { size, succeeded }) => Math.min(max, succeeded ? 1 : Math.max(1, Math.floor(size / 2))), maxBatchSize)
}

/** Which settlements go in one transaction. Each transaction stays within the gas cap. */
export function planBatches<M extends BatchMember>(members: readonly M[]): M[][] {
  // Next to each other where they are alike: each item of a batch costs as much as its largest.
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
