import { describe, expect, it } from 'vitest'
import {
  batchGas,
  capGas,
  explainGasExcess,
  maxEntries,
  maxTransactionGas,
  settlementGas,
} from '../../../../server/settlement/rails/max-transaction-gas.ts'
import {
  type BatchMember,
  groupSettlementsIntoBatches,
  maxBatchSize,
  maxBatchSizeAfter,
} from '../../../../server/settlement/submit/group-settlements-into-batches.ts'

const member = (goalId: string, entries: number, maxBatch = maxBatchSize): BatchMember => ({
  goalId,
  gas: settlementGas(entries, true),
  maxBatch,
})
const many = (count: number, entries: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => member(`gol_${index}`, entries(index)))

describe('gasFault', () => {
  it('allows exactly what one transaction seals and settles within EIP-7825', () => {
    expect(settlementGas(maxEntries, true)).toBeLessThanOrEqual(maxTransactionGas)
    expect(settlementGas(maxEntries + 1, true)).toBeGreaterThan(maxTransactionGas)
    expect(explainGasExcess({ steps: 60, royalties: maxEntries - 60 })).toBeNull()
    expect(explainGasExcess({ steps: 60, royalties: maxEntries - 59 })).toContain('fewer steps')
  })
})

describe('withinCap', () => {
  it('never lets a transaction pass the cap', () => {
    expect(capGas(maxTransactionGas + 1n)).toBe(2n ** 24n)
    expect(capGas(21_000n)).toBe(21_000n)
  })
})

describe('batchesOf', () => {
  it.each([1, 3, 10, 60, maxEntries])('keeps a batch of charters with %i entries within the cap, and leaves no one out', (entries) => {
    const members = many(45, (index) => Math.max(1, entries - (index % 5)))
    const batches = groupSettlementsIntoBatches(members)
    for (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(maxBatchSize)
      for (const { gas } of batch) if (batch.length > 1) expect(batchGas(gas, batch.length)).toBeLessThanOrEqual(maxTransactionGas)
    }
    expect(
      batches
        .flat()
        .map(({ goalId }) => goalId)
        .sort(),
    ).toEqual(members.map(({ goalId }) => goalId).sort())
  })

  it('puts no settlement among more than it may go with', () => {
    const members = [member('a', 1), member('b', 1), member('c', 1, 1), member('d', 1, 2), member('e', 1, 2)]
    expect(groupSettlementsIntoBatches(members).map((batch) => batch.map(({ goalId }) => goalId))).toEqual([['a', 'b'], ['d', 'e'], ['c']])
  })
})

describe('maxBatchSizeAfter', () => {
  it('halves with each failure, and leaves alone what others succeeded without', () => {
    expect(maxBatchSizeAfter([])).toBe(maxBatchSize)
    expect(maxBatchSizeAfter([{ size: 15, succeeded: false }])).toBe(7)
    expect(maxBatchSizeAfter([15, 7, 3].map((size) => ({ size, succeeded: false })))).toBe(1)
    expect(maxBatchSizeAfter([{ size: 15, succeeded: true }])).toBe(1)
  })
})
