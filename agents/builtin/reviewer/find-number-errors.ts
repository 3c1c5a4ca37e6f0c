/** Recomputes the numbers of a report from the table. */

import { periodOf, pointsOf, type Series } from '../artifacts/table-series.ts'
import { parseNumberCell } from '../data/parse-number-cell.ts'
import { formatPercent } from '../format-numbers-and-lists.ts'

type ComputedFigures = {
  readonly series: Series
  readonly labels: readonly string[]
  /** Values by label. */
  readonly values: ReadonlyMap<string, readonly number[]>
  /** Growth since the point before, by label. */
  readonly growth: ReadonlyMap<string, readonly number[]>
  readonly cagrs: readonly number[]
}

/** The figures of a table in the forms that reports use. */
export function computeFigures(series: Series): ComputedFigures {
  const values = new Map<string, number[]>()
  const growth = new Map<string, number[]>()
  const cagrs: number[] = []
  const timed = periodOf(series) !== 'none'
  for (let column = 1; column < series.columns.length; column++) {
    const points = pointsOf(series, column)
    for (const point of points) values.set(point.label, [...(values.get(point.label) ?? []), point.value])
    if (!timed) continue
    points.slice(1).forEach((point, index) => {
      const before = points[index]?.value ?? 0
      if (before > 0) growth.set(point.label, [...(growth.get(point.label) ?? []), point.value / before - 1])
    })
    const [first, last] = [points[0], points[points.length - 1]]
    if (first && last && last.at > first.at && first.value > 0 && last.value > 0)
      cagrs.push((last.value / first.value) ** (1 / (last.at - first.at)) - 1)
  }
  // Longest first, so that the longer of two labels with the same beginning matches.
  const labels = [...new Set(series.rows.map((row) => row[0]))].filter((label) => label !== '').sort((a, b) => b.length - a.length)
  return { series, labels, values, growth, cagrs }
}

const scales = [1, 1e-3, 1e3, 1e-6, 1e6]

/** Whether `shown` is a rounding of `value`, possibly in thousands or millions. */
function isRounding(shown: string, value: number, scalable = true): boolean {
  const cell = parseNumberCell(shown, '.')
  if (cell.kind !== 'number') return true
  const digits = /\.(\d+)/.exec(shown)?.[1]?.length ?? 0
  const slack = 0.5 * 10 ** -digits * 1.0001
  return (scalable ? scales : [1]).some((scale) => Math.abs(cell.value - value * scale) <= slack + Math.abs(value * scale) * 1e-9)
}

