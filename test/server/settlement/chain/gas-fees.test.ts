import fc from 'fast-check'
import { maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { bumpFees, type FeeBudget, initialGasFees } from '../../../../server/settlement/chain/gas-fees.ts'
import type { SignedTransaction } from '../../../../server/settlement/chain/transaction.ts'

const hash = `0x${'a'.repeat(64)}` as const
const none = { maxFeePerGas: maxUint256, maxPriorityFeePerGas: maxUint256, maxTransactionFee: maxUint256 }
const unbounded: FeeBudget = { caps: none, gas: 100n, balance: maxUint256 }
const fee = fc.bigInt(0n, 10n ** 13n)
/** A base fee and a tip within it. */
const price = fc.tuple(fee, fee).map(([tip, more]) => ({ max: tip + more, tip }))
const market = fc.tuple(fee, fee).map(([base, tip]) => ({ baseFeePerGas: base, maxFeePerGas: base * 8n + tip, maxPriorityFeePerGas: tip }))
const budget = fc.tuple(fee, fee, fc.bigInt(0n, 10n ** 18n), fc.bigInt(0n, 10n ** 18n), fc.bigInt(21_000n, 17_000_000n)).map(
  ([max, tip, total, balance, gas]): FeeBudget => ({
    caps: { maxFeePerGas: max, maxPriorityFeePerGas: tip, maxTransactionFee: total },
    gas,
    balance,
  }),
)
const candidate = (n: number, maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): SignedTransaction => ({
  hash,
  raw: '0x',
  n,
  isCancel: false,
  maxFeePerGas,
  maxPriorityFeePerGas,
  createdAt: new Date(0),
})

function expectWithin(offered: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }, { caps, gas, balance }: FeeBudget): void {
  expect(offered.maxFeePerGas).toBeLessThanOrEqual(caps.maxFeePerGas)
  expect(offered.maxPriorityFeePerGas).toBeLessThanOrEqual(caps.maxPriorityFeePerGas)
  expect(offered.maxPriorityFeePerGas).toBeLessThanOrEqual(offered.maxFeePerGas)
  expect(offered.maxFeePerGas * gas).toBeLessThanOrEqual(caps.maxTransactionFee)
  expect(offered.maxFeePerGas * gas).toBeLessThanOrEqual(balance)
}

describe('firstFees', () => {
  it('never offers more than any of the limits, and what the next block costs at least', () => {
    fc.assert(
      fc.property(market, budget, (asked, limits) => {
        const offered = initialGasFees(asked, limits)
        if (typeof offered === 'string') return
        expectWithin(offered, limits)
        expect(offered.maxFeePerGas).toBeGreaterThan(asked.baseFeePerGas)
      }),
    )
  })

  it('names the limit that is in the way', () => {
    const asked = { baseFeePerGas: 10n, maxFeePerGas: 81n, maxPriorityFeePerGas: 1n }
    expect(initialGasFees(asked, { ...unbounded, caps: { ...none, maxFeePerGas: 10n } })).toBe('fee_cap')
    expect(initialGasFees(asked, { ...unbounded, caps: { ...none, maxTransactionFee: 1_000n } })).toBe('transaction_cap')
    expect(initialGasFees(asked, { ...unbounded, balance: 1_000n })).toBe('balance')
    expect(initialGasFees(asked, unbounded)).toEqual({ maxFeePerGas: 81n, maxPriorityFeePerGas: 1n })
    // A node that asks for an excessive tip gets the configured maximum.
    expect(
      initialGasFees({ ...asked, maxPriorityFeePerGas: 10n ** 18n }, { ...unbounded, caps: { ...none, maxPriorityFeePerGas: 5n } }),
    ).toEqual({
      maxFeePerGas: 81n,
      maxPriorityFeePerGas: 5n,
    })
  })
})

describe('raiseFees', () => {
  it('offers a tenth more at least, and what the market asks at least', () => {
    fc.assert(
      fc.property(price, market, ({ max, tip }, asked) => {
        const raised = bumpFees(candidate(1, max, tip), asked, unbounded)
        if (typeof raised === 'string') throw new Error(raised)
        expect(raised.maxFeePerGas * 10n).toBeGreaterThanOrEqual(max * 11n)
        expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(tip * 11n)
        expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(asked.maxFeePerGas)
        expect(raised.maxPriorityFeePerGas).toBeGreaterThanOrEqual(asked.maxPriorityFeePerGas)
      }),
    )
  })

  it('stays below every limit, and a node still takes it for a replacement', () => {
    fc.assert(
      fc.property(price, market, budget, ({ max, tip }, asked, limits) => {
        const before = candidate(1, max, tip)
        const raised = bumpFees(before, asked, limits)
        if (typeof raised === 'string') return
        expectWithin(raised, limits)
        expect(raised.maxFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxFeePerGas * 11n)
        expect(raised.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 11n)
      }),
    )
  })

  it('ends', () => {
    const asked = { baseFeePerGas: 0n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
    expect(bumpFees(candidate(13, 1n, 1n), asked, unbounded)).toBe('exhausted')
    expect(bumpFees(candidate(13, 1n, 1n), asked, unbounded, 26)).toEqual({ maxFeePerGas: 2n, maxPriorityFeePerGas: 2n })
    expect(bumpFees(candidate(1, 100n, 1n), asked, { ...unbounded, caps: { ...none, maxFeePerGas: 105n } })).toBe('fee_cap')
  })
})
