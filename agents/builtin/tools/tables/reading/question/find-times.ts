/** Finds points and spans of time in the words of a question. */

import type { TableFilter, TimeFields } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import { monthOfName, parseTimeCell, type TimePart, type TimeValue, weekdays } from '../table/time-values.ts'
import type { QuestionWord } from '../words/read-question-words.ts'

/** Words `start` to `end` name a time. */
export type TimeMention = { readonly start: number; readonly end: number; readonly fields: TimeFields; readonly text: string }

const isYear = (word: QuestionWord | undefined): boolean => word?.kind === 'number' && /^(?:19|20)\d\d$/.test(word.text)

/** Months are read beside a year, or alone if their name is no usual word or has a capital. */
const isMonthWord = (word: QuestionWord): boolean =>
  word.kind === 'word' &&
  monthOfName(word.text) !== undefined &&
  (!/^(?:may|march|mar|sun|sat)$/.test(word.text) || word.text !== word.lower)

const quarterWords: { readonly [word: string]: number } = {
  first: 1,
  '1st': 1,
  second: 2,
  '2nd': 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  last: 4,
}

function readTime(words: readonly QuestionWord[], at: number): TimeMention | undefined {
  const [word, next, third] = [words[at], words[at + 1], words[at + 2]]
  if (!word || word.kind === 'mark') return undefined
  const mention = (count: number, fields: TimeFields): TimeMention => ({
    start: at,
    end: at + count,
    fields,
    text: words
      .slice(at, at + count)
      .map((one) => one.text)
      .join(' '),
  })
  const date = word.kind === 'number' ? undefined : fullDate(word.text)
  if (date) return mention(1, date)
  const longDate =
    fullDate([word, next, third].map((one) => one?.text ?? '').join(' ')) ??
    fullDate(`${word.text} ${next?.text ?? ''}, ${third?.text === ',' ? (words[at + 3]?.text ?? '') : ''}`)
  if (longDate) return mention(third?.text === ',' ? 4 : 3, longDate)
  const month = isMonthWord(word) || (monthOfName(word.text) !== undefined && isYear(next)) ? monthOfName(word.text) : undefined
  if (month !== undefined) {
    if (isYear(next)) return mention(2, { month, year: next?.value ?? 0 })
    if (next?.lower === 'of' && isYear(third)) return mention(3, { month, year: third?.value ?? 0 })
    return mention(1, { month })
  }
  const quarter = /^q([1-4])$/.exec(word.lower)?.[1]
  const named = quarterWords[word.lower]
  const spelled = named !== undefined && next?.lower === 'quarter' ? named : undefined
  if (quarter !== undefined || spelled !== undefined) {
    const count = quarter !== undefined ? 1 : 2
    const skip = words[at + count]?.lower === 'of' ? 1 : 0
    const year = words[at + count + skip]
    return isYear(year)
      ? mention(count + skip + 1, { quarter: Number(quarter ?? spelled), year: year?.value ?? 0 })
      : mention(count, { quarter: Number(quarter ?? spelled) })
  }
  return readOther(words, at, mention)
}

function readOther(
  words: readonly QuestionWord[],
  at: number,
  mention: (count: number, fields: TimeFields) => TimeMention,
): TimeMention | undefined {
  const [word, next] = [words[at], words[at + 1]]
  if (isYear(word)) {
    const quarter = /^q([1-4])$/.exec(next?.lower ?? '')?.[1]
    return quarter === undefined ? mention(1, { year: word?.value ?? 0 }) : mention(2, { year: word?.value ?? 0, quarter: Number(quarter) })
  }
  const half =
    (word?.lower === 'first' || word?.lower === 'second') && next?.lower === 'half'
      ? word.lower === 'first'
        ? 1
        : 2
      : /^h([12])$/.exec(word?.lower ?? '')?.[1]
  if (half !== undefined) {
    const count = next?.lower === 'half' ? 2 : 1
    const skip = words[at + count]?.lower === 'of' ? 1 : 0
    const year = words[at + count + skip]
    return isYear(year) ? mention(count + skip + 1, { half: Number(half), year: year?.value ?? 0 }) : mention(count, { half: Number(half) })
  }
  const weekday = weekdays.findIndex((name) => name.toLowerCase() === word?.lower.replace(/s$/, ''))
  return weekday >= 0 ? mention(1, { weekday }) : undefined
}

