/** A calculation with prices: its lines, the steps that change their sum, and what is asked. */
import type { Rational } from './rational.ts'
import type { WrittenCurrency } from './write-currency-amount.ts'

/** A line of a quote or bill. `how` is empty for an amount as written. */
export type PriceLine = { readonly label: string; readonly how: string; readonly amount: Rational; readonly place: number }

export type PriceStepKind = 'discount' | 'tax' | 'tip' | 'surcharge' | 'deposit'

/** `place`: where the number stands in the goal, counted in numbers. */
export type PriceStep = {
  readonly kind: PriceStepKind
  readonly label: string
  /** A share for percentages, else an amount. */
  readonly value: Rational
  readonly isShare: boolean
  readonly place: number
}

export type PriceCalculation = {
  readonly lines: readonly PriceLine[]
  readonly steps: readonly PriceStep[]
  /** `add`: tax is added to the sum. `extract`: the sum contains it. `original`: the sum is what is left after the discounts. */
  readonly direction: 'add' | 'extract' | 'original'
  /** The number of equal parts of the total. */
  readonly people: bigint | undefined
  /** What the percentage of a tip is taken of. */
  readonly tipOn: 'before tax' | 'after tax'
  readonly currency: WrittenCurrency
}
