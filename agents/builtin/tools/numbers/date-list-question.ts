/// <reference lib="esnext.temporal" />
/** Reads and answers questions for lists of dates, for their ISO form, and whether a date exists. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { stripPoliteness, trimPoliteness } from '../strip-politeness.ts'
import { writeDay } from './answer-date-question.ts'
import { type DateContext, type Day, findDates, monthNames, monthNumber, type WrittenDate, weekdayNames } from './find-dates.ts'
import { smallNumberOf } from './read-number-words.ts'

export type DateListQuestion =
  | { readonly kind: 'existence'; readonly year: number; readonly month: number; readonly day: number }
  | { readonly kind: 'iso'; readonly dates: readonly WrittenDate[] }
  /** `form`: such as `DD/MM/YYYY`. */
  | { readonly kind: 'form'; readonly dates: readonly WrittenDate[]; readonly form: string }
  | { readonly kind: 'next'; readonly weekday: number; readonly count: number }
  /** `nth`: −1 for the last. */
  | { readonly kind: 'monthly'; readonly weekday: number; readonly nth: number; readonly year: number }

const weekday = `(?<weekday>${weekdayNames.join('|')})`
const lead =
  '(?:(?:what|when) are |what dates are |list |give me |show me |show |name |write down )?(?:all )?(?:the )?(?:dates of (?:the )?)?'
const isoQuestion = /^(?:is|was|check if|check whether|does) (?<iso>(\d{4})-(\d{1,2})-(\d{1,2}))\b(?<rest>.*)$/
const wordQuestion = new RegExp(
  `^(?:is|was|check if|check whether|does) (?:the )?(?:(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${monthNames.join('|')})|(?<month2>${monthNames.join('|')}) (?<day2>\\d{1,2})(?:st|nd|rd|th)?),? (?<year>\\d{4})\\b(?<rest>.*)$`,
)
const asksExistence = /^ (?:is )?(?:(?:a|an) )?(?:(?:valid|real|existing|possible|correct) (?:calendar )?(?:date|day)|exist|valid)$/
const iso =
  /^(?:convert|change|write|put|format|turn|bring|rewrite) (?:(?:all|these|those|the following|following|this|the|my) )*dates? (?:in ?to|to|as|in) (?:the )?iso(?:[ -]?8601)?(?: (?:format|dates?|form|notation))?:? (?<list>.+)$/i
/** `DD.MM.YYYY`, also with the letters of other languages. */
const form =
  /(?<![\p{L}\d])(?:(?:DD|JJ|TT|D)([./-])MM\1(?:YYYY|AAAA|JJJJ|YY)|MM([./-])DD\2YYYY|(?:YYYY|AAAA|JJJJ)([./-])MM\3(?:DD|JJ|TT))(?![\p{L}\d])/iu
const next = new RegExp(`^${lead}next (?<count>\\d{1,2}|[a-z]+) ${weekday}s$`)
const monthly = new RegExp(
  `^${lead}(?<nth>first|second|third|fourth|last) ${weekday}s? (?:of|in) (?:every|each) month (?:of|in) (?<year>\\d{4})$`,
)
const places = ['first', 'second', 'third', 'fourth']
const maxCount = 53

/** Undefined unless the whole text is such a question. */
export function readDateList(goal: string, context: DateContext): DateListQuestion | undefined {
  if (goal.length > 600) return undefined
  const text = stripPoliteness(goal)
  return (
    readExistence(text) ??
    readIso(trimPoliteness(goal), context) ??
    readForm(trimPoliteness(goal), context) ??
    readNext(text) ??
    readMonthly(text)
  )
}

function readExistence(text: string): DateListQuestion | undefined {
  const [, , year, month, day, rest = ''] = isoQuestion.exec(text) ?? []
  if (year !== undefined && asksExistence.test(rest))
    return { kind: 'existence', year: Number(year), month: Number(month), day: Number(day) }
  const groups = wordQuestion.exec(text)?.groups
  const named = monthNumber(groups?.month ?? groups?.month2 ?? '')
  if (!groups || named === undefined || !asksExistence.test(groups.rest ?? '')) return undefined
  return { kind: 'existence', year: Number(groups.year), month: named, day: Number(groups.day ?? groups.day2) }
}

function readIso(text: string, context: DateContext): DateListQuestion | undefined {
  const list = iso.exec(text)?.groups?.list
  const found = list === undefined ? undefined : findDates(list, context)
  if (!found || found.dates.length === 0 || !/^(?:§\d+|[\s,;]|\band\b)+$/.test(found.text)) return undefined
  return found.dates.every(({ hasYear, isRelative }) => hasYear && !isRelative) ? { kind: 'iso', dates: found.dates } : undefined
}

const formRequest = new Set(
  'convert change write put format turn bring rewrite show give me all these those the following this my dates date to into as in from format form like use with please and'.split(
    ' ',
  ),
)

