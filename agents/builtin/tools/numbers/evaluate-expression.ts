/** The tree of an arithmetic expression, its value and its written form. */
import { refuse } from '../../skill.ts'
import {
  add,
  approximateNumber,
  compareRationals,
  divide,
  floorOf,
  formatRational,
  greatestCommonDivisor,
  multiply,
  nthRoot,
  type Rational,
  raise,
  rational,
  rationalOfNumber,
  roundToDigits,
  roundToInteger,
  subtract,
} from './rational.ts'

export type BinaryOperator = '+' | '-' | '*' | '/' | '^' | 'mod'

export type Expression =
  | { readonly kind: 'number'; readonly value: Rational; readonly text: string }
  | { readonly kind: 'percent'; readonly of: Expression }
  | { readonly kind: 'negative'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly inputs: readonly Expression[] }

type Implementation = { readonly inputs: readonly [min: number, max: number]; readonly compute: (inputs: readonly Rational[]) => Rational }

const zero = rational(0n)
const at = (inputs: readonly Rational[], index: number): Rational => inputs[index] ?? zero
const integerAt = (inputs: readonly Rational[], index: number, what: string): bigint => {
  const value = at(inputs, index)
  return value.d === 1n ? value.n : refuse(`The ${what} needs integers, and ${formatRational(value)} is none.`)
}
/** Values below 1e-15 are rounding errors of a zero, as in sin(π). */
const approximate = (compute: (value: number) => number) => (inputs: readonly Rational[]) => {
  const value = compute(approximateNumber(at(inputs, 0)))
  return rationalOfNumber(Math.abs(value) < 1e-15 ? 0 : value)
}
const sum = (inputs: readonly Rational[]): Rational => inputs.reduce(add, zero)
const sorted = (inputs: readonly Rational[]): Rational[] => [...inputs].sort(compareRationals)

function factorial(n: bigint): bigint {
  if (n < 0n || n > 1_500n) return refuse('I compute factorials of the integers from 0 to 1,500.')
  let product = 1n
  for (let factor = 2n; factor <= n; factor++) product *= factor
  return product
}

function choose(n: bigint, k: bigint): bigint {
  if (k < 0n || n < 0n || k > n) return refuse('To choose k of n, k must be from 0 to n.')
  const count = k > n - k ? n - k : k
  if (count > 2_000n) return refuse('I compute combinations of at most 2,000 elements.')
  let product = 1n
  for (let index = 1n; index <= count; index++) product = (product * (n - count + index)) / index
  return product
}

function arrange(n: bigint, k: bigint): bigint {
  if (k < 0n || n < 0n || k > n || k > 1_500n) return refuse('To arrange k of n, k must be from 0 to n and at most 1,500.')
  let product = 1n
  for (let index = 0n; index < k; index++) product *= n - index
  return product
}

function median(inputs: readonly Rational[]): Rational {
  const values = sorted(inputs)
  const middle = Math.floor(values.length / 2)
  if (values.length % 2 === 1) return at(values, middle)
  return divide(add(at(values, middle - 1), at(values, middle)), rational(2n))
}

function logarithm(inputs: readonly Rational[]): Rational {
  const [value, base] = [at(inputs, 0), at(inputs, 1)]
  if (value.n <= 0n || base.n <= 0n || compareRationals(base, rational(1n)) === 0)
    return refuse('A logarithm needs a number above zero, and a base above zero that is not 1.')
  const result = rationalOfNumber(Math.log(approximateNumber(value)) / Math.log(approximateNumber(base)))
  const nearest = rational(roundToInteger(result))
  // log2(8) is exactly 3.
  if (nearest.n > -500n && nearest.n < 500n && compareRationals(raise(base, nearest), value) === 0) return nearest
  return result
}

/** The sum of the integers from a to b. */
function series(from: bigint, to: bigint): Rational {
  if (to < from) return series(to, from)
  return rational((from + to) * (to - from + 1n), 2n)
}

const gcd = (inputs: readonly Rational[]): Rational =>
  rational(inputs.map((_, index) => integerAt(inputs, index, 'greatest common divisor')).reduce(greatestCommonDivisor, 0n))