function fullDate(text: string): TimeFields | undefined {
  const time = parseTimeCell(text, 'day first')
  return time?.period === 'day' && time.year !== undefined && time.month !== undefined && time.day !== undefined
    ? { year: time.year, month: time.month, day: time.day }
    : undefined
}

/** The times that words name where `isTaken` is false, from left to right. */
export function findTimes(words: readonly QuestionWord[], isTaken: readonly boolean[]): TimeMention[] {
  const found: TimeMention[] = []
  for (let at = 0; at < words.length; at++) {
    const mention = isTaken[at] ? undefined : readTime(words, at)
    if (!mention || isTaken.slice(mention.start, mention.end).some((one) => one)) continue
    found.push(mention)
    at = mention.end - 1
  }
  return found
}

/** The first and last order of a time, for comparisons. */
export function boundsOf(fields: TimeFields): { readonly from: number; readonly to: number } {
  const year = fields.year ?? 0
  const first =
    fields.month ??
    (fields.quarter !== undefined ? (fields.quarter - 1) * 3 + 1 : fields.half !== undefined ? (fields.half - 1) * 6 + 1 : 1)
  const last = fields.month ?? (fields.quarter !== undefined ? fields.quarter * 3 : fields.half !== undefined ? fields.half * 6 : 12)
  return { from: year * 372 + (first - 1) * 31 + ((fields.day ?? 1) - 1), to: year * 372 + (last - 1) * 31 + ((fields.day ?? 31) - 1) }
}

/** True if the time lies in all the fields. */
export function matchesFields(time: TimeValue, fields: TimeFields): boolean {
  if (fields.year !== undefined && time.year !== fields.year) return false
  if (fields.month !== undefined && time.month !== fields.month) return false
  if (fields.day !== undefined && time.day !== fields.day) return false
  if (fields.quarter !== undefined && (time.month === undefined || Math.ceil(time.month / 3) !== fields.quarter)) return false
  if (fields.half !== undefined && (time.month === undefined || Math.ceil(time.month / 6) !== fields.half)) return false
  if (fields.weekday === undefined) return true
  if (time.year === undefined || time.month === undefined || time.day === undefined) return false
  return (new Date(Date.UTC(time.year, time.month - 1, time.day)).getUTCDay() + 6) % 7 === fields.weekday
}

const before = new Set(['before', 'until', 'till', 'through'])
const after = new Set(['after', 'since'])

