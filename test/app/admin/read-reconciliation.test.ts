import { describe, expect, it } from 'vitest'
import { readReconciliation } from '../../../app/admin/read-reconciliation.ts'

const report = {
  ...{ matched: 3, onlyLedger: ['fund:a'], onlyChain: [], onlyStripe: [], heldInLedger: '20500000', heldOnChain: '0', heldDiffering: [] },
  differing: [{ key: 'claim:b', ledger: [{ account: 'escrow:b', debit: '0', credit: '7' }], chain: [] }],
  stripeDiffering: [{ key: 'pi_1', ledger: '5', external: '6' }],
}

describe('a stored comparison of ledger and chain', () => {
  it('has its amounts as integers again', () => {
    const read = readReconciliation(report)
    expect(read).toMatchObject({ matched: 3, onlyLedger: ['fund:a'], heldInLedger: 20_500_000n, heldOnChain: 0n })
    expect(read?.differing[0]?.ledger[0]).toEqual({ account: 'escrow:b', debit: 0n, credit: 7n })
  })

  it.each([null, 'text', {}, { ...report, heldInLedger: '1e9' }, { ...report, differing: [{ key: 1 }] }, { ...report, matched: -1 }])(
    'that cannot be read is none: %j',
    (broken) => {
      expect(readReconciliation(broken)).toBeNull()
    },
  )
})
