/// <reference lib="esnext.temporal" />
/** Reads a question about dates from the words of a goal. */

import { stripPoliteness } from '../strip-politeness.ts'
import { completeDateRanges } from './complete-date-ranges.ts'
import {
  type DateContext,
  type Day,
  findDates,
  findSpans,
  monthNames,
  monthNumber,
  type TimeSpan,
  type WrittenDate,
  weekdayNames,
} from './find-dates.ts'
import { readUnixTimeQuestion, type UnixQuestion } from './read-unix-time-question.ts'

export type CountUnit =
  | 'days'
  | 'weeks'
  | 'months'
  | 'years'
  | 'hours'
  | 'minutes'
  | 'working days'
  | 'weekend days'
  | 'calendar'
  | 'weekday'

export type DateQuestion =
  | {
      readonly kind: 'count'
      readonly unit: CountUnit
      /** Of the counted weekday, 1 for Monday. */
      readonly weekday: number
      readonly from: Day
      readonly to: Day
      /** True: the first and the last day both count. */
      readonly isInclusive: boolean
    }
  | { readonly kind: 'age'; readonly from: Day; readonly to: Day }
  | { readonly kind: 'shift'; readonly from: Day; readonly span: TimeSpan; readonly sign: 1 | -1 }
  | { readonly kind: 'weekday' | 'date' | 'week number' | 'day of year' | 'quarter'; readonly day: Day }
  | { readonly kind: 'is weekday'; readonly day: Day; readonly weekdays: readonly number[]; readonly name: string }
  | { readonly kind: 'leap year'; readonly year: number }
  | { readonly kind: 'length'; readonly year: number; readonly month: number | undefined }
  | { readonly kind: 'week dates'; readonly year: number; readonly week: number }
  | { readonly kind: 'weeks of year'; readonly year: number }
  | UnixQuestion

export type ReadDates = {
  readonly question: DateQuestion
  /** The dates as written that have two meanings. */
  readonly ambiguous: readonly string[]
  readonly usesToday: boolean
}

const weekdayName = `(?:${weekdayNames.join('|')})`
const unitWord = `(working[ -]days?|workdays?|work days?|business days?|weekdays?|week days?|banking days?|weekend days?|weekends?|calendar days?|full days?|days?|nights?|sleeps?|weeks?|months?|years?|hours?|minutes?|${weekdayName}s?|years,? months,? and days|weeks and days|months and days|days and weeks)`
const be =
  '(?: (?:are|is|were|was|will be|does it take|do i have|do we have|have we got|did it take|has it been|lie|lay|elapsed?|passed|have passed|have gone by|remain|there|left|remaining|to go|more|it|exactly|until it is|i have|we have))*'
