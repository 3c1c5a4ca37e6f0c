/** Computes a calculation and writes its result. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { refuse } from '../../skill.ts'
import { answerListStatistics } from './answer-list-statistics.ts'
import { type Expression, evaluateExpression, printExpression } from './evaluate-expression.ts'
import type { LinearEquation } from './linear-equation.ts'
import { answerShares, answerWeightedMean } from './ratio-shares-and-weighted-mean.ts'
import {
  compareRationals,
  divide,
  formatFixed,
  formatRational,
  formatSignificant,
  fractionDigits,
  hasFiniteDecimal,
  isExact,
  multiply,
  type Rational,
  rational,
} from './rational.ts'
import type { Calculation, ResultForm } from './read-calculation.ts'

/** `details`: further forms of the result, for the file. */
export type CalculationAnswer = { readonly sentence: string; readonly details: readonly string[] }

/** Longer results stand in the file only. */
const maxShown = 120
/** Division by all numbers up to the square root takes less than 0.1 s. */
const maxFactored = 1_000_000_000_000n

/** @throws {SkillRefused} with the reason if there is no result */
export function answerCalculation(calculation: Calculation): CalculationAnswer {
  if (calculation.kind === 'value') return answerValue(calculation.expression, calculation.form)
  if (calculation.kind === 'comparison') return answerComparison(calculation)
  if (calculation.kind === 'shares') return { sentence: answerShares(calculation), details: [] }
  if (calculation.kind === 'weighted mean') return { sentence: answerWeightedMean(calculation), details: [] }
  if (calculation.kind === 'equation') return answerEquation(calculation)
  if (calculation.kind === 'statistics') return { sentence: answerListStatistics(calculation), details: [] }
  const value = evaluateExpression(calculation.expression)
  const written = formatRational(value)
  if (value.d !== 1n || value.n < 2n || value.n > maxFactored)
    return refuse(`I factor integers from 2 to 1,000,000,000,000, and ${written} is none.`)
  const factors = primeFactors(value.n)
  const product = [...Map.groupBy(factors, (one) => one)]
    .map(([one, all]) => (all.length > 1 ? `${one}^${all.length}` : String(one)))
    .join(' × ')
  if (factors.length === 1) return { sentence: `${written} is a prime number.`, details: [] }
  return {
    sentence: calculation.kind === 'prime' ? `${written} is not a prime number: it is ${product}.` : `${written} = ${product}.`,
    details: [],
  }
}

function answerEquation({ text, unknown, slope, constant }: LinearEquation): CalculationAnswer {
  const details = [`The equation: ${text}`]
  if (slope.n === 0n)
    return { sentence: constant.n === 0n ? `Every number for ${unknown} solves it.` : `No number for ${unknown} solves it.`, details }
  const solution = usualText(divide(constant, slope))
  return { sentence: `${unknown} ${solution.startsWith('≈') ? '' : '= '}${solution}.`, details }
}

function primeFactors(value: bigint): bigint[] {
  let rest = Number(value)
  const factors: bigint[] = []
  for (let factor = 2; factor * factor <= rest; factor += factor === 2 ? 1 : 2)
    while (rest % factor === 0) {
      factors.push(BigInt(factor))
      rest /= factor
    }
  if (rest > 1) factors.push(BigInt(rest))
  return factors
}

function answerComparison({ left, right, isLargerAsked, isClaim }: Calculation & { readonly kind: 'comparison' }): CalculationAnswer {
  const [a, b] = [evaluateExpression(left), evaluateExpression(right)]
  const order = compareRationals(a, b)
  const [first, second] = [printExpression(left), printExpression(right)]
  const relation = `${first} ${order < 0 ? '<' : order > 0 ? '>' : '='} ${second} (${short(a)} and ${short(b)})`
  if (isClaim) return { sentence: `${order !== 0 && order > 0 === isLargerAsked ? 'Yes' : 'No'}: ${relation}.`, details: [] }
  if (order === 0) return { sentence: `They are equal: ${relation}.`, details: [] }
  const winner = order > 0 === isLargerAsked ? first : second
  return { sentence: `${winner} is ${isLargerAsked ? 'larger' : 'smaller'}: ${relation}.`, details: [] }
}