/** Errors of the report, as sentences. Numbers that match no label are not checked. */
export function findNumberErrors(report: string, series: Series): string[] {
  const known = computeFigures(series)
  const prose = report.replace(/(`{3,})[\s\S]*?\1/g, '\n').replace(/\\([\\`*_[\]<>#|])/g, '$1')
  const lines = prose.split('\n')
  const faults = [...tableFaults(lines, known), ...proseFaults(lines.filter((line) => !line.trimStart().startsWith('|')).join('\n'), known)]
  return [...new Set(faults)]
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.replace(/[*_`]/g, '').trim())
}

function tableFaults(lines: readonly string[], known: ComputedFigures): string[] {
  const faults: string[] = []
  let heads: string[] = []
  for (const [index, line] of lines.entries()) {
    if (!line.trimStart().startsWith('|')) continue
    if (/^\s*\|[\s:|-]+$/.test(line)) continue
    const cells = cellsOf(line)
    if (/^\s*\|[\s:|-]+$/.test(lines[index + 1] ?? '')) {
      heads = cells
      continue
    }
    const label = cells[0] ?? ''
    const rows = known.series.rows.filter((row) => row[0] === label)
    if (rows.length === 0) continue
    cells.slice(1).forEach((cell, place) => {
      if (parseNumberCell(cell, '.').kind !== 'number') return
      const head = heads[place + 1] ?? ''
      const column = known.series.columns.indexOf(head, 1)
      if (/%/.test(cell) && known.series.unit !== '%') {
        const growths = known.growth.get(label)
        if (growths && !growths.some((share) => isRounding(cell.replace('%', ''), share * 100, false)))
          faults.push(
            `The table gives ${cell} for ${label}, and from the data it is ${growths.map((share) => formatPercent(share, true)).join(' or ')}.`,
          )
        return
      }
      const at = column > 0 ? column : place + 1
      if (at >= known.series.columns.length) return
      const truths = rows.map((row) => row[at]).filter((value) => typeof value === 'number')
      if (truths.length > 0 && !truths.some((value) => isRounding(cell, value)))
        faults.push(`The table gives ${cell} for ${label}, and the data says ${truths.join(' or ')}.`)
      if (truths.length === 0) faults.push(`The table gives ${cell} for ${label}, and the data has no value there.`)
    })
  }
  return faults
}

const number = String.raw`[-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?`

function proseFaults(prose: string, known: ComputedFigures): string[] {
  const faults: string[] = []
  for (const label of known.labels.filter((one) => prose.includes(`(${one})`) || prose.includes(`${one} (`))) {
    // Matches "86,833 million USD (2014)" and "2018 (+14.3 %)".
    const before = new RegExp(`(?<![\\d.,])(${number})(\\s*%)?((?:\\s+[\\p{L}]+){0,3})\\s+\\(${literal(label)}\\)`, 'gu')
    for (const match of prose.matchAll(before)) faults.push(...placed(match[1] ?? '', match[2] !== undefined, label, known))
    const after = new RegExp(`(?<![\\w.,-])${literal(label)}\\s+\\((${number})(\\s*%)?((?:\\s+[\\p{L}]+){0,3})\\)`, 'gu')
    for (const match of prose.matchAll(after)) faults.push(...placed(match[1] ?? '', match[2] !== undefined, label, known))
  }
  for (const sentence of prose.split(/(?<=[.!?])\s+|\n+/)) faults.push(...sentenceFaults(sentence, known))
  for (const match of prose.matchAll(/(?:CAGR|compound(?: annual)? growth(?: rate)?)[^.%\d]{0,40}?([-+−]?\d+(?:\.\d+)?)\s*%/gi)) {
    const shown = match[1] ?? ''
    if (known.cagrs.length > 0 && !known.cagrs.some((cagr) => isRounding(shown, cagr * 100, false)))
      faults.push(
        `The report gives a compound growth of ${shown} %, and from the data it is ${known.cagrs.map((cagr) => formatPercent(cagr, true)).join(' or ')}.`,
      )
  }
  return faults
}

function placed(shown: string, isPercent: boolean, label: string, known: ComputedFigures): string[] {
  const percentUnit = known.series.unit === '%'
  const truths = isPercent && !percentUnit ? (known.growth.get(label) ?? []).map((share) => share * 100) : (known.values.get(label) ?? [])
  // In a table of percentages, a percentage may be a value or a growth rate.
  const others = isPercent && percentUnit ? (known.growth.get(label) ?? []).map((share) => share * 100) : []
  const all = [...truths, ...others]
  if (all.length === 0 || all.some((value) => isRounding(shown, value, !isPercent))) return []
  const truth = all.map((value) => (isPercent ? formatPercent(value / 100, true) : String(value))).join(' or ')
  return [`The report says ${shown}${isPercent ? ' %' : ''} for ${label}, and from the data it is ${truth}.`]
}

/** A sentence with one label and one large number: "In 2016 revenue was 99,999". */
function sentenceFaults(sentence: string, known: ComputedFigures): string[] {
  const named = known.labels.filter(
    (label) => sentence.includes(label) && new RegExp(`(?<![\\w.,-])${literal(label)}(?![\\w,-]|\\.\\d)`).test(sentence),
  )
  if (named.length !== 1 || /\b(by|per|average|mean|median|total|sum|since)\b/i.test(sentence)) return []
  const rest = sentence.replaceAll(named[0] ?? '', ' ')
  const numbers = [...rest.matchAll(/(?<![\w.,])[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\s*%)/g)].map((match) => match[0])
  return numbers.length === 1 ? placed(numbers[0] ?? '', false, named[0] ?? '', known) : []
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
