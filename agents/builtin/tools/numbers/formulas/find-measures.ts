/** Finds all numbers of a text, each with its unit. */
import { add, divide, multiply, type Rational, rational, rationalOfDecimal } from '../rational.ts'
import { currencySign, type MeasureKind, type MeasureUnit, measureUnits } from './measure-units.ts'

export type MeasuredValue = {
  readonly kind: MeasureKind
  /** As written, in the unit. */
  readonly value: Rational
  /** In base units of the kind. */
  readonly base: Rational
  /** Of the unit, such as `km`; of money the sign, or nothing. */
  readonly symbol: string
}

export type FoundMeasures = {
  readonly measures: readonly MeasuredValue[]
  /** The text without them, in lower case. */
  readonly rest: string
}

const decimalComma = new Set(['de', 'fr', 'es'])
const number =
  /(?<!\p{Script=Latin}|\d|\d[.,])\d{1,3}(?:[.,’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|(?<!\p{Script=Latin}|\d|\d[.,])\d+(?:[.,]\d+)?(?![.,]?\d)/u
const signBefore = /(?:€|\$|£)\s?$/u

/** `1.500` is 1500 in German and 1.5 in English. */
export function readLocalNumber(written: string, language: string): Rational {
  const [point, group] = decimalComma.has(language) ? [',', '.'] : ['.', ',']
  const bare = written.replace(/[’\s]/gu, '')
  const isGrouped = new RegExp(`^\\d{1,3}(?:\\${group}\\d{3})+(?:\\${point}\\d+)?$`).test(bare)
  if (isGrouped) return rationalOfDecimal(bare.replaceAll(group, '').replace(point, '.'))
  return rationalOfDecimal(bare.replace(',', '.'))
}

const sizeOf = ({ size }: MeasureUnit): Rational => {
  const [top = '1', bottom] = size.split('/')
  return bottom === undefined ? rationalOfDecimal(top) : divide(rationalOfDecimal(top), rationalOfDecimal(bottom))
}

function measureOf(value: Rational, unit: MeasureUnit, written: string): MeasuredValue {
  const isMoney = unit.kind.startsWith('money')
  if (!isMoney) return { kind: unit.kind, value, base: multiply(value, sizeOf(unit)), symbol: unit.symbol }
  const { sign, scale } = currencySign(written)
  const amount = multiply(value, rationalOfDecimal(scale))
  return { kind: unit.kind, value: amount, base: amount, symbol: sign }
}

/** Numbers from left to right. Hours and the minutes behind them are one time; “5 x 3 m” has two lengths. */
export function findMeasures(text: string, language: string): FoundMeasures {
  const measures: MeasuredValue[] = []
  let [rest, left] = ['', text]
  for (let match = number.exec(left); match; match = number.exec(left)) {
    let before = left.slice(0, match.index)
    const value = readLocalNumber(match[0], language)
    left = left.slice(match.index + match[0].length)
    const [sign] = signBefore.exec(before) ?? []
    if (sign !== undefined) {
      before = before.slice(0, before.length - sign.length)
      left = `${sign.trim()}${left}`
    }
    const unit = measureUnits.find(({ pattern }) => pattern.test(left))
    const written = unit?.pattern.exec(left)?.[0] ?? ''
    left = left.slice(written.length)
    measures.push(unit ? measureOf(value, unit, written) : { kind: 'bare', value, base: value, symbol: '' })
    rest += `${before} ¤ `
  }
  return { measures: joinTimes(shareUnits(measures)), rest: `${rest}${left}`.toLowerCase() }
}

/** In “5 x 3 m” the first number has the unit of the second. */
function shareUnits(measures: readonly MeasuredValue[]): MeasuredValue[] {
  const shared = [...measures]
  for (let index = shared.length - 2; index >= 0; index--) {
    const [measure, next] = [shared[index], shared[index + 1]]
    if (measure?.kind !== 'bare' || next?.kind !== 'length') continue
    const scale = next.value.n === 0n ? rational(1n) : divide(next.base, next.value)
    shared[index] = { ...measure, kind: 'length', symbol: next.symbol, base: multiply(measure.value, scale) }
  }
  return shared
}

/** Hours with the minutes behind them are one time. */
function joinTimes(measures: readonly MeasuredValue[]): MeasuredValue[] {
  const joined: MeasuredValue[] = []
  for (const measure of measures) {
    const last = joined.at(-1)
    const isMinutes = measure.kind === 'time' && measure.symbol === 'min' && last?.kind === 'time' && last.symbol === 'h'
    if (isMinutes) {
      const hours = add(last.base, measure.base)
      joined.splice(-1, 1, { ...last, value: hours, base: hours })
    } else joined.push(measure)
  }
  return joined
}
