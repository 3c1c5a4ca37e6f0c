/// <reference lib="esnext.temporal" />
/** Computes the answer to a question about dates, as a sentence. */
import { formatList, formatNumber } from '../../format-numbers-and-lists.ts'
import { refuse } from '../../skill.ts'
import { type Day, monthNames, type TimeSpan, weekdayNames } from './find-dates.ts'
import type { DateQuestion } from './read-date-question.ts'
import type { UnixQuestion } from './read-unix-time-question.ts'

const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const monthOf = (month: number): string => title(monthNames[month - 1] ?? '')
const weekdayOf = (day: Day): string => title(weekdayNames[day.dayOfWeek - 1] ?? '')

/** `3 March 2027`. */
export const writeDay = (day: Day): string => `${day.day} ${monthOf(day.month)} ${day.year}`

const counted = (n: number, unit: string): string => `${formatNumber(n)} ${unit}${n === 1 ? '' : 's'}`

/** @throws {SkillRefused} if the calculation leaves the calendar */
export function answerDateQuestion(question: DateQuestion, today: Day): string {
  switch (question.kind) {
    case 'count':
      return answerCount(question)
    case 'age':
      return answerAge(question.from, question.to, today)
    case 'shift':
      return answerShift(question.from, question.span, question.sign)
    case 'weekday':
      return `${writeDay(question.day)} ${verb(question.day, today)} a ${weekdayOf(question.day)}.`
    case 'date':
      return `${weekdayOf(question.day)}, ${writeDay(question.day)} (${question.day.toString()}).`
    case 'week number':
      return `${writeDay(question.day)} is in ISO week ${question.day.weekOfYear} of ${question.day.yearOfWeek}.`
    case 'day of year':
      return `${writeDay(question.day)} is day ${question.day.dayOfYear} of ${question.day.year}, which has ${question.day.daysInYear} days.`
    case 'quarter':
      return `${writeDay(question.day)} is in quarter ${Math.ceil(question.day.month / 3)} of ${question.day.year}.`
    case 'is weekday': {
      const isSo = question.weekdays.includes(question.day.dayOfWeek)
      return `${isSo ? 'Yes' : 'No'}: ${writeDay(question.day)} ${verb(question.day, today)} a ${weekdayOf(question.day)}.`
    }
    case 'week dates':
    case 'weeks of year':
      return answerWeeks(question)
    case 'from unix':
    case 'to unix':
      return answerUnix(question)
    case 'leap year': {
      const isLeap = new Temporal.PlainDate(question.year, 1, 1).inLeapYear
      return isLeap ? `Yes: ${question.year} has 366 days.` : `No: ${question.year} has 365 days.`
    }
    case 'length': {
      const { year, month } = question
      if (month === undefined) return `${year} has ${new Temporal.PlainDate(year, 1, 1).daysInYear} days.`
      return `${monthOf(month)} ${year} has ${new Temporal.PlainYearMonth(year, month).daysInMonth} days.`
    }
  }
}

/** Weeks by ISO 8601: the first of a year contains 4 January. */
function answerWeeks(question: DateQuestion & { readonly kind: 'week dates' | 'weeks of year' }): string {
  const { weekOfYear: count = 52 } = new Temporal.PlainDate(question.year, 12, 28)
  if (question.kind === 'weeks of year') return `${question.year} has ${count} ISO weeks.`
  if (question.week > count) return refuse(`${question.year} has only ${count} ISO weeks. Name a week from 1 to ${count}.`)
  const fourth = new Temporal.PlainDate(question.year, 1, 4)
  const monday = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ weeks: question.week - 1 })
  return `ISO week ${question.week} of ${question.year} is from Monday, ${writeDay(monday)} to Sunday, ${writeDay(monday.add({ days: 6 }))}.`
}

function answerUnix(question: UnixQuestion): string {
  if (question.kind === 'to unix') {
    const start = question.day.toZonedDateTime('UTC').epochMilliseconds / 1_000
    const time = Temporal.PlainTime.from('00:00').add({ seconds: question.seconds }).toString({ smallestUnit: 'second' })
    return `${writeDay(question.day)}, ${time} UTC is the Unix timestamp ${start + question.seconds}.`
  }
  const lines = question.stamps.map(({ text, milliseconds }) => {
    const at = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO('UTC')
    const time = at.toPlainTime().toString({ smallestUnit: text.length === 13 ? 'millisecond' : 'second' })
    return `${text} is ${weekdayOf(at.toPlainDate())}, ${writeDay(at.toPlainDate())}, ${time} UTC${text.length === 13 ? ' (read as milliseconds)' : ''}.`
  })
  return lines.join(' ')
}

const verb = (day: Day, today: Day): string => (Temporal.PlainDate.compare(day, today) < 0 ? 'was' : 'is')

