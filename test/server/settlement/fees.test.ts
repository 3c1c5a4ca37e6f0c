import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../../server/settlement/chain-transaction.ts'
import { raiseFees } from '../../../server/settlement/fees.ts'

const hash = `0x${'a'.repeat(64)}` as const

describe('raiseFees', () => {
  const candidate = (n: number, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Candidate => ({
    hash,
    raw: '0x',
    n,
    maxFeePerGas,
    maxPriorityFeePerGas,
    createdAt: new Date(0),
  })

  it('offers a tenth more at least, and what the market asks at least', () => {
    const fee = fc.bigInt(0n, 10n ** 13n)
    fc.assert(
      fc.property(fee, fee, fee, fee, (max, tip, marketMax, marketTip) => {
        const raised = raiseFees(candidate(1, max, tip), { maxFeePerGas: marketMax, maxPriorityFeePerGas: marketTip })
        expect(raised).not.toBeNull()
        if (!raised) return
        expect(raised.maxFeePerGas * 10n).toBeGreaterThanOrEqual(max * 11n)
        expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(tip * 11n)
        expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(marketMax)
        expect(raised.maxPriorityFeePerGas).toBeGreaterThanOrEqual(marketTip)
      }),
    )
  })

  it('ends', () => {
    expect(raiseFees(candidate(13, 1n, 1n), { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })).toBeNull()
  })
})