function readForm(text: string, context: DateContext): DateListQuestion | undefined {
  const [written = ''] = form.exec(text) ?? []
  const found = written === '' ? undefined : findDates(text.replace(written, ' '), context)
  if (!found || found.dates.length === 0 || form.test(text.replace(written, ' '))) return undefined
  const words = found.text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
  if (!words.every((word) => formRequest.has(word) || /^\d+$/.test(word)) || /(?<!§)\b\d/.test(found.text)) return undefined
  const isClear = found.dates.every(({ hasYear, isRelative }) => hasYear && !isRelative)
  return isClear ? { kind: 'form', dates: found.dates, form: toEnglishDateForm(written) } : undefined
}

/** `JJ/MM/AAAA` is `DD/MM/YYYY`. */
export const toEnglishDateForm = (written: string): string =>
  written
    .toUpperCase()
    .replace(/AAAA|JJJJ/, 'YYYY')
    .replace(/JJ|TT/, 'DD')

/** The form of dates that a text in any of the languages names, in English letters. */
export const findDateForm = (text: string): string | undefined => {
  const [written] = form.exec(text) ?? []
  return written === undefined ? undefined : toEnglishDateForm(written)
}

const writeInForm = (day: Day, written: string): string =>
  written
    .replace('YYYY', String(day.year).padStart(4, '0'))
    .replace('YY', String(day.year % 100).padStart(2, '0'))
    .replace('MM', String(day.month).padStart(2, '0'))
    .replace('DD', String(day.day).padStart(2, '0'))
    .replace('D', String(day.day))

function readNext(text: string): DateListQuestion | undefined {
  const groups = next.exec(text)?.groups
  const count = /^\d/.test(groups?.count ?? '') ? Number(groups?.count) : smallNumberOf(groups?.count ?? '')
  if (!groups || count === undefined || count < 1 || count > maxCount) return undefined
  return { kind: 'next', weekday: weekdayNames.indexOf(groups.weekday ?? '') + 1, count }
}

function readMonthly(text: string): DateListQuestion | undefined {
  const groups = monthly.exec(text)?.groups
  if (!groups || Number(groups.year) < 1) return undefined
  const place = places.indexOf(groups.nth ?? '')
  return {
    kind: 'monthly',
    weekday: weekdayNames.indexOf(groups.weekday ?? '') + 1,
    nth: place < 0 ? -1 : place + 1,
    year: Number(groups.year),
  }
}

const nameOf = (weekdayNumber: number): string => {
  const name = weekdayNames[weekdayNumber - 1] ?? ''
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** @param today the next weekday is after it */
export function answerDateList(list: DateListQuestion, today: Day): string {
  switch (list.kind) {
    case 'existence':
      return answerExistence(list)
    case 'iso':
      return list.dates.map(({ text, day }) => `${text} is ${day.toString()}.`).join(' ')
    case 'form':
      return list.dates.map(({ text, day }) => `${text} is ${writeInForm(day, list.form)}.`).join(' ')
    case 'next': {
      const ahead = (list.weekday - today.dayOfWeek + 7) % 7 || 7
      const days = Array.from({ length: list.count }, (_, index) => today.add({ days: ahead + 7 * index }))
      return `Next ${nameOf(list.weekday)}s after ${writeDay(today)}: ${formatList(days.map(writeDay))}.`
    }
    case 'monthly': {
      const days = Array.from({ length: 12 }, (_, index) => weekdayOfMonth(list, index + 1))
      const place = list.nth < 0 ? 'Last' : ['First', 'Second', 'Third', 'Fourth'][list.nth - 1]
      return `${place} ${nameOf(list.weekday)} of each month of ${list.year}: ${formatList(days.map(writeDay))}.`
    }
  }
}

function weekdayOfMonth({ year, weekday: wanted, nth }: DateListQuestion & { readonly kind: 'monthly' }, month: number): Day {
  const first = new Temporal.PlainDate(year, month, 1)
  if (nth > 0) return first.add({ days: ((wanted - first.dayOfWeek + 7) % 7) + 7 * (nth - 1) })
  const last = first.with({ day: first.daysInMonth })
  return last.subtract({ days: (last.dayOfWeek - wanted + 7) % 7 })
}

function answerExistence({ year, month, day }: DateListQuestion & { readonly kind: 'existence' }): string {
  const written = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  if (month < 1 || month > 12) return `No, ${written} is no date: a year has 12 months.`
  const ofMonth = new Temporal.PlainDate(year, month, 1)
  const name = monthNames[month - 1] ?? ''
  const shown = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${year}`
  if (day < 1 || day > ofMonth.daysInMonth) return `No, ${written} is no date: ${shown} has ${ofMonth.daysInMonth} days.`
  const date = ofMonth.with({ day })
  return `Yes, ${written} is a date: ${nameOf(date.dayOfWeek)}, ${writeDay(date)}.`
}
