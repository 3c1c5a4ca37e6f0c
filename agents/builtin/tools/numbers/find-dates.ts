/// <reference lib="esnext.temporal" />
/** Finds dates in English words, in the usual ways to write them. */
import { readNumberWords } from './read-number-words.ts'

export type Day = Temporal.PlainDate

/** Which part of a date such as 3/4/2027 is the day. */
export type DateOrder = 'day first' | 'month first'

/** A date as written. `resolve` places one without a year: after or before today, or in the year of another date. */
export type WrittenDate = {
  readonly text: string
  readonly hasYear: boolean
  /** True for today and for what is counted from it. */
  readonly isRelative: boolean
  /** True for 3/4/2027, which is two dates. */
  readonly isAmbiguous: boolean
  readonly inYear: (year: number) => Day | undefined
  readonly day: Day
}

export type FoundDates = {
  readonly dates: readonly WrittenDate[]
  /** The text with `§0` for the first date. */
  readonly text: string
}

export const monthNames = 'january february march april may june july august september october november december'.split(' ')
export const weekdayNames = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')

/** 1 to 12, by the name or its first three letters. */
export function monthNumber(word: string): number | undefined {
  const lower = word.toLowerCase().replace('.', '')
  const index = monthNames.findIndex((name) => name === lower || name.slice(0, 3) === lower || (lower === 'sept' && name === 'september'))
  return index >= 0 ? index + 1 : undefined
}

function plainDate(year: number, month: number, day: number): Day | undefined {
  if (year < 1 || year > 9_999 || month < 1 || month > 12 || day < 1 || day > new Temporal.PlainYearMonth(year, month).daysInMonth)
    return undefined
  return new Temporal.PlainDate(year, month, day)
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easter(year: number): Day {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const place = h + l - 7 * m + 114
  return new Temporal.PlainDate(year, Math.floor(place / 31), (place % 31) + 1)
}

/** The nth weekday of a month. */
const nthWeekday = (year: number, month: number, weekday: number, n: number): Day => {
  const first = new Temporal.PlainDate(year, month, 1)
  return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + (n - 1) * 7 })
}

const feasts: { readonly [name: string]: (year: number) => Day } = {
  'christmas eve': (year) => new Temporal.PlainDate(year, 12, 24),
  'christmas day': (year) => new Temporal.PlainDate(year, 12, 25),
  christmas: (year) => new Temporal.PlainDate(year, 12, 25),
  xmas: (year) => new Temporal.PlainDate(year, 12, 25),
  'boxing day': (year) => new Temporal.PlainDate(year, 12, 26),
  "new year's eve": (year) => new Temporal.PlainDate(year, 12, 31),
  'new years eve': (year) => new Temporal.PlainDate(year, 12, 31),
  "new year's day": (year) => new Temporal.PlainDate(year, 1, 1),
  'new years day': (year) => new Temporal.PlainDate(year, 1, 1),
  "new year's": (year) => new Temporal.PlainDate(year, 1, 1),
  'new year': (year) => new Temporal.PlainDate(year, 1, 1),
  "valentine's day": (year) => new Temporal.PlainDate(year, 2, 14),
  'valentines day': (year) => new Temporal.PlainDate(year, 2, 14),
  halloween: (year) => new Temporal.PlainDate(year, 10, 31),
  'good friday': (year) => easter(year).subtract({ days: 2 }),
  'easter sunday': easter,
  'easter monday': (year) => easter(year).add({ days: 1 }),
  easter,
  'ash wednesday': (year) => easter(year).subtract({ days: 46 }),
  'whit sunday': (year) => easter(year).add({ days: 49 }),
  pentecost: (year) => easter(year).add({ days: 49 }),
  thanksgiving: (year) => nthWeekday(year, 11, 4, 4),
  'black friday': (year) => nthWeekday(year, 11, 4, 4).add({ days: 1 }),
  'labor day': (year) => nthWeekday(year, 9, 1, 1),
}