const until = '(?:until|till|til|to|before|up to|to go until|to go to|left until|remaining until)'
/** `my birthday on`, before a date. */
const event = "(?:(?:my|our|the|his|her|their|your) [a-z' -]{1,30}? (?:on|at) )?"
const inclusive =
  /(?<![ ,(])[ ,(]*(?:\b(?:inclusive|inclusively|including both(?: days| dates| ends)?|counting both(?: days| dates)?|both(?: days| dates)? (?:included|inclusive|counted)|including (?:the )?(?:first and (?:the )?last|start and end|end|last)(?: day| date)?s?|with both days)\b)[)]?/
const noWeekends =
  /(?<![ ,(])[ ,(]*\b(?:excluding|without|not counting|not including|except|minus|ignoring|skipping)(?: the)? (?:weekends?|saturdays and sundays)\b[)]?/

type Reader = {
  readonly parts: readonly string[]
  readonly dates: readonly WrittenDate[]
  readonly spans: readonly TimeSpan[]
  readonly context: DateContext
  readonly isInclusive: boolean
  readonly isWithoutWeekends: boolean
}
type Rule = readonly [RegExp, (reader: Reader) => DateQuestion | undefined]

/** `0` of `§0`. */
const dateAt = ({ parts, dates }: Reader, index: number): WrittenDate | undefined => dates[Number(parts[index])]
const spanAt = ({ parts, spans }: Reader, index: number): TimeSpan | undefined => spans[Number(parts[index])]

function unitOf(word: string, { isWithoutWeekends }: Reader): { readonly unit: CountUnit; readonly weekday: number } {
  const plain = word.replace(/-/g, ' ')
  const weekday = weekdayNames.indexOf(plain.replace(/s$/, '')) + 1
  if (weekday > 0) return { unit: 'weekday', weekday }
  if (/and/.test(plain)) return { unit: 'calendar', weekday: 0 }
  if (/^(?:work|business|weekday|week day|banking)/.test(plain)) return { unit: 'working days', weekday: 0 }
  if (plain.startsWith('weekend')) return { unit: 'weekend days', weekday: 0 }
  const unit = (['weeks', 'months', 'years', 'hours', 'minutes'] as const).find((one) => plain.startsWith(one.slice(0, -1)))
  if (unit) return { unit, weekday: 0 }
  return { unit: isWithoutWeekends ? 'working days' : 'days', weekday: 0 }
}

/** Both dates in years that fit: the year of one holds for the other, and the second is not before the first. */
function placePair(first: WrittenDate, second: WrittenDate): readonly [Day, Day] {
  const isBefore = (a: Day, b: Day): boolean => Temporal.PlainDate.compare(a, b) < 0
  if (!first.hasYear && second.hasYear) {
    const sameYear = first.inYear(second.day.year) ?? first.day
    return [isBefore(second.day, sameYear) ? (first.inYear(second.day.year - 1) ?? sameYear) : sameYear, second.day]
  }
  if (!second.hasYear) {
    const sameYear = second.inYear(first.day.year) ?? second.day
    return [first.day, isBefore(sameYear, first.day) ? (second.inYear(first.day.year + 1) ?? sameYear) : sameYear]
  }
  return [first.day, second.day]
}

function count(reader: Reader, word: string, pair: readonly [WrittenDate | undefined, WrittenDate | undefined]): DateQuestion | undefined {
  const [first, second] = pair
  if (!first || !second) return undefined
  const [from, to] = placePair(first, second)
  return { kind: 'count', ...unitOf(word, reader), from, to, isInclusive: reader.isInclusive }
}

const todayOf = ({ context }: Reader): WrittenDate => ({
  text: 'today',
  hasYear: true,
  isRelative: true,
  isAmbiguous: false,
  inYear: () => context.today,
  day: context.today,
})

/** The next day of a date without a year. */
function countUntil(reader: Reader, word: string, index: number): DateQuestion | undefined {
  return count(reader, word, [todayOf(reader), dateAt(reader, index)])
}

function countSince(reader: Reader, word: string, index: number): DateQuestion | undefined {
  const date = dateAt(reader, index)
  if (!date) return undefined
  const { today } = reader.context
  const isLater = !date.hasYear && Temporal.PlainDate.compare(date.day, today) > 0
  const from = isLater ? (date.inYear(today.year - 1) ?? date.day) : date.day
  return { kind: 'count', ...unitOf(word, reader), from, to: today, isInclusive: reader.isInclusive }
}

function shift(reader: Reader, span: number, date: number | undefined, sign: 1 | -1): DateQuestion | undefined {
  const length = spanAt(reader, span)
  const from = date === undefined ? todayOf(reader) : dateAt(reader, date)
  return length && from && { kind: 'shift', from: from.day, span: length, sign }
}

const single =
  (kind: 'weekday' | 'date' | 'week number' | 'day of year' | 'quarter') =>
  (reader: Reader): DateQuestion | undefined => {
    const date = dateAt(reader, 0)
    return date && { kind, day: nextOf(date, reader, kind === 'date') }
  }

/** The next occurrence of a feast, if the words ask when it is. */
function nextOf(date: WrittenDate, { context }: Reader, isNext: boolean): Day {
  const isPast = isNext && !date.hasYear && Temporal.PlainDate.compare(date.day, context.today) < 0
  return isPast ? (date.inYear(context.today.year + 1) ?? date.day) : date.day
}

function age(reader: Reader, on: number | undefined): DateQuestion | undefined {
  const born = dateAt(reader, 0)
  const day = on === undefined ? reader.context.today : dateAt(reader, on)?.day
  return born?.hasYear && day ? { kind: 'age', from: born.day, to: day } : undefined
}

function isWeekday(reader: Reader): DateQuestion | undefined {
  const date = dateAt(reader, 0)
  const name = reader.parts[1] ?? ''
  const weekday = weekdayNames.indexOf(name) + 1
  const weekdays = weekday > 0 ? [weekday] : /weekend/.test(name) ? [6, 7] : [1, 2, 3, 4, 5]
  return date && { kind: 'is weekday', day: date.day, weekdays, name }
}

const who = String.raw`(?:i|we|you|he|she|they|it|someone|a person|a child|a baby|a man|a woman|my \w+|our \w+|the \w+|[a-z]+)`
const prefix = `(?:(?:what|which|when|the|a|calendar|exact|date|dates|day|weekday|on|is|was|will|would|be|it|that|falls?|fall|do|does|i|we|get|to|of|week|result|due|deadline|if|start|lands?|give me|there|number|will be|in|find)[ ,]+)*`

const rules: readonly Rule[] = [
  [
    new RegExp(
      `^(?:how many|how much|number of|amount of|count of|count|total|total number of)? ?(?:the )?(?:number of )?${unitWord}${be} (?:between|from|apart are) §(\\d+),? (?:and|to|until|till|through|thru|-|up to)(?: the)? §(\\d+)$`,
    ),
    (reader) => count(reader, reader.parts[0] ?? '', [dateAt(reader, 1), dateAt(reader, 2)]),
  ],
  [
    new RegExp(
      `^(?:how (?:long|many days)|how much time)${be}(?: is)? (?:between|from) §(\\d+) (?:and|to|until|till|through) §(\\d+)(?: in ${unitWord})?$`,
    ),
    (reader) => count(reader, reader.parts[2] ?? 'days', [dateAt(reader, 0), dateAt(reader, 1)]),
  ],
  [
    new RegExp(
      `^(?:difference|time|interval|gap|duration|period|span|distance|date difference|time difference|time span)(?: in ${unitWord})? (?:between|from) §(\\d+) (?:and|to|until) §(\\d+)(?: in ${unitWord})?$`,
    ),
    (reader) => count(reader, reader.parts[0] || reader.parts[3] || 'days', [dateAt(reader, 1), dateAt(reader, 2)]),
  ],
  [
    new RegExp(`^(?:from )?§(\\d+) (?:to|until|till|through|-) §(\\d+),? (?:(?:is )?how many|in|=) ${unitWord}$`),
    (reader) => count(reader, reader.parts[2] ?? '', [dateAt(reader, 0), dateAt(reader, 1)]),
  ],
  [
    new RegExp(`^(?:between )§(\\d+) and §(\\d+),? (?:there are )?how many ${unitWord}${be}$`),
    (reader) => count(reader, reader.parts[2] ?? '', [dateAt(reader, 0), dateAt(reader, 1)]),
  ],
  [
    new RegExp(`^how many ${unitWord} apart are §(\\d+) and §(\\d+)$`),
    (reader) => count(reader, reader.parts[0] ?? '', [dateAt(reader, 1), dateAt(reader, 2)]),
  ],
  [
    new RegExp(`^how many ${unitWord} (?:after|before) §(\\d+) (?:is|was|does|comes|falls) §(\\d+)(?: come| fall)?$`),
    (reader) => count(reader, reader.parts[0] ?? '', [dateAt(reader, 1), dateAt(reader, 2)]),
  ],
  [
    new RegExp(`^(?:how many|number of|count of|count)? ?(?:the )?(?:number of )?${unitWord}${be} ${until} ${event}§(\\d+)$`),
    (reader) => countUntil(reader, reader.parts[0] ?? '', 1),
  ],
  [
    new RegExp(`^how (?:long|much time|far)${be} ${until} §(\\d+)(?: in ${unitWord})?$`),
    (reader) => countUntil(reader, reader.parts[1] || 'calendar and', 0),
  ],
  [
    // The event with its date, and then the question.
    new RegExp(`^[a-z' -]{1,60} (?:on |is |by |at )?§(\\d+)[,;.:]? (?:so )?how many ${unitWord}${be}(?: until then| till then)?$`),
    (reader) => countUntil(reader, reader.parts[1] ?? '', 0),
  ],
  [new RegExp(`^how (?:far|many ${unitWord}) (?:away|off) is §(\\d+)$`), (reader) => countUntil(reader, reader.parts[0] || 'days', 1)],
  [
    new RegExp(`^(?:how many|number of)? ?${unitWord}${be}(?: has it been| ago was| have there been| have i)? since §(\\d+)$`),
    (reader) => countSince(reader, reader.parts[0] ?? '', 1),
  ],
  [new RegExp(`^how many ${unitWord} ago (?:was|is) §(\\d+)$`), (reader) => countSince(reader, reader.parts[0] ?? '', 1)],
  [
    new RegExp(`^how (?:long|much time)${be}(?: has it been| has passed)? (?:since|ago was) §(\\d+)$`),
    (reader) => countSince(reader, 'calendar and', 0),
  ],
  [/^how long ago (?:was|is) §(\d+)$/, (reader) => countSince(reader, 'calendar and', 0)],
  [
    new RegExp(
      `^how old (?:is|am|are|was) ${who}(?: now| today)?(?:,? (?:who|that|if|when)?)?(?: ${who})?(?: is| was| were| am| are)? born (?:on )?§(\\d+)(?: (?:now|today))?$`,
    ),
    (reader) => age(reader, undefined),
  ],
  [
    new RegExp(
      `^(?:i|he|she|they|someone|a person|my \\w+|\\w+)(?: was| is| were| am)? born (?:on )?§(\\d+)[,;.]? (?:so )?how old (?:is|am|are|was|would|will) ${who}(?: be)?(?: now| today)?$`,
    ),
    (reader) => age(reader, undefined),
  ],
  [
    new RegExp(
      `^how old (?:will|would|is|was|am|are) ${who}(?:,? (?:who|that|if|when)?)?(?: ${who})?(?: is| was| were)? born (?:on )?§(\\d+),? (?:be )?on §(\\d+)$`,
    ),
    (reader) => age(reader, 1),
  ],
  [
    new RegExp(
      `^how old (?:will|would|was|am|is) ${who}(?: be)? on §(\\d+),? (?:if |when |since )?${who}(?: is| was| were| am| are)? born (?:on )?§(\\d+)$`,
    ),
    ({ parts, ...reader }) => age({ ...reader, parts: [parts[1] ?? '', parts[0] ?? ''] }, 1),
  ],
  [
    new RegExp(
      `^(?:${who} )?(?:is |was |were |am )?(?:born|date of birth:?|dob:?)(?: on)? §(\\d+)[,;.]? (?:and |so )?(?:how old|age|what age)(?: (?:is|am|are|was|would|will))?(?: ${who})?(?: be)? (?:on|at|by|as of) §(\\d+)$`,
    ),
    (reader) => age(reader, 1),
  ],
  [
    new RegExp(`^age (?:of )?(?:${who} )?(?:if |when )?(?:who was |who is )?born (?:on )?§(\\d+)(?: (?:on|as of) §(\\d+))?$`),
    (reader) => age(reader, reader.parts[1] ? 1 : undefined),
  ],
  [
    new RegExp(
      `^${prefix}¤(\\d+) (?:after|from|past|later than|following|beyond|counting from|starting from|starting) (?:the )?§(\\d+)(?: be| fall| land)?(?: on)?$`,
    ),
    (reader) => shift(reader, 0, 1, 1),
  ],
  [
    new RegExp(`^${prefix}¤(\\d+) (?:before|prior to|earlier than|ahead of|preceding) §(\\d+)(?: be| fall)?(?: on)?$`),
    (reader) => shift(reader, 0, 1, -1),
  ],
  [new RegExp(`^${prefix}§(\\d+) ?(?:\\+|plus|and|add) ?¤(\\d+)$`), (reader) => shift(reader, 1, 0, 1)],
  [new RegExp(`^${prefix}§(\\d+) ?(?:-|−|–|minus|less) ?¤(\\d+)$`), (reader) => shift(reader, 1, 0, -1)],
  [/^add ¤(\d+) (?:to|onto) §(\d+)$/, (reader) => shift(reader, 0, 1, 1)],
  [/^(?:subtract|take|deduct) ¤(\d+)(?: away)? from §(\d+)$/, (reader) => shift(reader, 0, 1, -1)],
  [
    new RegExp(
      `^${prefix}(?:if )?(?:i |we |you )?(?:start|starting|begin|beginning|counting)?(?: on| from)? ?§(\\d+),? (?:and )?(?:what |which )?(?:date |day )?(?:is |will it be |is it )?(?:add |count |wait |in )?¤(\\d+) (?:later|after|on)$`,
    ),
    (reader) => shift(reader, 1, 0, 1),
  ],
  [new RegExp(`^${prefix}in ¤(\\d+)$`), (reader) => shift(reader, 0, undefined, 1)],
  [new RegExp(`^${prefix}in ¤(\\d+)(?:' time| time)? from §(\\d+)$`), (reader) => shift(reader, 0, 1, 1)],
  [new RegExp(`^${prefix}¤(\\d+) (?:hence|ahead|later|from this day)$`), (reader) => shift(reader, 0, undefined, 1)],
  [new RegExp(`^${prefix}¤(\\d+) (?:ago|earlier|back|before)$`), (reader) => shift(reader, 0, undefined, -1)],
  [
    /^(?:what |which )?(?:(?:iso |calendar )?week(?: number)?)(?: number)?(?: of the year)?(?: is| was| does| will be| for| of| contains| in)* §(\d+)(?: (?:in|fall in|fall|be|belong to))?$/,
    single('week number'),
  ],
  [/^(?:what |which )?(?:the )?day (?:number )?(?:of the year|in the year)(?: is| was| for| number)* §(\d+)$/, single('day of year')],
  [/^(?:what |which )?quarter(?: of the year)?(?: is| was| does)* §(\d+)(?: (?:in|fall in|fall))?$/, single('quarter')],
  [
    /^(?:what |which |on what |on which |the )*(?:day of the week|day of week|weekday|week day|day)(?: of the week)?(?: is| was| will| did| does| would| be| for| of| it| fall| falls| on| that| the date)* §(\d+)(?: (?:fall|falls|fell|be|land|on|was|is|happen|occur))*(?: a)?$/,
    single('weekday'),
  ],
  [
    /^§(\d+)(?: is| was| will be| falls| fall| fell)?(?: on)? (?:what|which) (?:day of the week|day|weekday)(?: of the week)?$/,
    single('weekday'),
  ],
  [
    new RegExp(
      `^(?:is|was|will|does|did|are) §(\\d+)(?: be| fall| land)?(?: on)?(?: a| the)? (${weekdayName}|weekend day|weekend|weekday|working day|workday|business day)$`,
    ),
    isWeekday,
  ],
  // A span is read in "a working day".
  [
    /^(?:is|was|will|does|did) §(\d+)(?: be| fall| land)?(?: on)? ¤0$/,
    (reader) => (/^a (?:working|work|business|week) ?day$/.test(reader.spans[0]?.text ?? '') ? isWeekday(reader) : undefined),
  ],
  [
    /^(?:when|what date|what day|which day|on what date|on which date|what|the date|date)(?: is| was| will| does| of| fall| be| did)* §(\d+)(?: (?:fall|be|this year))*$/,
    single('date'),
  ],
]

const weekName = '(?:(?:iso|calendar) )?(?:week|cw|kw)(?: number| no\\.?)? ?(\\d{1,2})(?:,| of| in| /)? ?(?:the year )?(\\d{4})'
const weekDates = new RegExp(
  `^(?:(?:what|which|when|from|the|is|are|was|does|did|do|dates?|days?|monday|first day|start|begin|beginning|of|in|to|range) )*${weekName}(?: (?:start|begin|end|cover|run|contain|include|fall|and|on|from|to|to date|to dates|in dates|dates))*$`,
)

/** `week 12 of 2027` as dates, and the number of weeks of a year. */
function readWeeks(text: string): DateQuestion | undefined {
  const [, week, year] = weekDates.exec(text) ?? []
  if (week !== undefined && Number(week) >= 1 && Number(week) <= 53) return { kind: 'week dates', year: Number(year), week: Number(week) }
  const asked =
    /^(?:how many|number of) (?:iso |calendar )weeks (?:does|are there in|are in|is in|in|did)(?: the year)? (\d{4})(?: have)?$/.exec(
      text,
    )?.[1]
  return asked === undefined ? undefined : { kind: 'weeks of year', year: Number(asked) }
}

/** `March 2027` and `2028` as a year and perhaps a month. */
const monthOfYear = new RegExp(
  `^(?:the )?(?:month of |year )?(?:(${monthNames.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?:[ ,]+(?:in |of )?(\\d{4}))?|(\\d{4}))$`,
)

function readCalendar(text: string, { today }: DateContext): DateQuestion | undefined {
  const leap = /^(?:is|was|will) (?:the year )?(\d{4}|this year|next year)(?: be)?(?: a)? leap[- ]year$/.exec(text)?.[1]
  if (leap !== undefined)
    return { kind: 'leap year', year: leap === 'this year' ? today.year : leap === 'next year' ? today.year + 1 : Number(leap) }
  const asked = /^(?:how many|number of|the number of) days (?:are |is |were )?(?:there )?(?:in|does|did|of) (.+?)(?: have)?$/.exec(
    text,
  )?.[1]
  const [, name, yearOfMonth, yearAlone] =
    monthOfYear.exec((asked ?? '').replace('this year', String(today.year)).replace('next year', String(today.year + 1))) ?? []
  if (name !== undefined) return { kind: 'length', year: Number(yearOfMonth ?? today.year), month: monthNumber(name) }
  return yearAlone === undefined ? undefined : { kind: 'length', year: Number(yearAlone), month: undefined }
}

/** `next working day after` as `1 working day after`. */
const nextWorkingDay = (text: string): string =>
  text.replace(/\b(?:the )?(?:next|first|following|last) ((?:working|business|work) day) (after|following|before)\b/, '1 $1 $2')

const leads =
  /^(?:calculate|compute|work out|figure out|determine|find(?: out)?|give me|show me|what's|whats|what is|what are|what was|the|get|count|exact|a|if)[ :,]+/

function strip(text: string): string {
  let bare = stripPoliteness(text).replace(/'s date\b/, '')
  for (let round = 0; round < 5; round++) {
    const next = stripPoliteness(bare.replace(leads, ''))
    if (next === bare) break
    bare = next
  }
  return bare
}

/** One question about dates, or undefined if any word is not understood. */
export function readDateQuestion(sentence: string, context: DateContext): ReadDates | undefined {
  if (sentence.length > 300) return undefined
  const whole = stripPoliteness(sentence.replace(/\b(?:inclusive|exclusive)ly\b/g, 'inclusive'))
  const isWithoutWeekends = noWeekends.test(whole)
  const ranged = completeDateRanges(whole.replace(inclusive, ''), context)
  const isInclusive = inclusive.test(whole) || ranged.isInclusive
  const asked = ranged.text.replace(noWeekends, '').replace(/ from (?:now|today)(?= (?:until|till|to) )/, '')
  if (/^(?:what(?:'s| is) )?(?:the )?(?:date today|today's date|current date)$|^what (?:date|day) is (?:it )?today$/.test(asked))
    return { question: { kind: 'date', day: context.today }, ambiguous: [], usesToday: true }
  const unix = readUnixTimeQuestion(whole, context)
  if (unix) return { question: unix, ambiguous: [], usesToday: unix.kind === 'to unix' && unix.usesToday }
  const weeks = readWeeks(whole) ?? readWeeks(strip(whole))
  if (weeks) return { question: weeks, ambiguous: [], usesToday: false }
  const found = findDates(nextWorkingDay(asked), context)
  if (!found) return undefined
  const spanned = findSpans(found.text)
  const ambiguous = found.dates.filter((date) => date.isAmbiguous).map((date) => date.text)
  for (const text of new Set([strip(spanned.text), stripPoliteness(spanned.text)])) {
    for (const [pattern, read] of rules) {
      const match = pattern.exec(text)
      if (!match) continue
      const parts = match.slice(1).map((part) => part ?? '')
      const question = read({ parts, dates: found.dates, spans: spanned.spans, context, isInclusive, isWithoutWeekends })
      if (question) return { question, ambiguous, usesToday: usesToday(question, found.dates, context) }
    }
    const calendar = readCalendar(text, context)
    if (calendar) return { question: calendar, ambiguous: [], usesToday: false }
  }
  return undefined
}

function usesToday(question: DateQuestion, dates: readonly WrittenDate[], { today }: DateContext): boolean {
  if (dates.some((date) => date.isRelative || !date.hasYear)) return true
  if (question.kind === 'shift') return dates.length === 0
  return (question.kind === 'count' || question.kind === 'age') && dates.length === 1 && question.to !== undefined && today !== undefined
}
