/// <reference lib="esnext.temporal" />
/** Reads the question how long a journey takes from a local time in one place to a local time in another, and answers it. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { refuse } from '../../skill.ts'
import { writeDay } from './answer-date-question.ts'
import { type DateContext, type Day, findDates } from './find-dates.ts'
import { findTimeZonePlaces, type TimeZonePlace } from './find-time-zone-places.ts'

/** `arrivalDay` undefined: the first day on which the arrival is after the departure. */
export type FlightTimeQuestion = {
  readonly from: TimeZonePlace
  readonly to: TimeZonePlace
  readonly start: string
  readonly end: string
  readonly day: Day
  readonly arrivalDay: Day | undefined
}

const maxText = 400
export const leaveWords = '(?:leav(?:es?|ing)|left|depart(?:s|ed|ing)?|takes? off|took off|starts?|fl(?:y|ies|ew)|sets? off)'
export const arriveWords = '(?:lands?|landed|landing|arriv(?:es?|ed|ing)|touch(?:es|ed)? down|gets? (?:in|to))'
const asks =
  /\b(?:how long|how many hours|flight time|flying time|travel time|journey time|duration|(?:time|long) in the air|how much time)\b/
const clock = /(?<![\d:.§@])(\d{1,2}):(\d{2})(?! ?[ap]\.?m)(?![\d:%])|(?<![\d:.§@])(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b\.?/g
const sameDay = /\b(?:the )?same (?:day|date|evening|afternoon|morning|night)\b/
const nextDay = /\b(?:the )?(?:next|following) (?:day|date|morning|afternoon|evening)\b/
const fillers = new Set(
  (
    'my our the a an his her their your flight plane train bus journey trip it i we and then in at on from to of for is are was will be do does did am by both all times time local ' +
    "how long many much hours hour air total flying travel duration take takes taking spend what what's last lasts there here so if when " +
    'day date same next following evening morning afternoon night with without stop stops nonstop non-stop direct clock respectively given tell me please would up'
  ).split(' '),
)

/** A place with a time of day, and the words around them. */
export type JourneySide = {
  readonly place: TimeZonePlace
  readonly time: string
  readonly dayIndex: number | undefined
  readonly words: string
}

/** Undefined if any word is not understood, or the day of the departure is not known. */
export function readFlightTime(goal: string, context: DateContext): FlightTimeQuestion | undefined {
  const text = goal.toLowerCase().replace(/’/g, "'")
  if (goal.length > maxText || !asks.test(text)) return undefined
  const dated = findDates(text, context)
  if (!dated || dated.dates.length === 0 || dated.dates.length > 2 || dated.dates.some((one) => one.isAmbiguous || !one.hasYear))
    return undefined
  const { places, text: placed } = findTimeZonePlaces(dated.text)
  const arrival = new RegExp(`\\b${arriveWords}\\b`).exec(placed)
  const departure = new RegExp(`\\b${leaveWords}\\b`).exec(placed)
  if (places.length !== 2 || !arrival || !departure || departure.index > arrival.index) return undefined
  const [first, second] = [journeySideOf(placed.slice(0, arrival.index), places), journeySideOf(placed.slice(arrival.index), places)]
  if (!first || !second || first.place === second.place || first.dayIndex === undefined) return undefined
  const day = dated.dates[first.dayIndex]?.day
  if (!day || !hasOnlyJourneyWords(`${first.words} ${second.words}`)) return undefined
  return {
    from: first.place,
    to: second.place,
    start: first.time,
    end: second.time,
    day,
    arrivalDay: arrivalDayOf(second, day, dated.dates),
  }
}

function arrivalDayOf({ dayIndex, words }: JourneySide, day: Day, dates: readonly { readonly day: Day }[]): Day | undefined {
  if (dayIndex !== undefined) return dates[dayIndex]?.day
  return sameDay.test(words) ? day : nextDay.test(words) ? day.add({ days: 1 }) : undefined
}

/** One place, one time of day and at most one date. */
export function journeySideOf(text: string, places: readonly TimeZonePlace[]): JourneySide | undefined {
  const times = [...text.matchAll(clock)]
  const named = [...text.matchAll(/@(\d)/g)]
  const days = [...text.matchAll(/§(\d)/g)]
  const time = times[0] && timeOf(times[0])
  const place = places[Number(named[0]?.[1])]
  if (times.length !== 1 || named.length !== 1 || days.length > 1 || time === undefined || !place) return undefined
  const dayIndex = days[0]?.[1]
  return {
    place,
    time,
    dayIndex: dayIndex === undefined ? undefined : Number(dayIndex),
    words: text.replace(clock, ' ').replace(/[@§]\d/g, ' '),
  }
}

function timeOf([, hour24, minute24, hour12, minute12 = '00', half]: RegExpMatchArray): string | undefined {
  const hour = hour24 === undefined ? (Number(hour12) % 12) + (half === 'p' ? 12 : 0) : Number(hour24)
  const minute = Number(minute24 ?? minute12)
  const isValid = hour <= 23 && minute <= 59 && (hour12 === undefined || (Number(hour12) >= 1 && Number(hour12) <= 12))
  return isValid ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` : undefined
}

/** Whether a text has only the usual words of a journey. */
export function hasOnlyJourneyWords(words: string): boolean {
  const rest = words.replace(new RegExp(`\\b(?:${leaveWords}|${arriveWords})\\b`, 'g'), ' ')
  return (rest.match(/[\p{L}\d'-]+/gu) ?? []).every((word) => fillers.has(word))
}

/** The instant of a local time. Refused if clocks skip it or show it twice. */
export function instantAt(place: TimeZonePlace, day: Day, time: string): Temporal.ZonedDateTime {
  const local = day.toPlainDateTime(Temporal.PlainTime.from(time))
  try {
    return local.toZonedDateTime(place.zone, { disambiguation: 'reject' })
  } catch {
    return refuse(`Clocks in ${place.name} change at ${time} on ${writeDay(day)}, so this time is not clear. Name another time.`)
  }
}

/** `UTC+9`. */
export function utcOffsetOf({ offset, offsetNanoseconds }: Temporal.ZonedDateTime): string {
  if (offsetNanoseconds === 0) return 'UTC'
  const minutes = offset.slice(4, 6)
  return `UTC${offset.startsWith('-') ? '−' : '+'}${Number(offset.slice(1, 3))}${minutes === '00' ? '' : `:${minutes}`}`
}

/**
 * `From Tokyo (UTC+9) at 17:25 … to Frankfurt (UTC+2) at 22:50 …: 12 hours and 25 minutes.`
 *
 * @throws {SkillRefused} if the arrival is not after the departure
 */
export function answerFlightTime({ from, to, start, end, day, arrivalDay }: FlightTimeQuestion): string {
  const left = instantAt(from, day, start)
  const minutesTo = (one: Temporal.ZonedDateTime): number => (one.epochMilliseconds - left.epochMilliseconds) / 60_000
  const days = arrivalDay ? [arrivalDay] : [-1, 0, 1].map((days) => day.add({ days }))
  const landed = days.map((one) => instantAt(to, one, end)).find((one) => minutesTo(one) > 0)
  if (!landed) return refuse(`The arrival in ${to.name} would be before the departure from ${from.name}. Check the dates and times.`)
  const minutes = minutesTo(landed)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const span = [
    ...(hours > 0 ? [`${hours} hour${hours === 1 ? '' : 's'}`] : []),
    ...(rest > 0 ? [`${rest} minute${rest === 1 ? '' : 's'}`] : []),
  ]
  const at = (place: TimeZonePlace, time: string, one: Temporal.ZonedDateTime): string =>
    `${place.name} (${utcOffsetOf(one)}) at ${time} on ${writeDay(one.toPlainDate())}`
  return `From ${at(from, start, left)} to ${at(to, end, landed)}: ${formatList(span)}.`
}