const month = String.raw`(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?`
const dayOfMonth = String.raw`\d{1,2}(?:st|nd|rd|th)?\b`
const year = String.raw`(?:[ ,'-]+(?:in )?(\d{4})\b(?!-\d))?`
const feastNames = Object.keys(feasts).sort((a, b) => b.length - a.length)
const weekday = `(?:${weekdayNames.join('|')})`
const datePattern = new RegExp(
  [
    String.raw`(?<iso>\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b)`,
    String.raw`(?<numeric>\b(\d{1,2})([./-])(\d{1,2})\7(\d{4}|\d{2})\b)`,
    String.raw`(?<dayMonth>(?:${weekday},? )?(?:the )?\b(${dayOfMonth})(?: of|-)? ?(${month})${year})`,
    String.raw`(?<monthDay>(?:${weekday},? )?\b(${month}) (?:the )?(${dayOfMonth})${year})`,
    String.raw`(?<feast>(?<when>this |next |last |the )?\b(?<name>${feastNames.join('|')})(?:[ ,]+(?:in |of )?(?<feastYear>\d{4})\b)?)`,
    String.raw`(?<relative>\bthe day (?:after tomorrow|before yesterday)|\b(?:today|tomorrow|yesterday|right now|now)\b|\b(?:the )?(?:current date|present day)\b|\b(?:the )?end of (?:the|this) (?:year|month)\b)`,
    String.raw`(?<weekdayOf>\b(?<which>next|last|this|coming|this coming) (?<dayName>${weekday})\b)`,
  ].join('|'),
  'gi',
)

export type DateContext = { readonly today: Day; readonly order: DateOrder | undefined }

/** All dates of a sentence. Undefined if one of them is on no calendar, such as 30 February. */
export function findDates(sentence: string, context: DateContext): FoundDates | undefined {
  const dates: WrittenDate[] = []
  let isSound = true
  const text = sentence.replace(datePattern, (...found: unknown[]) => {
    const match = found.slice(0, -3) as (string | undefined)[]
    const groups = found.at(-1) as { readonly [name: string]: string | undefined }
    const date = readMatch(match, groups, context)
    if (!date) isSound = false
    else dates.push(date)
    return `§${dates.length - 1}`
  })
  return isSound ? { dates, text } : undefined
}

type Groups = { readonly [name: string]: string | undefined }

function readMatch(match: readonly (string | undefined)[], groups: Groups, context: DateContext): WrittenDate | undefined {
  const text = match[0] ?? ''
  const number = (index: number): number => Number.parseInt(match[index] ?? '', 10)
  if (groups.iso !== undefined) return fixed(text, plainDate(number(2), number(3), number(4)))
  if (groups.numeric !== undefined) return readNumeric(text, [number(6), number(8)], match[9] ?? '', context)
  if (groups.dayMonth !== undefined) return named(text, [match[13], monthNumber(match[12] ?? ''), number(11)], context)
  if (groups.monthDay !== undefined) return named(text, [match[17], monthNumber(match[15] ?? ''), number(16)], context)
  if (groups.feast !== undefined) return readFeast(text, groups, context)
  if (groups.weekdayOf !== undefined) return { ...(readWeekday(text, groups, context) as WrittenDate), isRelative: true }
  return readRelative(text, context)
}

const fixed = (text: string, day: Day | undefined): WrittenDate | undefined =>
  day && { text, hasYear: true, isRelative: false, isAmbiguous: false, inYear: () => day, day }

/** A date without a year is in this year until it is placed otherwise. */
function named(
  text: string,
  [yearText, monthOfYear, day]: readonly [year: string | undefined, month: number | undefined, day: number],
  { today }: DateContext,
): WrittenDate | undefined {
  if (monthOfYear === undefined) return undefined
  if (yearText !== undefined) return fixed(text, plainDate(Number(yearText), monthOfYear, day))
  const inYear = (one: number): Day | undefined => plainDate(one, monthOfYear, day)
  // 29 February is on the calendar of the next leap year.
  const shown = [0, 1, 2, 3, 4].map((ahead) => inYear(today.year + ahead)).find((one) => one !== undefined)
  return shown && { text, hasYear: false, isRelative: false, isAmbiguous: false, inYear, day: shown }
}

function readNumeric(
  text: string,
  [first, second]: readonly [number, number],
  yearText: string,
  { order }: DateContext,
): WrittenDate | undefined {
  const written = Number(yearText)
  const ofYear = yearText.length === 4 ? written : written + (written < 70 ? 2000 : 1900)
  const dayFirst = plainDate(ofYear, second, first)
  const monthFirst = plainDate(ofYear, first, second)
  if (!dayFirst || !monthFirst || dayFirst.equals(monthFirst)) return fixed(text, dayFirst ?? monthFirst)
  const day = order === 'month first' ? monthFirst : dayFirst
  const found = fixed(text, day)
  return found && { ...found, isAmbiguous: order === undefined }
}

