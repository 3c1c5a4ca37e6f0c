/** The artifact type `table.series`: labelled rows of numbers with unit and source. */
import { z } from 'zod'
import { refuse } from '../skill.ts'

export const Series = z.looseObject({
  title: z.string().min(1).max(300),
  unit: z.string().max(60),
  source: z.string().max(2_000),
  columns: z.array(z.string().min(1).max(120)).min(2).max(25).describe("The label's heading, then one per column of numbers."),
  rows: z
    .array(z.tuple([z.string().max(120)], z.number().nullable()))
    .min(1)
    .max(5_000),
  notes: z.array(z.string().max(1_000)).max(50).default([]),
})
export type Series = z.infer<typeof Series>

/** The period of the labels. `none`: they are names without order. */
export type Period = 'year' | 'quarter' | 'month' | 'day' | 'none'

export type Point = { readonly label: string; readonly at: number; readonly value: number }

/** @throws {SkillRefused} if the text is not a series */
export function parseTableSeries(text: string): Series {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    refuse('The table is not JSON.')
  }
  const parsed = Series.safeParse(json)
  if (!parsed.success) return refuse(`The table is not a series: ${z.prettifyError(parsed.error).slice(0, 400)}`)
  const width = parsed.data.columns.length
  const ragged = parsed.data.rows.findIndex((row) => row.length !== width)
  if (ragged >= 0) refuse(`Row ${ragged + 1} of the table has ${parsed.data.rows[ragged]?.length} cells, and there are ${width} columns.`)
  return parsed.data
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Number (1–12) of an English month name, or of its first three letters. */
export function monthOf(word: string): number | undefined {
  const found = months.indexOf(word.slice(0, 3).toLowerCase())
  return found >= 0 && word.length >= 3 ? found + 1 : undefined
}

/** The period of a label, and its number of years, quarters, months or days. */
export function parseTimeLabel(label: string): { period: Exclude<Period, 'none'>; at: number } | undefined {
  const text = label.trim()
  const year = /^(?:FY\s?|fiscal\s+)?((?:1[5-9]|20|21)\d\d)$/i.exec(text)
  if (year) return { period: 'year', at: Number(year[1]) }
  const quarter = /^(?:(\d{4})[\s-]?Q([1-4])|Q([1-4])[\s-]?(\d{4}))$/i.exec(text)
  if (quarter) return { period: 'quarter', at: Number(quarter[1] ?? quarter[4]) * 4 + Number(quarter[2] ?? quarter[3]) - 1 }
  const numeric = /^(\d{4})[-/.](\d{1,2})$/.exec(text)
  if (numeric && Number(numeric[2]) <= 12 && Number(numeric[2]) >= 1)
    return { period: 'month', at: Number(numeric[1]) * 12 + Number(numeric[2]) - 1 }
  const named = /^([A-Za-z]{3,9})\.?(?:[\s-]+(\d{4}))?$/.exec(text)
  const month = named ? monthOf(named[1] ?? '') : undefined
  if (named && month !== undefined && isMonthName(named[1] ?? '')) return { period: 'month', at: Number(named[2] ?? 0) * 12 + month - 1 }
  const day = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/.exec(text)
  if (day) {
    const ms = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
    if (Number.isFinite(ms)) return { period: 'day', at: Math.round(ms / 86_400_000) }
  }
  return undefined
}

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
function isMonthName(word: string): boolean {
  const lower = word.toLowerCase()
  return months.includes(lower) || monthNames.includes(lower) || lower === 'sept'
}

/** The common period of all labels in ascending order; `none` if there is none. */
export function periodOf(series: Series): Period {
  const places = series.rows.map((row) => parseTimeLabel(row[0]))
  const first = places[0]
  if (!first) return 'none'
  let before = Number.NEGATIVE_INFINITY
  for (const place of places) {
    if (place?.period !== first.period || place.at <= before) return 'none'
    before = place.at
  }
  return first.period
}

/** The points of a number column (from 1), without missing values. `at`: time, or the row's index. */
export function pointsOf(series: Series, column: number): Point[] {
  const timed = periodOf(series) !== 'none'
  return series.rows.flatMap((row, index) => {
    const value = row[column]
    if (typeof value !== 'number') return []
    return [{ label: row[0], at: timed ? (parseTimeLabel(row[0])?.at ?? index) : index, value }]
  })
}
