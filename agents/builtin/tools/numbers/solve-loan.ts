/** Computes payments, interest and balances of loans and savings. */
import { refuse } from '../../skill.ts'
import { add, compareRationals, divide, formatRational, multiply, type Rational, rational, roundToDigits, subtract } from './rational.ts'
import type { LoanProblem } from './read-loan.ts'
import { isWholeCents, writeCurrencyAmount } from './write-currency-amount.ts'

/** `rows`: amounts for the table. `method`: the formula and what it assumes. */
export type LoanAnswer = {
  readonly sentence: string
  readonly rows: readonly (readonly [string, string])[]
  readonly method: string
  /** Of a loan with a payment each month. */
  readonly figures?: { readonly payment: Rational; readonly interest: Rational }
}

const one = rational(1n)
/** Digits after the point that intermediate results keep: far more than cents need. */
const keptDigits = 60

/** A power with a whole exponent, rounded to many digits at each step. */
function power(base: Rational, exponent: bigint): Rational {
  let [result, square, left] = [one, base, exponent]
  while (left > 0n) {
    if (left % 2n === 1n) result = roundToDigits(multiply(result, square), keptDigits)
    square = roundToDigits(multiply(square, square), keptDigits)
    left /= 2n
  }
  return result
}

const percent = (rate: Rational): string => `${formatRational(multiply(rate, rational(100n)))}%`

/** @throws {SkillRefused} if the payment does not cover the interest, or the term has no whole number of interest periods */
export function solveLoan(problem: LoanProblem): LoanAnswer {
  if (problem.kind === 'payment') return solvePayment(problem)
  if (problem.kind === 'payoff') return solvePayoff(problem)
  return problem.kind === 'savings' ? solveSavings(problem) : solveSimpleInterest(problem)
}

const termOf = (months: bigint): string =>
  months % 12n === 0n && months > 12n ? `${months / 12n} years (${months} months)` : `${months} months`

function solvePayment({ amount, rate, months, currency, down }: LoanProblem): LoanAnswer {
  const write = (value: Rational): string => writeCurrencyAmount(value, currency)
  const monthlyRate = divide(rate, rational(12n))
  const growth = power(add(one, monthlyRate), months)
  const payment =
    rate.n === 0n ? divide(amount, rational(months)) : divide(multiply(multiply(amount, monthlyRate), growth), subtract(growth, one))
  const total = multiply(payment, rational(months))
  const interest = subtract(total, amount)
  const before = down ? ` after ${write(down)} paid down` : ''
  return {
    figures: { payment, interest },
    sentence: `The monthly payment is ${write(payment)} for ${write(amount)}${before} at ${percent(rate)} a year over ${termOf(months)}; in total ${write(total)}, of which ${write(interest)} is interest.`,
    rows: [
      ['Loan', write(amount)],
      ['Monthly payment', write(payment)],
      ['Number of payments', String(months)],
      ['Total paid', write(total)],
      ['Total interest', write(interest)],
    ],
    method:
      'Annuity: payment = loan × i × (1 + i)^n ÷ ((1 + i)^n − 1), with i = yearly rate ÷ 12 and n months. Payments are at the end of each month. Fees are not considered, and a bank rounds each payment, so its totals may differ by cents.',
  }
}