/** The filters for the times of a question, each with the words that it takes. */
export function timeFilters(
  words: readonly QuestionWord[],
  mentions: readonly TimeMention[],
  column: TableColumn,
): readonly { readonly filter: TableFilter; readonly start: number; readonly end: number }[] {
  const found: { filter: TableFilter; start: number; end: number }[] = []
  for (let index = 0; index < mentions.length; index++) {
    const mention = mentions[index] as TimeMention
    const next = mentions[index + 1]
    const previous = words[mention.start - 1]?.lower ?? ''
    const between = next ? words.slice(mention.end, next.start).map((word) => word.lower) : []
    const isRange =
      next &&
      between.length === 1 &&
      (['to', 'until', 'till', 'through', '-', '–'].includes(between[0] ?? '') || (between[0] === 'and' && previous === 'between'))
    const base = { column, at: mention.start }
    const isUpTo = previous === 'to' && words[mention.start - 2]?.lower === 'up'
    const isOnward = ['on', 'onward', 'onwards'].includes(words[mention.end]?.lower ?? '') && ['from', 'starting'].includes(previous)
    if (isRange && ['from', 'between', 'in', 'during', ''].includes(previous)) {
      const [from, to] = [sameYear(mention.fields, next.fields), next.fields]
      found.push({
        filter: { ...base, kind: 'period', from: boundsOf(from).from, to: boundsOf(to).to, text: `${mention.text} to ${next.text}` },
        start: mention.start - 1,
        end: next.end,
      })
      index++
    } else if ((before.has(previous) || isUpTo) && mention.fields.weekday === undefined) {
      const isIncluded = previous !== 'before'
      const to = isIncluded ? boundsOf(mention.fields).to : boundsOf(mention.fields).from - 1
      found.push({
        filter: { ...base, kind: 'period', from: Number.NEGATIVE_INFINITY, to, text: `${isIncluded ? 'until' : 'before'} ${mention.text}` },
        start: mention.start - 1,
        end: mention.end,
      })
    } else if ((after.has(previous) || isOnward) && mention.fields.weekday === undefined) {
      const from = previous === 'after' ? boundsOf(mention.fields).to + 1 : boundsOf(mention.fields).from
      found.push({
        filter: {
          ...base,
          kind: 'period',
          from,
          to: Number.POSITIVE_INFINITY,
          text: `${previous === 'after' ? 'after' : 'since'} ${mention.text}`,
        },
        start: mention.start - 1,
        end: mention.end + (isOnward ? 1 : 0),
      })
    } else {
      const isNot =
        ['except', 'excluding', 'without', 'not'].includes(previous) ||
        ['except', 'excluding', 'not'].includes(words[mention.start - 2]?.lower ?? '')
      found.push({
        filter: { ...base, kind: 'time', fields: [mention.fields], isNot, text: isNot ? `not ${mention.text}` : mention.text },
        start: mention.start,
        end: mention.end,
      })
    }
  }
  return mergeTimes(found)
}

/** "January to March 2024": the year of the end holds for the start. */
const sameYear = (first: TimeFields, second: TimeFields): TimeFields =>
  first.year === undefined && second.year !== undefined ? { ...first, year: second.year } : first

type PlacedFilter = { readonly filter: TableFilter; readonly start: number; readonly end: number }

/** "May and June" are two times of one filter; "Mondays in 2024" are two filters. */
function mergeTimes(found: readonly PlacedFilter[]): readonly PlacedFilter[] {
  const merged: PlacedFilter[] = []
  for (const one of found) {
    const last = merged.at(-1)
    const [a, b] = [last?.filter, one.filter]
    const isSameKind = a?.kind === 'time' && b.kind === 'time' && a.isNot === b.isNot && keysOf(a.fields[0]) === keysOf(b.fields[0])
    if (last && isSameKind && one.start - last.end <= 2) {
      const filter: TableFilter = { ...a, fields: [...a.fields, ...b.fields], text: `${a.text} or ${b.text.replace(/^not /, '')}` }
      merged[merged.length - 1] = { filter, start: last.start, end: one.end }
    } else merged.push(one)
  }
  return merged
}

/** "January and February 2024": both have a month, so the year of the second applies to both. */
const keysOf = (fields: TimeFields | undefined): string =>
  Object.keys(fields ?? {})
    .filter((key) => key !== 'year' || Object.keys(fields ?? {}).length === 1)
    .sort()
    .join(' ')

const parts: { readonly [word: string]: TimePart } = {
  year: 'year',
  years: 'year',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
  quarter: 'quarter',
  quarters: 'quarter',
  quarterly: 'quarter',
  month: 'month',
  months: 'month',
  monthly: 'month',
  weekday: 'weekday',
  weekdays: 'weekday',
  day: 'day',
  days: 'day',
  daily: 'day',
  date: 'day',
  dates: 'day',
}

/** The part of a date that a word names. */
export function timePartAt(words: readonly QuestionWord[], at: number): { readonly part: TimePart; readonly count: number } | undefined {
  const lower = words[at]?.lower ?? ''
  const rest = words.slice(at + 1, at + 4).map((word) => word.lower)
  if (lower === 'day' && rest[0] === 'of' && (rest[1] === 'week' || (rest[1] === 'the' && rest[2] === 'week')))
    return { part: 'weekday', count: rest[1] === 'week' ? 3 : 4 }
  if (lower === 'month' && rest.join(' ') === 'of the year') return { part: 'month of year', count: 4 }
  const part = Object.hasOwn(parts, lower) ? parts[lower] : undefined
  return part && { part, count: 1 }
}