const lcm = (inputs: readonly Rational[]): Rational => {
  const values = inputs.map((_, index) => integerAt(inputs, index, 'least common multiple'))
  return values.reduce((product, value) => {
    const divisor = greatestCommonDivisor(product.n, value)
    return divisor === 0n ? zero : rational(abs(product.n * value) / divisor)
  }, rational(1n))
}
const abs = (value: bigint): bigint => (value < 0n ? -value : value)
const radians = (value: number): number => (value * Math.PI) / 180

const list = [1, 200] as const
const one = [1, 1] as const
const two = [2, 2] as const

/** The functions that an expression may call. None assigns, reads a name or repeats without a bound. */
export const functions = {
  sqrt: { inputs: one, compute: (inputs) => nthRoot(at(inputs, 0), 2n) },
  cbrt: { inputs: one, compute: (inputs) => nthRoot(at(inputs, 0), 3n) },
  root: { inputs: two, compute: (inputs) => nthRoot(at(inputs, 0), integerAt(inputs, 1, 'root')) },
  abs: { inputs: one, compute: (inputs) => ({ ...at(inputs, 0), n: abs(at(inputs, 0).n) }) },
  round: { inputs: [1, 2], compute: (inputs) => roundToDigits(at(inputs, 0), digitsAt(inputs, 1)) },
  floor: { inputs: one, compute: (inputs) => rational(floorOf(at(inputs, 0))) },
  ceil: { inputs: one, compute: (inputs) => rational(-floorOf({ ...at(inputs, 0), n: -at(inputs, 0).n })) },
  ln: { inputs: one, compute: (inputs) => (at(inputs, 0).n > 0n ? naturalLogarithm(at(inputs, 0)) : logarithm([zero, zero])) },
  log: { inputs: [1, 2], compute: (inputs) => logarithm([at(inputs, 0), inputs[1] ?? rational(10n)]) },
  log2: { inputs: one, compute: (inputs) => logarithm([at(inputs, 0), rational(2n)]) },
  log10: { inputs: one, compute: (inputs) => logarithm([at(inputs, 0), rational(10n)]) },
  exp: { inputs: one, compute: approximate(Math.exp) },
  sin: { inputs: one, compute: approximate(Math.sin) },
  cos: { inputs: one, compute: approximate(Math.cos) },
  tan: { inputs: one, compute: approximate(Math.tan) },
  sind: { inputs: one, compute: approximate((value) => Math.sin(radians(value))) },
  cosd: { inputs: one, compute: approximate((value) => Math.cos(radians(value))) },
  tand: { inputs: one, compute: approximate((value) => Math.tan(radians(value))) },
  factorial: { inputs: one, compute: (inputs) => rational(factorial(integerAt(inputs, 0, 'factorial'))) },
  choose: { inputs: two, compute: (inputs) => rational(choose(integerAt(inputs, 0, 'count'), integerAt(inputs, 1, 'count'))) },
  permutations: { inputs: two, compute: (inputs) => rational(arrange(integerAt(inputs, 0, 'count'), integerAt(inputs, 1, 'count'))) },
  gcd: { inputs: list, compute: gcd },
  lcm: { inputs: list, compute: lcm },
  min: { inputs: list, compute: (inputs) => at(sorted(inputs), 0) },
  max: { inputs: list, compute: (inputs) => at(sorted(inputs), inputs.length - 1) },
  sum: { inputs: list, compute: sum },
  product: { inputs: list, compute: (inputs) => inputs.reduce(multiply, rational(1n)) },
  average: { inputs: list, compute: (inputs) => divide(sum(inputs), rational(BigInt(inputs.length))) },
  median: { inputs: list, compute: median },
  series: { inputs: two, compute: (inputs) => series(integerAt(inputs, 0, 'sum'), integerAt(inputs, 1, 'sum')) },
} as const satisfies { readonly [name: string]: Implementation }

export type FunctionName = keyof typeof functions