function answerValue(expression: Expression, form: ResultForm): CalculationAnswer {
  const value = evaluateExpression(expression)
  const asked = printExpression(expression)
  const result = writeResult(value, form)
  const sentence = asked === result.text ? `${result.text}.` : `${asked} ${result.text.startsWith('≈') ? '' : '= '}${result.text}.`
  if (sentence.length <= 300 && result.text.length <= maxShown) return { sentence, details: result.details }
  const digits = value.n.toString().replace('-', '')
  const size = value.d === 1n ? ` (${digits.length} digits, the last ten are ${digits.slice(-10)})` : ''
  return {
    sentence: `${asked.slice(0, 120)} ≈ ${formatSignificant(value, 12)}${size}. The file has the whole result.`,
    details: [result.text, ...result.details],
  }
}

type WrittenResult = { readonly text: string; readonly details: readonly string[] }

/** Written with `≈` in front if the text is not the exact value. */
function writeResult(value: Rational, form: ResultForm): WrittenResult {
  const none: readonly string[] = []
  switch (form.kind) {
    case 'percent': {
      const percent = multiply(value, rational(100n))
      return { text: isExactlyWritten(percent) ? `${formatRational(percent)}%` : `≈ ${formatSignificant(percent, 10)}%`, details: none }
    }
    case 'fixed': {
      const text = formatFixed(value, Math.max(form.digits, 0))
      const isRounded = compareRationals(value, roundedTo(value, form.digits)) !== 0
      return {
        text: `${isRounded ? '≈ ' : ''}${form.digits < 0 ? formatRational(roundedTo(value, form.digits)) : text}`,
        details: isRounded ? [`Before rounding: ${usualText(value)}`] : none,
      }
    }
    case 'significant':
      if (form.digits > value.digits) return refuse(`I know this value to ${value.digits} significant digits, not to ${form.digits}.`)
      return { text: `≈ ${formatSignificant(value, form.digits)}`, details: none }
    case 'scientific':
      return { text: scientific(value), details: none }
    case 'base':
      return value.d === 1n
        ? { text: `${value.n.toString(form.digits).toUpperCase()} (base ${form.digits})`, details: none }
        : refuse('I write only integers in another base.')
    case 'fraction':
      return isExact(value)
        ? { text: value.d === 1n ? formatRational(value) : `${value.n}/${value.d}`, details: [`As a decimal: ${formatRational(value)}`] }
        : refuse('This value is irrational, so no fraction is equal to it.')
    case 'decimal':
      return { text: isExactlyWritten(value) ? formatRational(value) : `≈ ${formatRational(value)}`, details: none }
    case 'usual':
      return { text: usualText(value), details: none }
  }
}

const roundedTo = (value: Rational, digits: number): Rational => {
  const scale = digits >= 0 ? rational(1n, 10n ** BigInt(digits)) : rational(10n ** BigInt(-digits))
  const steps = divide(value, scale)
  const size = steps.n < 0n ? -steps.n : steps.n
  const rounded = (size * 2n + steps.d) / (steps.d * 2n)
  return multiply(rational(steps.n < 0n ? -rounded : rounded), scale)
}

const isExactlyWritten = (value: Rational): boolean => isExact(value) && hasFiniteDecimal(value) && fractionDigits(value) <= 30

/** `0.25`, `7/12 ≈ 0.583333333333` or `≈ 1.41421356237`. */
function usualText(value: Rational): string {
  if (isExactlyWritten(value)) return formatRational(value)
  const isShortFraction = isExact(value) && value.d <= 1_000_000n && value.n < 1_000_000_000n && value.n > -1_000_000_000n
  return isShortFraction ? `${value.n}/${value.d} ≈ ${formatRational(value)}` : `≈ ${formatRational(value)}`
}

function scientific(value: Rational): string {
  if (value.n === 0n) return '0'
  const [digits = '0', given] = formatSignificant(multiply(value, rational(10n ** 40n)), 12).split(' × 10^')
  const mantissa = digits.replaceAll(',', '')
  const point = mantissa.replace('-', '').split('.')[0] ?? ''
  const exponent = Number(given ?? 0) - 40 + (given === undefined ? point.length - 1 : 0)
  const plain = given === undefined ? `${mantissa[0]}` : mantissa
  return `${plain} × 10^${exponent}`
}

/** A value in at most 12 significant digits. */
const short = (value: Rational): string =>
  formatRational(value).length <= 24 ? formatRational(value) : `about ${formatSignificant(value, 12)}`

/** The sentences of several calculations as one answer. */
export const joinAnswers = (answers: readonly CalculationAnswer[]): string => {
  const all = answers.map((answer) => answer.sentence).join(' ')
  return all.length <= 300 ? all : `${formatList([`${answers.length} results`])} in the file. ${answers[0]?.sentence ?? ''}`.slice(0, 400)
}
