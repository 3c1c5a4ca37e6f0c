/** Rational numbers: exact ones, and approximations that know how many of their digits are correct. */
import { refuse } from '../../skill.ts'

/** `digits`: how many significant digits are correct; infinite if the number is exact. */
export type Rational = { readonly n: bigint; readonly d: bigint; readonly digits: number }

/** The most bits of a numerator or denominator: about 6,000 decimal digits. */
const maxBits = 20_000

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [absolute(a), absolute(b)]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** The number of bits. Reads the binary form, which takes linear time. */
const bitsOf = (value: bigint): number => absolute(value).toString(2).length

/** @throws {SkillRefused} if the denominator is 0 or the number is too long */
export function rational(n: bigint, d = 1n, digits = Number.POSITIVE_INFINITY): Rational {
  if (d === 0n) return refuse('The calculation divides by zero, which has no result.')
  if (bitsOf(n) > maxBits || bitsOf(d) > maxBits)
    refuse('A number of the calculation has more than 6,000 digits; I do not compute with those.')
  const divisor = d === 1n ? 1n : greatestCommonDivisor(n, d)
  const sign = d < 0n ? -1n : 1n
  return { n: (sign * n) / divisor, d: (sign * d) / divisor, digits }
}

const both = (a: Rational, b: Rational): number => Math.min(a.digits, b.digits)
export const isExact = (value: Rational): boolean => value.digits === Number.POSITIVE_INFINITY

export const add = (a: Rational, b: Rational): Rational => rational(a.n * b.d + b.n * a.d, a.d * b.d, both(a, b))
export const subtract = (a: Rational, b: Rational): Rational => rational(a.n * b.d - b.n * a.d, a.d * b.d, both(a, b))
export const multiply = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d, both(a, b))
export const divide = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n, both(a, b))
export const compareRationals = (a: Rational, b: Rational): number => {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The largest integer that is not above the value. */
export function floorOf(value: Rational): bigint {
  const quotient = value.n / value.d
  return value.n < 0n && quotient * value.d !== value.n ? quotient - 1n : quotient
}

/** The nearest integer; halves away from zero, as people round. */
export function roundToInteger(value: Rational): bigint {
  const size = (absolute(value.n) * 2n + value.d) / (value.d * 2n)
  return value.n < 0n ? -size : size
}

/** Rounds to a number of digits after the point. A negative number rounds to tens, hundreds and so on. */
export function roundToDigits(value: Rational, digits: number): Rational {
  const scale = 10n ** BigInt(Math.abs(digits))
  if (digits >= 0) return rational(roundToInteger(rational(value.n * scale, value.d)), scale, value.digits)
  return rational(roundToInteger(rational(value.n, value.d * scale)) * scale, 1n, value.digits)
}

/** @throws {SkillRefused} if the number is not finite */
export function rationalOfNumber(value: number): Rational {
  if (!Number.isFinite(value)) return refuse('The calculation has no finite result.')
  return { ...rationalOfDecimal(value.toPrecision(15)), digits: 15 }
}

/** The value of a decimal such as `-12.5e3`. */
export function rationalOfDecimal(text: string): Rational {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(text) ?? []
  const power = Number(exponent) - fraction.length
  if (Math.abs(power) > 6_000) return refuse('A number of the calculation has more than 6,000 digits; I do not compute with those.')
  const digits = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n)
  return power >= 0 ? rational(digits * 10n ** BigInt(power)) : rational(digits, 10n ** BigInt(-power))
}

export const approximateNumber = (value: Rational): number => {
  const direct = Number(value.n) / Number(value.d)
  return Number.isFinite(direct) ? direct : Number(toDecimal(value, 17))
}

/** The integer root, rounded down, by Newton's method. */
function integerRoot(value: bigint, degree: bigint): bigint {
  if (value < 2n) return value
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / Number(degree)))
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree
    if (next >= guess) return guess
    guess = next
  }
}

/** Root digits after the point. */
const rootDigits = 40n

/** @throws {SkillRefused} if the root is not real */
export function nthRoot(value: Rational, degree: bigint): Rational {
  if (degree < 1n || degree > 100n) return refuse('I take roots of a degree from 1 to 100.')
  if (value.n < 0n) {
    if (degree % 2n === 0n) return refuse('An even root of a negative number is not a real number.')
    const positive = nthRoot({ ...value, n: -value.n }, degree)
    return { ...positive, n: -positive.n }
  }
  const [n, d] = [integerRoot(value.n, degree), integerRoot(value.d, degree)]
  if (n ** degree === value.n && d ** degree === value.d) return rational(n, d, value.digits)
  const scale = 10n ** rootDigits
  return rational(integerRoot((value.n * scale ** degree) / value.d, degree), scale, Math.min(value.digits, Number(rootDigits)))
}