function digitsAt(inputs: readonly Rational[], index: number): number {
  const digits = Number(integerAt(inputs, index, 'number of digits'))
  return Math.abs(digits) <= 100 ? digits : refuse('I round to at most 100 digits.')
}

function naturalLogarithm(value: Rational): Rational {
  return compareRationals(value, rational(1n)) === 0 ? zero : rationalOfNumber(Math.log(approximateNumber(value)))
}

/** True if a call of the function can have so many inputs. */
export function acceptsInputs(name: FunctionName, count: number): boolean {
  const [min, max] = functions[name].inputs
  return count >= min && count <= max
}

/** @throws {SkillRefused} with the reason if there is no result */
export function evaluateExpression(expression: Expression): Rational {
  switch (expression.kind) {
    case 'number':
      return expression.value
    case 'percent':
      return divide(evaluateExpression(expression.of), rational(100n))
    case 'negative':
      return subtract(zero, evaluateExpression(expression.of))
    case 'call':
      return functions[expression.name].compute(expression.inputs.map(evaluateExpression))
    case 'binary':
      return evaluateBinary(expression)
  }
}

function evaluateBinary({ operator, left, right }: Expression & { readonly kind: 'binary' }): Rational {
  const a = evaluateExpression(left)
  const b = evaluateExpression(right)
  // As on a pocket calculator: 250 + 19% is 250 and 19% of it.
  const isPart = right.kind === 'percent' && left.kind !== 'percent'
  const second = isPart && (operator === '+' || operator === '-') ? multiply(a, b) : b
  switch (operator) {
    case '+':
      return add(a, second)
    case '-':
      return subtract(a, second)
    case '*':
      return multiply(a, b)
    case '/':
      return divide(a, b)
    case '^':
      return raise(a, b)
    case 'mod':
      return subtract(a, multiply(b, rational(floorOf(divide(a, b)))))
  }
}

const signs: { readonly [operator in BinaryOperator]: string } = { '+': ' + ', '-': ' − ', '*': ' × ', '/': ' ÷ ', '^': '^', mod: ' mod ' }
const strengths: { readonly [operator in BinaryOperator]: number } = { '+': 1, '-': 1, '*': 2, '/': 2, mod: 2, '^': 4 }
const strengthOf = (expression: Expression): number =>
  expression.kind === 'binary' ? strengths[expression.operator] : expression.kind === 'negative' ? 3 : 5

const bracketed = (expression: Expression, isNeeded: boolean): string =>
  isNeeded ? `(${printExpression(expression)})` : printExpression(expression)

function printCall({ name, inputs }: Expression & { readonly kind: 'call' }): string {
  const [first = '', second = ''] = inputs.map(printExpression)
  const isNumber = inputs[0]?.kind === 'number'
  if (name === 'factorial' && isNumber) return `${first}!`
  if (name === 'sqrt') return isNumber ? `√${first}` : `√(${first})`
  if (name === 'series') return `The sum of the integers from ${first} to ${second}`
  if (name === 'sind' || name === 'cosd' || name === 'tand') return `${name.slice(0, 3)}(${first}°)`
  return `${name}(${inputs.map(printExpression).join(', ')})`
}

/** The expression as people write it: `0.15 × (240 − 40)`. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return expression.text
    case 'percent':
      return `${bracketed(expression.of, strengthOf(expression.of) < 5)}%`
    case 'negative':
      return `−${bracketed(expression.of, strengthOf(expression.of) < 4)}`
    case 'call':
      return printCall(expression)
    case 'binary': {
      const { operator, left, right } = expression
      const strength = strengths[operator]
      if (operator === '*' && left.kind === 'percent')
        return `${printExpression(left)} of ${bracketed(right, strengthOf(right) <= strength)}`
      const isLeftWeak = operator === '^' ? strengthOf(left) < 5 : strengthOf(left) < strength
      const isRightWeak = operator === '^' ? strengthOf(right) < 4 : strengthOf(right) <= strength && operator !== '+'
      return bracketed(left, isLeftWeak) + signs[operator] + bracketed(right, isRightWeak)
    }
  }
}
