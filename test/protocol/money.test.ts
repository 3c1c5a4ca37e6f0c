import { Asset, BaseUnits, feeOn, formatAmount, parseAmount, payableOf, WireMoney } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const max = 2n ** 63n - 1n
const amount = fc.bigInt({ min: 0n, max: max })
const bps = fc.integer({ min: 0, max: 1_000 })

describe('BaseUnits', () => {
  it('takes every amount that a ledger row holds, as the digits that the number has', () => {
    fc.assert(fc.property(amount, (value) => BaseUnits.parse(String(value)) === String(value)))
    expect(BaseUnits.safeParse(String(max)).success).toBe(true)
  })

  it('refuses everything else without falling over it', () => {
    for (const text of ['', '-1', '+1', '01', '1.5', '1e3', ' 1', '1_000', '0x1', 'NaN', String(max + 1n), '9'.repeat(40), 1, null])
      expect(BaseUnits.safeParse(text).success, String(text)).toBe(false)
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(BaseUnits.safeParse(text).success).toBe(/^(0|[1-9]\d*)$/.test(text) && BigInt(text) <= max)
      }),
    )
  })
})

describe('a refusal of BaseUnits', () => {
  it('states what to send', () => {
    for (const text of ['10.00', String(max + 1n)])
      expect(BaseUnits.safeParse(text).error?.issues[0]?.message).toMatch(/^Send base units .* "10000000" is 10\.00\.$/)
  })
})

describe('feeOn and payableOf', () => {
  it('the steps and their fee fit into the total, and one unit more would not', () => {
    fc.assert(
      fc.property(amount, bps, (total, feeBps) => {
        const payable = payableOf(total, feeBps)
        expect(payable + feeOn(payable, feeBps) <= total).toBe(true)
        expect(payable + 1n + feeOn(payable + 1n, feeBps) > total).toBe(true)
      }),
    )
  })

  it('the fee on a sum is never less than the fees on its parts', () => {
    fc.assert(fc.property(amount, amount, bps, (a, b, feeBps) => feeOn(a + b, feeBps) >= feeOn(a, feeBps) + feeOn(b, feeBps)))
  })
})

describe('parseAmount and formatAmount', () => {
  it('are each other backwards', () => {
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: 0, max: 18 }),
        (value, decimals) => parseAmount(formatAmount(value, decimals), decimals) === value,
      ),
    )
  })

  it('show at least two digits after the point and lose none', () => {
    expect(formatAmount(12_500_000n, 6)).toBe('12.50')
    expect(formatAmount(12_345_678n, 6)).toBe('12.345678')
    expect(formatAmount(1n, 6)).toBe('0.000001')
    expect(formatAmount(-1_500_000n, 6)).toBe('-1.50')
    expect(formatAmount(7n, 0)).toBe('7')
    expect(formatAmount(75n, 1)).toBe('7.5')
  })

  it('refuse what is no amount, in words for a person', () => {
    for (const text of ['', '1,5', '-1', '1.', '.5', '1e3', '1.5.5', 'ten'])
      expect(() => parseAmount(text, 6), text).toThrow('Write an amount with digits')
    expect(() => parseAmount('0.1234567', 6)).toThrow('Write at most 6 digits after the point.')
    expect(parseAmount(' 12.5 ', 6)).toBe(12_500_000n)
  })
})

describe('Asset and WireMoney', () => {
  it('name what the amount is counted in', () => {
    const token = `eip155:31337/erc20:0x${'a'.repeat(40)}`
    expect(WireMoney.parse({ amount: '1', asset: token })).toEqual({ amount: '1', asset: token })
    for (const text of ['USD', 'iso4217:usd', 'eip155:1/erc20:0xAB', `eip155:1/slip44:60`])
      expect(Asset.safeParse(text).success, text).toBe(false)
    expect(Asset.safeParse('iso4217:USD').success).toBe(true)
  })
})
