import { describe, expect, it } from 'vitest'
import { groups } from '../../../../app/_components/ui/money.tsx'
import { percentOf } from '../../../../app/_components/ui/stacked-bar.tsx'

describe('groups', () => {
  it.each([
    ['0.00', '0.00'],
    ['1234.50', '1,234.50'],
    ['-1234567.8912', '-1,234,567.8912'],
    ['9223372036854.775807', '9,223,372,036,854.775807'],
    ['1000', '1,000'],
  ])('writes %s as %s, losing no digit', (amount, shown) => {
    expect(groups(amount)).toBe(shown)
  })
})

describe('percentOf', () => {
  it('is nothing of nothing, and exact to a hundredth', () => {
    expect(percentOf(1n, 0n)).toBe(0)
    expect(percentOf(1n, 3n)).toBe(33.33)
    expect(percentOf(2n ** 62n, 2n ** 62n)).toBe(100)
  })
})