/** @throws {SkillRefused} if the power is too large or not real */
export function raise(base: Rational, exponent: Rational): Rational {
  if (exponent.d === 1n) {
    const size = absolute(exponent.n)
    if (base.n === 0n && exponent.n < 0n) return refuse('The calculation divides by zero, which has no result.')
    const isUnit = absolute(base.n) <= 1n && base.d === 1n
    if (!isUnit && BigInt(Math.max(bitsOf(base.n), bitsOf(base.d)) - 1) * size > BigInt(maxBits))
      return refuse('The power has more than 6,000 digits; I do not compute with those.')
    const power = isUnit ? base.n ** (size % 2n === 0n ? 2n : 1n) : base.n ** size
    const digits = both(base, exponent)
    if (size === 0n) return rational(1n, 1n, digits)
    return exponent.n >= 0n
      ? rational(power, base.d ** (isUnit ? 1n : size), digits)
      : rational(base.d ** (isUnit ? 1n : size), power, digits)
  }
  if (exponent.d <= 100n && isExact(exponent)) return raise(nthRoot(base, exponent.d), rational(exponent.n))
  return rationalOfNumber(approximateNumber(base) ** approximateNumber(exponent))
}

/** True if the decimal form ends. */
export function hasFiniteDecimal(value: Rational): boolean {
  let rest = value.d
  while (rest % 10n === 0n) rest /= 10n
  while (rest % 2n === 0n) rest /= 2n
  while (rest % 5n === 0n) rest /= 5n
  return rest === 1n
}

function grouped(digits: string): string {
  const first = digits.length % 3 || 3
  const parts = [digits.slice(0, first)]
  for (let at = first; at < digits.length; at += 3) parts.push(digits.slice(at, at + 3))
  return parts.join(',')
}

/** A decimal with at most so many significant digits, without grouping: `-0.3333`, `1.2e+40`. */
function toDecimal(value: Rational, significant: number): string {
  if (value.n === 0n) return '0'
  const size = { ...value, n: absolute(value.n) }
  let exponent = size.n.toString().length - size.d.toString().length
  const powerOf = (at: number): Rational => (at >= 0 ? rational(10n ** BigInt(at)) : rational(1n, 10n ** BigInt(-at)))
  if (compareRationals(size, powerOf(exponent)) < 0) exponent--
  const rounded = roundToDigits(size, significant - 1 - exponent)
  if (compareRationals(rounded, powerOf(exponent + 1)) >= 0) exponent++
  const sign = value.n < 0n ? '-' : ''
  if (exponent >= 21 || exponent < -9) {
    const scaled = divide(rounded, powerOf(exponent))
    return `${sign}${plainDecimal(scaled)}e${exponent >= 0 ? '+' : ''}${exponent}`
  }
  return sign + plainDecimal(rounded)
}

/** The decimal form of a non-negative number with a finite one. */
function plainDecimal(value: Rational): string {
  const places = Math.max(fractionDigits(value), 0)
  const digits = (value.n * 10n ** BigInt(places)) / value.d
  const text = digits.toString().padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}

/** The number of digits after the point of a finite decimal. */
export function fractionDigits(value: Rational): number {
  let [rest, twos, fives] = [value.d, 0, 0]
  while (rest % 2n === 0n) {
    rest /= 2n
    twos++
  }
  while (rest % 5n === 0n) {
    rest /= 5n
    fives++
  }
  return Math.max(twos, fives)
}

/** Written with grouped thousands: exact where the decimal form has at most 30 digits after the point, else 12 significant digits. */
export function formatRational(value: Rational): string {
  const isShort = hasFiniteDecimal(value) && fractionDigits(value) <= (isExact(value) ? 30 : 0)
  if (!isShort) return groupDecimal(toDecimal(value, 12))
  const text = plainDecimal({ ...value, n: absolute(value.n) })
  return groupDecimal(value.n < 0n ? `-${text}` : text)
}

/** Written with so many significant digits. */
export const formatSignificant = (value: Rational, digits: number): string => groupDecimal(toDecimal(value, digits))

/** Written with exactly so many digits after the point. */
export function formatFixed(value: Rational, digits: number): string {
  const rounded = roundToDigits(value, digits)
  const text = plainDecimal({ ...rounded, n: absolute(rounded.n) })
  const [whole = '', fraction = ''] = text.split('.')
  return groupDecimal(`${rounded.n < 0n ? '-' : ''}${whole}${digits > 0 ? `.${fraction.padEnd(digits, '0')}` : ''}`)
}

function groupDecimal(text: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(text) ?? []
  return `${sign}${grouped(whole)}${rest.replace(/e\+?(-?\d+)$/, ' × 10^$1')}`
}
