/// <reference lib="esnext.temporal" />
/** Reads the question at which local time a journey of a stated duration ends, and answers it. */
import { writeDay } from './answer-date-question.ts'
import { type DateContext, type Day, findDates } from './find-dates.ts'
import { findTimeZonePlaces, type TimeZonePlace } from './find-time-zone-places.ts'
import { arriveWords, hasOnlyJourneyWords, instantAt, journeySideOf, leaveWords, utcOffsetOf } from './flight-time-question.ts'

export type ArrivalTimeQuestion = {
  readonly from: TimeZonePlace
  readonly to: TimeZonePlace
  readonly start: string
  readonly day: Day
  readonly minutes: number
}

const maxText = 400
const asks = /\b(?:what time|what is the (?:local )?time|local time|when)\b/
const span =
  /\b(\d{1,2}) ?(?:h|hrs?|hours?)\b(?:,? ?(?:and )?(\d{1,2}) ?(?:m|mins?|minutes?)\b)?|\b(\d{1,3}) ?(?:mins?|minutes?)\b|\b(\d{1,2})h(\d{2})\b/

/** Undefined if any word is not understood, or the day of the departure is not known. */
export function readArrivalTime(goal: string, context: DateContext): ArrivalTimeQuestion | undefined {
  const text = goal.toLowerCase().replace(/’/g, "'")
  const [written = '', hours, rest, only, hours2, rest2] = span.exec(text) ?? []
  if (goal.length > maxText || !asks.test(text) || written === '') return undefined
  const minutes = only === undefined ? Number(hours ?? hours2) * 60 + Number(rest ?? rest2 ?? 0) : Number(only)
  const dated = findDates(text.replace(written, ' '), context)
  const [date] = dated?.dates ?? []
  if (!dated || !date || dated.dates.length > 1 || date.isAmbiguous || !date.hasYear || span.test(dated.text)) return undefined
  const { places, text: placed } = findTimeZonePlaces(dated.text)
  const leave = new RegExp(`\\b${leaveWords}\\b`).exec(placed)
  const arrive = new RegExp(`\\b${arriveWords}|(?:be|am) there\\b`).exec(placed)
  if (places.length !== 2 || !leave || !arrive) return undefined
  return toArrival({ placed, places, minutes, day: date.day })
}

type Placed = { readonly placed: string; readonly places: readonly TimeZonePlace[]; readonly minutes: number; readonly day: Day }

/** The place that is named with the time of day is that of the departure. */
function toArrival({ placed, places, minutes, day }: Placed): ArrivalTimeQuestion | undefined {
  const [first, second] = [placed.indexOf('@0'), placed.indexOf('@1')]
  const departure = journeySideOf(placed.replace('@1', ' '), places)
  const [from, to] = first < second ? [places[0], places[1]] : [places[1], places[0]]
  if (!departure || !from || !to || departure.place !== from || !hasOnlyJourneyWords(departure.words)) return undefined
  return { from, to, start: departure.time, day, minutes }
}

/** `Arrival in Berlin (UTC+1) at 19:25 on 12 March 2027, 3 hours and 50 minutes after 14:35 on 12 March 2027 in Lisbon (UTC).` */
export function answerArrivalTime({ from, to, start, day, minutes }: ArrivalTimeQuestion): string {
  const left = instantAt(from, day, start)
  const landed = left.add({ minutes }).withTimeZone(to.zone)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [
    ...(hours > 0 ? [`${hours} hour${hours === 1 ? '' : 's'}`] : []),
    ...(rest > 0 ? [`${rest} minute${rest === 1 ? '' : 's'}`] : []),
  ]
  const time = landed.toPlainTime().toString({ smallestUnit: 'minute' })
  return `Arrival in ${to.name} (${utcOffsetOf(landed)}) at ${time} on ${writeDay(landed.toPlainDate())}: ${parts.join(' and ')} after ${start} on ${writeDay(day)} in ${from.name} (${utcOffsetOf(left)}).`
}