function readFeast(text: string, { name = '', feastYear, when = '' }: Groups, { today }: DateContext): WrittenDate | undefined {
  const inYear = feasts[name.toLowerCase()]
  if (!inYear) return undefined
  if (feastYear !== undefined) return fixed(text, inYear(Number(feastYear)))
  const isNext = /next/i.test(when) && Temporal.PlainDate.compare(inYear(today.year), today) <= 0
  const ofYear = isNext
    ? today.year + 1
    : /last/i.test(when) && Temporal.PlainDate.compare(inYear(today.year), today) >= 0
      ? today.year - 1
      : today.year
  return { text, hasYear: /next|last|this/i.test(when), isRelative: false, isAmbiguous: false, inYear, day: inYear(ofYear) }
}

function readWeekday(text: string, { dayName = '', which = '' }: Groups, { today }: DateContext): WrittenDate | undefined {
  const target = weekdayNames.indexOf(dayName.toLowerCase()) + 1
  const ahead = (target - today.dayOfWeek + 7) % 7
  const days = which.toLowerCase() === 'last' ? (ahead === 0 ? -7 : ahead - 7) : ahead === 0 && which.toLowerCase() !== 'this' ? 7 : ahead
  return fixed(text, today.add({ days }))
}

function readRelative(text: string, { today }: DateContext): WrittenDate | undefined {
  const lower = text.toLowerCase()
  const days = { tomorrow: 1, yesterday: -1, 'the day after tomorrow': 2, 'the day before yesterday': -2 }[lower] ?? 0
  const end = lower.includes('year') ? new Temporal.PlainDate(today.year, 12, 31) : today.with({ day: today.daysInMonth })
  const found = fixed(text, lower.includes('end of') ? end : today.add({ days }))
  return found && { ...found, isRelative: true }
}

/** A time span such as `2 weeks and 3 days` or `10 working days`. */
export type TimeSpan = {
  readonly text: string
  readonly years: number
  readonly months: number
  readonly days: number
  readonly workingDays: number
}

const spanUnit = `(working days?|work days?|workdays?|business days?|weekdays?|banking days?|calendar days?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?|decades?)`
const countWords = String.raw`\d{1,6}|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine|hundred))?`
const onePart = String.raw`\b(?:${countWords})[ -]${spanUnit}\b`
const spanPattern = new RegExp(`${onePart}(?:(?:,| and|, and) ${onePart}){0,3}`, 'gi')
const partPattern = new RegExp(String.raw`\b(${countWords})[ -]${spanUnit}\b`, 'gi')

export type FoundSpans = {
  readonly spans: readonly TimeSpan[]
  /** The text with `¤0` for the first span. */
  readonly text: string
}

export function findSpans(sentence: string): FoundSpans {
  const spans: TimeSpan[] = []
  const text = sentence.replace(spanPattern, (span) => {
    spans.push(readSpan(span))
    return `¤${spans.length - 1}`
  })
  return { spans, text }
}

function readSpan(text: string): TimeSpan {
  let span: TimeSpan = { text, years: 0, months: 0, days: 0, workingDays: 0 }
  for (const [, count = '', unit = ''] of text.matchAll(partPattern)) {
    const words = count.toLowerCase().split(/[ -]/)
    const n = /^\d/.test(count)
      ? Number(count)
      : /^an?$/i.test(count)
        ? 1
        : Number(readNumberWords(words[0] === 'a' ? ['one', ...words.slice(1)] : words)?.value ?? 1n)
    const lower = unit.toLowerCase()
    if (/work|business|weekday|banking/.test(lower)) span = { ...span, workingDays: span.workingDays + n }
    else if (/day|night/.test(lower)) span = { ...span, days: span.days + n }
    else if (lower.startsWith('week')) span = { ...span, days: span.days + 7 * n }
    else if (lower.startsWith('fortnight')) span = { ...span, days: span.days + 14 * n }
    else if (lower.startsWith('month')) span = { ...span, months: span.months + n }
    else if (lower.startsWith('quarter')) span = { ...span, months: span.months + 3 * n }
    else span = { ...span, years: span.years + n * (lower.startsWith('decade') ? 10 : 1) }
  }
  return span
}
