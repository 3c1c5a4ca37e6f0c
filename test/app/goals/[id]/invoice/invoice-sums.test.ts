import { describe, expect, it } from 'vitest'
import { invoiceSums } from '../../../../../app/goals/[id]/invoice/invoice-sums.ts'

describe('invoiceSums', () => {
  it('sums payees and credits, fees and refunds apart, with what remains held left out', () => {
    const lines = [
      { kind: 'funded', amount: 6_000_000n },
      { kind: 'payee', amount: -3_000_000n },
      { kind: 'credit', amount: -1_200_000n },
      { kind: 'fee', amount: -105_000n },
      { kind: 'processing', amount: -30_000n },
      { kind: 'refund', amount: -1_600_000n },
      { kind: 'held', amount: -65_000n },
    ]
    expect(invoiceSums(lines)).toEqual({ agents: 4_200_000n, fees: 135_000n, total: 4_335_000n, refunded: 1_600_000n })
    expect(invoiceSums([])).toEqual({ agents: 0n, fees: 0n, total: 0n, refunded: 0n })
  })
})
