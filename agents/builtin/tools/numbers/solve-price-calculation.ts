/** Computes the amounts of a calculation with prices, one row for each. */
import { refuse } from '../../skill.ts'
import type { PriceCalculation, PriceStep } from './price-calculation-types.ts'
import { add, divide, formatRational, multiply, type Rational, rational, roundToDigits, subtract } from './rational.ts'
import { writeCurrencyAmount, writeExact } from './write-currency-amount.ts'

/** `isShown`: false for what only the file lists. */
export type PriceRow = { readonly label: string; readonly how: string; readonly amount: Rational; readonly isShown: boolean }
export type PriceSolution = { readonly rows: readonly PriceRow[]; readonly notes: readonly string[] }

const one = rational(1n)
const percentText = (share: Rational): string => `${formatRational(multiply(share, rational(100n)))}%`
const row = (label: string, amount: Rational, how = ''): PriceRow => ({ label, how, amount, isShown: true })

/** @throws {SkillRefused} if an amount becomes negative */
export function solvePriceCalculation(problem: PriceCalculation): PriceSolution {
  const rows = problem.lines.map((line) => ({ ...row(line.label, line.amount, line.how), isShown: problem.lines.length === 1 }))
  const sum = problem.lines.map(({ amount }) => amount).reduce(add)
  if (problem.lines.length > 1) rows.push(row(problem.steps.length > 0 ? 'Subtotal' : 'Total', sum, 'sum of the lines'))
  if (problem.direction === 'original') return { rows: [...rows, ...originalRows(problem, sum)], notes: [] }
  const solution = problem.direction === 'extract' ? extractTax(problem, sum) : addSteps(problem, sum)
  const total = solution.at(-1)?.amount ?? sum
  const parts = [...depositRows(problem, total), ...eachRows(problem, total)]
  return { rows: [...rows, ...solution, ...parts], notes: notesOf(problem, total) }
}

const isOf = (kind: PriceStep['kind']) => (step: PriceStep) => step.kind === kind

/** The price before successive discounts. */
function originalRows({ steps }: PriceCalculation, paid: Rational): PriceRow[] {
  const left = steps.map((step) => subtract(one, step.value)).reduce(multiply)
  if (left.n <= 0n) return refuse('A discount of 100% or more leaves no price to compute with. Check the discount.')
  const original = divide(paid, left)
  return [
    row('Original price', original, `price ÷ ${formatRational(left)}`),
    row('Saved', subtract(original, paid), 'original − price paid'),
  ]
}

/** Discounts reduce the sum that contains the tax. */
function extractTax({ steps }: PriceCalculation, sum: Rational): PriceRow[] {
  const rows: PriceRow[] = []
  let gross = sum
  for (const step of steps.filter(isOf('discount'))) {
    const part = step.isShare ? multiply(gross, step.value) : step.value
    gross = positive(subtract(gross, part))
    rows.push(row(step.label, part, 'taken from the gross amount'), row('Gross after discount', gross))
  }
  const tax = steps.find(isOf('tax'))
  const net = divide(gross, add(one, tax?.value ?? rational(0n)))
  const how = `gross ÷ ${formatRational(add(one, tax?.value ?? rational(0n)))}`
  return [...rows, row('Net', net, how), row(tax?.label ?? 'Tax', subtract(gross, net), 'gross − net')]
}

const positive = (value: Rational): Rational =>
  value.n < 0n ? refuse('The discounts are larger than the amount. Check the discounts and the prices.') : value

function addSteps(problem: PriceCalculation, sum: Rational): PriceRow[] {
  const rows: PriceRow[] = []
  const steps = problem.steps.filter((step) => step.kind !== 'deposit')
  let current = sum
  let beforeTax = sum
  for (const [index, step] of steps.entries()) {
    const base = step.kind === 'tip' && problem.tipOn === 'before tax' ? beforeTax : current
    const part = step.isShare ? multiply(base, step.value) : step.value
    if (step.kind === 'tax') beforeTax = current
    current = step.kind === 'discount' ? positive(subtract(current, part)) : add(current, part)
    if (step.kind !== 'tax' && step.kind !== 'tip') beforeTax = current
    rows.push(row(step.label, part, step.isShare ? `${percentText(step.value)} of ${writeExact(base)}` : 'as written'))
    const isLast = index === steps.length - 1
    const name = step.kind === 'discount' ? 'After discount' : 'Sum'
    rows.push(row(isLast ? 'Total' : name, current))
  }
  return rows
}

function depositRows({ steps }: PriceCalculation, total: Rational): PriceRow[] {
  return steps.filter(isOf('deposit')).flatMap((step) => {
    const part = step.isShare ? multiply(total, step.value) : step.value
    return [
      row(step.label, part, step.isShare ? `${percentText(step.value)} of the total` : 'as written'),
      row('Rest', positive(subtract(total, part))),
    ]
  })
}

const eachRows = ({ people }: PriceCalculation, total: Rational): PriceRow[] =>
  people === undefined ? [] : [row(`Each of ${people}`, divide(total, rational(people)), `total ÷ ${people}`)]

/** What rounding to cents leaves open. */
function notesOf({ people, currency }: PriceCalculation, total: Rational): string[] {
  const notes: string[] = []
  if (people !== undefined) {
    const paid = multiply(roundToDigits(divide(total, rational(people)), 2), rational(people))
    const rest = subtract(roundToDigits(total, 2), paid)
    const size = writeCurrencyAmount({ ...rest, n: rest.n < 0n ? -rest.n : rest.n }, currency)
    if (rest.n !== 0n) notes.push(`${people} rounded shares are ${size} ${rest.n > 0n ? 'less' : 'more'} than the total.`)
  }
  return notes
}
