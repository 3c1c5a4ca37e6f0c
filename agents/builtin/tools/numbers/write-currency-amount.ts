/** Writes amounts in the currency that the client wrote. */
import { formatFixed, formatRational, fractionDigits, hasFiniteDecimal, type Rational, roundToDigits, subtract } from './rational.ts'
import type { NumberToken } from './read-amount-tokens.ts'

/** How the client writes a currency. */
export type WrittenCurrency = { readonly sign: string; readonly isFirst: boolean }

const signs: { readonly [word: string]: string } = {
  euro: 'EUR',
  euros: 'EUR',
  dollar: 'dollars',
  pound: 'pounds',
  franc: 'francs',
  bucks: 'dollars',
  rmb: 'yuan',
}
const meanings: { readonly [sign: string]: string } = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  dollars: 'USD',
  pounds: 'GBP',
  quid: 'GBP',
  francs: 'CHF',
}

const signOf = (text: string): string => signs[text] ?? (/^[a-z]{3}$/.test(text) ? text.toUpperCase() : text)

/** The one currency of several numbers. Undefined if they have different ones. */
export function commonCurrency(numbers: readonly Pick<NumberToken, 'currency' | 'isCurrencyFirst'>[]): WrittenCurrency | undefined {
  const written = numbers.filter(({ currency }) => currency !== '')
  const [first] = written
  if (!first) return { sign: '', isFirst: false }
  const meaning = (text: string): string => meanings[signOf(text)] ?? signOf(text)
  if (!written.every(({ currency }) => meaning(currency) === meaning(first.currency))) return undefined
  return { sign: signOf(first.currency), isFirst: first.isCurrencyFirst && /^[$€£¥]$/.test(first.currency) }
}

/** Rounded half up to cents: `$1,234.50`, `1,234.50 EUR` or `1,234.50`. */
export function writeCurrencyAmount(value: Rational, { sign, isFirst }: WrittenCurrency): string {
  const text = formatFixed(value, 2)
  if (sign === '') return text
  return isFirst ? text.replace(/^(-?)/, `$1${sign}`) : `${text} ${sign}`
}

export const isWholeCents = (value: Rational): boolean => subtract(value, roundToDigits(value, 2)).n === 0n

/** The exact value as a decimal or a fraction. */
export const writeExact = (value: Rational): string => {
  if (hasFiniteDecimal(value) && fractionDigits(value) <= 12) return formatRational(value)
  return value.d <= 1_000_000n ? `${value.n}/${value.d}` : `≈ ${formatRational(value)}`
}