/** Days from Monday to Friday among those from one day to another, both counted. */
function countWeekdays(from: Day, to: Day, weekdays: readonly number[]): number {
  const days = from.until(to, { largestUnit: 'days' }).days + 1
  const weeks = Math.floor(days / 7)
  const rest = Array.from({ length: days % 7 }, (_, index) => ((from.dayOfWeek - 1 + index) % 7) + 1)
  return weeks * weekdays.length + rest.filter((day) => weekdays.includes(day)).length
}

const workdays = [1, 2, 3, 4, 5]

function answerCount(question: DateQuestion & { readonly kind: 'count' }): string {
  const isBackwards = Temporal.PlainDate.compare(question.from, question.to) > 0
  const [from, to] = isBackwards ? [question.to, question.from] : [question.from, question.to]
  const range = `from ${writeDay(from)} to ${writeDay(to)}`
  if (question.unit === 'working days')
    return `${counted(countWeekdays(from, to, workdays), 'working day')} ${range} (Monday to Friday, both days counted; public holidays are not subtracted).`
  if (question.unit === 'weekend days')
    return `${counted(countWeekdays(from, to, [6, 7]), 'weekend day')} ${range} (Saturdays and Sundays, both days counted).`
  if (question.unit === 'weekday')
    return `${counted(countWeekdays(from, to, [question.weekday]), title(weekdayNames[question.weekday - 1] ?? ''))} ${range} (both days counted).`
  const end = question.isInclusive ? to.add({ days: 1 }) : to
  const days = from.until(end, { largestUnit: 'days' }).days
  const rule = question.isInclusive ? 'both days are counted' : 'the first day is not counted'
  const [head, other] = inUnit(question.unit, from, end, days)
  return `${head} ${range} (${[...(other === '' ? [] : [other]), rule].join('; ')}).`
}

/** The count in its unit, and the same in another unit. */
function inUnit(unit: string, from: Day, to: Day, days: number): readonly [string, string] {
  const weeks = writeParts({ weeks: Math.floor(days / 7), days: days % 7 })
  const total = counted(days, 'day')
  switch (unit) {
    case 'hours':
      return [counted(days * 24, 'hour'), total]
    case 'minutes':
      return [counted(days * 1_440, 'minute'), total]
    case 'weeks':
      return [weeks, days % 7 === 0 && days < 7 ? '' : total]
    case 'months': {
      const { months, days: rest } = from.until(to, { largestUnit: 'months' })
      return [writeParts({ months, days: rest }), total]
    }
    case 'years':
    case 'calendar': {
      const { years, months, days: rest } = from.until(to, { largestUnit: 'years' })
      const text = writeParts({ years, months, days: rest })
      return text === total ? [text, days >= 7 ? weeks : ''] : [text, total]
    }
    default:
      return [total, days >= 7 ? weeks : '']
  }
}

/** `1 year, 2 months and 3 days`, without parts that are 0. */
function writeParts(parts: { readonly [unit: string]: number }): string {
  const texts = Object.entries(parts).flatMap(([unit, n]) => (n === 0 ? [] : [counted(n, unit.slice(0, -1))]))
  return texts.length === 0 ? '0 days' : formatList(texts)
}

function answerAge(from: Day, to: Day, today: Day): string {
  if (Temporal.PlainDate.compare(from, to) > 0) return refuse(`${writeDay(from)} is after ${writeDay(to)}, so there is no age on that day.`)
  const { years, months, days } = from.until(to, { largestUnit: 'years' })
  const when = to.equals(today) ? 'today' : `on ${writeDay(to)}`
  return `${counted(years, 'year')} old ${when}: ${writeParts({ years, months, days })} since ${writeDay(from)}.`
}

function answerShift(from: Day, span: TimeSpan, sign: 1 | -1): string {
  const to = shiftDay(from, span, sign)
  const rule = span.workingDays > 0 ? ', counting Monday to Friday only; public holidays are not considered' : ''
  return `${weekdayOf(to)}, ${writeDay(to)} (${writeDay(from)} ${sign > 0 ? '+' : '−'} ${span.text}${rule}).`
}

function shiftDay(from: Day, span: TimeSpan, sign: 1 | -1): Day {
  if (span.workingDays > 100_000 || span.days > 4_000_000 || span.months > 100_000 || span.years > 9_999)
    return refuse('I move dates by at most 9,999 years.')
  const moved = from.add({ years: sign * span.years, months: sign * span.months, days: sign * span.days })
  let day = moved
  for (let left = span.workingDays; left > 0; ) {
    day = day.add({ days: sign })
    if (day.dayOfWeek <= 5) left--
  }
  return day.year < 1 || day.year > 9_999 ? refuse('The result is not between the years 1 and 9999.') : day
}
