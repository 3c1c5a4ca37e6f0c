import { feeOn, payableOf } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocateCents, fromCents, wholeCents } from '../../../../server/settlement/ledger/allocate-cents.ts'

describe('wholeCents', () => {
  it('refuses parts of a cent, and what no card is charged', () => {
    expect(wholeCents(10_250_000n)).toBe(1_025n)
    for (const amount of [10_255_000n, 490_000n, 0n, 1_000_000_000_000n])
      expect(() => wholeCents(amount)).toThrow(expect.objectContaining({ code: 'goal.budget_invalid' }))
  })
})

describe('divideCents', () => {
  it('gives whole cents of the debt, and the last cents to the largest parts', () => {
    const owed = new Map([
      ['a', 3_333_333n],
      ['b', 3_333_333n],
      ['c', 3_333_334n],
    ])
    const { shares, fee, refund } = allocateCents(1_000n, 0, owed)
    expect([...shares]).toEqual([
      ['a', 333n],
      ['b', 333n],
      ['c', 334n],
    ])
    expect([fee, refund]).toEqual([0n, 0n])
  })

  it('lets the fee lose its part of a cent, and the client have it', () => {
    expect(allocateCents(1_025n, 250, new Map([['a', 7_000_000n]]))).toEqual({ shares: new Map([['a', 700n]]), fee: 17n, refund: 308n })
  })

  it('is a bug where more is owed than was charged', () => {
    expect(() => allocateCents(100n, 250, new Map([['a', 1_000_000n]]))).toThrow(/more than was charged/)
  })

  it('always adds up to what was charged, never leaves anyone a whole cent off, and never takes more fee than agreed', () => {
    const cases = fc.record({
      cents: fc.bigInt(50n, 99_999_999n),
      feeBps: fc.integer({ min: 0, max: 1_000 }),
      parts: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 0, maxLength: 12 }),
      used: fc.integer({ min: 0, max: 1_000_000 }),
    })
    fc.assert(
      fc.property(cases, ({ cents, feeBps, parts, used }) => {
        const payable = (payableOf(fromCents(cents), feeBps) * BigInt(used)) / 1_000_000n
        const whole = BigInt(parts.reduce((sum, part) => sum + part, 0)) || 1n
        const owed = new Map(parts.map((part, index) => [`p${index}`, (payable * BigInt(part)) / whole]))
        const { shares, fee, refund } = allocateCents(cents, feeBps, owed)
        const sum = [...shares.values()].reduce((all, share) => all + share, 0n)
        expect(sum + fee + refund).toBe(cents)
        for (const [name, share] of shares) {
          const off = fromCents(share) - (owed.get(name) ?? 0n)
          expect(off > -10_000n && off < 10_000n).toBe(true)
          if (owed.get(name) === 0n) expect(share).toBe(0n)
        }
        const exact = feeOn(
          [...owed.values()].reduce((all, amount) => all + amount, 0n),
          feeBps,
        )
        expect(fromCents(fee) <= exact && fromCents(fee + 1n) > exact).toBe(true)
        expect(refund >= 0n).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not depend on the order in which shares are named', () => {
    const shares = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.bigInt(0n, 3_000_000n)), {
      maxLength: 8,
      selector: ([name]) => name,
    })
    fc.assert(
      fc.property(shares, (list) => {
        const forth = allocateCents(10_000n, 250, new Map(list))
        const back = allocateCents(10_000n, 250, new Map(list.toReversed()))
        expect(new Map([...forth.shares].sort())).toEqual(new Map([...back.shares].sort()))
        expect(forth.refund).toBe(back.refund)
      }),
    )
  })
})
