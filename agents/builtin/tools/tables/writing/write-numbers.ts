/** Writes the numbers of a table with their units and as many digits as the table has. */
import type { Measure } from '../computing/table-query.ts'

/** `1,234.5`: rounded to so many digits, without zeros at the end. */
export function writeNumber(value: number, decimals: number): string {
  const text = value.toLocaleString('en-US', { maximumFractionDigits: Math.min(Math.max(decimals, 0), 12) })
  return text === '-0' ? '0' : text
}

export const nameOfMeasure = (measure: Measure): string =>
  measure.kind === 'rows' ? measure.noun : measure.kind === 'distinct' || measure.kind === 'column' ? measure.column.name : measure.name

export function unitOfMeasure(measure: Measure): string {
  if (measure.kind === 'column') return measure.column.unit
  if (measure.kind !== 'combined') return ''
  if (measure.isPercent) return '%'
  return (measure.operator === '-' || measure.operator === '+') && measure.left.unit === measure.right.unit ? measure.left.unit : ''
}

/** Digits after the point that sums and single values of the measure can have. */
export function decimalsOfMeasure(measure: Measure): number {
  if (measure.kind === 'column') return measure.column.decimals
  if (measure.kind !== 'combined') return 0
  return measure.operator === '-' || measure.operator === '+' ? Math.max(measure.left.decimals, measure.right.decimals) : 4
}

const isCurrency = (unit: string): boolean => /^[A-Z]{3}$/.test(unit)

/** The value with its unit. An average has more digits than the cells. */
export function writeMeasured(measure: Measure, value: number, isMean: boolean): string {
  const unit = unitOfMeasure(measure)
  const isRatio = measure.kind === 'combined' && (measure.operator === '/' || measure.isMargin)
  const own = isRatio ? (measure.isPercent ? 1 : 2) : decimalsOfMeasure(measure)
  const decimals =
    isMean || isRatio
      ? Math.max(own, Math.abs(value) < 1 && value !== 0 && !measure.kind.startsWith('rows') ? 4 : isRatio && unit === '%' ? 1 : 2)
      : own
  const exact = exactDecimals(value)
  // An average of a few cells is often exact with some digits more. What is rounded is marked.
  if (isMean && exact > decimals && exact <= decimals + maxMoreDecimals) return withUnit(writeNumber(value, exact), unit)
  const mark = isMean && exact > decimals ? '≈ ' : ''
  const isMoney = isCurrency(unit) && !Number.isInteger(Number(value.toFixed(2))) && decimals === 2
  const text = isMoney
    ? value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : writeNumber(value, decimals)
  return withUnit(`${mark}${text}`, unit)
}

const withUnit = (text: string, unit: string): string => (unit === '' ? text : unit === '%' ? `${text}%` : `${text} ${unit}`)

const maxMoreDecimals = 2

/** Digits after the point without the noise of binary fractions. */
const exactDecimals = (value: number): number => /\.(\d+)$/.exec(String(Number(value.toPrecision(13))))?.[1]?.length ?? 0