function solvePayoff({ amount, rate, monthly = rational(0n), currency }: LoanProblem): LoanAnswer {
  const write = (value: Rational): string => writeCurrencyAmount(value, currency)
  const monthlyRate = divide(rate, rational(12n))
  const firstInterest = multiply(amount, monthlyRate)
  if (compareRationals(monthly, firstInterest) <= 0)
    return refuse(
      `${write(monthly)} a month does not cover the interest of ${write(firstInterest)} in the first month, so the loan is never paid off. Name a higher payment.`,
    )
  let [balance, months, paid] = [amount, 0, rational(0n)]
  let last = monthly
  while (balance.n > 0n) {
    if (++months > 1_200) return refuse('The loan is not paid off within 100 years. Name a higher payment.')
    const owed = roundToDigits(multiply(balance, add(one, monthlyRate)), keptDigits)
    last = compareRationals(owed, monthly) < 0 ? owed : monthly
    balance = subtract(owed, last)
    paid = add(paid, last)
  }
  const years = months >= 12 ? ` (${Math.floor(months / 12)} years${months % 12 === 0 ? '' : ` and ${months % 12} months`})` : ''
  return {
    sentence: `${write(amount)} at ${percent(rate)} a year is paid off after ${months} months${years} with ${write(monthly)} a month; the last payment is ${write(last)}, and the interest is ${write(subtract(paid, amount))} in total.`,
    rows: [
      ['Loan', write(amount)],
      ['Monthly payment', write(monthly)],
      ['Number of payments', String(months)],
      ['Last payment', write(last)],
      ['Total interest', write(subtract(paid, amount))],
    ],
    method: 'Each month: balance × (1 + yearly rate ÷ 12) − payment, until nothing is left. Fees are not considered.',
  }
}

const often: { readonly [times: string]: string } = {
  1: 'once a year',
  2: 'twice a year',
  4: 'each quarter',
  12: 'each month',
  365: 'each day',
}

function solveSavings({ amount, rate, months, monthly, compounding, currency }: LoanProblem): LoanAnswer {
  const write = (value: Rational): string => `${isWholeCents(value) ? '' : '≈ '}${writeCurrencyAmount(value, currency)}`
  if (monthly && compounding !== 12n)
    return refuse('With monthly deposits I compute monthly interest only. Ask for interest that is compounded monthly.')
  const periods = divide(rational(months * compounding), rational(12n))
  if (periods.d !== 1n)
    return refuse(`${months} months is no whole number of interest periods. Name whole years, or interest that is compounded monthly.`)
  const step = divide(rate, rational(compounding))
  const growth = power(add(one, step), periods.n)
  const start = multiply(amount, growth)
  const saved = monthly
    ? step.n === 0n
      ? multiply(monthly, periods)
      : divide(multiply(monthly, subtract(growth, one)), step)
    : rational(0n)
  const end = add(start, saved)
  const paid = add(amount, monthly ? multiply(monthly, periods) : rational(0n))
  const deposits = monthly ? ` and ${write(monthly)} at the end of each month` : ''
  return {
    sentence: `After ${termOf(months)} it is ${write(end)}: ${write(paid)} paid in and ${write(subtract(end, paid))} interest, at ${percent(rate)} a year, added ${often[String(compounding)]}.`,
    rows: [
      ['At the start', `${write(amount)}${deposits}`],
      ['Paid in', write(paid)],
      ['Interest', write(subtract(end, paid))],
      ['At the end', write(end)],
    ],
    method: monthly
      ? 'End = start × (1 + i)^n + deposit × ((1 + i)^n − 1) ÷ i, with i = yearly rate ÷ 12 and n months. Deposits are at the end of each month. Taxes and fees are not considered.'
      : `End = start × (1 + i)^n, with i = yearly rate ÷ ${compounding} and n = ${periods.n} interest periods. Taxes and fees are not considered.`,
  }
}

function solveSimpleInterest({ amount, rate, months, currency }: LoanProblem): LoanAnswer {
  const write = (value: Rational): string => `${isWholeCents(value) ? '' : '≈ '}${writeCurrencyAmount(value, currency)}`
  const interest = divide(multiply(multiply(amount, rate), rational(months)), rational(12n))
  return {
    sentence: `The simple interest is ${write(interest)} on ${write(amount)} at ${percent(rate)} a year for ${termOf(months)}; the sum is ${write(add(amount, interest))}.`,
    rows: [
      ['Amount', write(amount)],
      ['Interest', write(interest)],
      ['Sum', write(add(amount, interest))],
    ],
    method: 'Interest = amount × yearly rate × months ÷ 12, without interest on interest.',
  }
}
