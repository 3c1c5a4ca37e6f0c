import { describe, expect, it } from 'vitest'
import { compareUnitPrices } from '../../../../../agents/builtin/tools/numbers/compare-unit-prices.ts'
import { formatFixed } from '../../../../../agents/builtin/tools/numbers/rational.ts'

const compare = (goal: string) => {
  const found = compareUnitPrices(goal)
  return found && [...found.solution.rows.map(({ label, amount }) => `${label} ${formatFixed(amount, 3)}`), ...found.solution.notes]
}

describe('compareUnitPrices', () => {
  it.each([
    [
      'Which is cheaper: 500 g for 3.49 or 750 g for 4.99?',
      ['750 g per kg 6.653', '500 g per kg 6.980', 'Cheapest per unit: 750 g, 4.7% less than 500 g.'],
    ],
    [
      "What's the better deal, 1.5 l for $2.10 or 6 x 330 ml for $3.20?",
      ['1.5 l per L 1.400', '6 × 330 ml per L 1.616', 'Cheapest per unit: 1.5 l, 13.4% less than 6 × 330 ml.'],
    ],
    [
      '£4 for 12 eggs or £2.20 for 6 eggs, which is better value?',
      ['12 eggs per egg 0.333', '6 eggs per egg 0.367', 'Cheapest per unit: 12 eggs, 9.1% less than 6 eggs.'],
    ],
    [
      'Which is cheaper, 1 kg for 4.00 or 500 g for 2.00?',
      ['1 kg per kg 4.000', '500 g per kg 4.000', '1 kg and 500 g have the same price per unit.'],
    ],
    [
      'Which is the best price: 500 g for 3.49 or 500 g for 2.99?',
      ['500 g (2.99) per kg 5.980', '500 g (3.49) per kg 6.980', 'Cheapest per unit: 500 g (2.99), 14.3% less than 500 g (3.49).'],
    ],
  ])('ranks the offers of: %s', (goal, rows) => {
    expect(compare(goal)).toEqual(rows)
  })

  it.each([
    '500 g for 3.49 and 1 l for 2.00, which is cheaper?',
    'Which is cheaper, a flight for 120 or a train for 80?',
    '500 g for 3.49 or 750 g for 4.99',
    'Which is cheaper: 500 g for €3.49 or 750 g for $4.99?',
    'Which is cheaper: 500 g for 3.49 or 750 g for 4.99, with 10% off?',
    'Which is cheaper for a family of 4: 500 g for 3.49 or 750 g for 4.99?',
    'Which is cheaper: 0 g for 3.49 or 750 g for 4.99?',
  ])('reads no comparison in: %s', (goal) => {
    expect(compareUnitPrices(goal)).toBeUndefined()
  })
})
