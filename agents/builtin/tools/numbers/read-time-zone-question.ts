/// <reference lib="esnext.temporal" />
/** Reads a question for the time in another time zone. */
import { type DateContext, type Day, findDates } from './find-dates.ts'
import { findTimeZonePlaces, type TimeZonePlace } from './find-time-zone-places.ts'

export type ClockQuestion =
  /** `day` undefined: today. */
  | {
      readonly kind: 'zone time'
      readonly from: TimeZonePlace
      readonly to: readonly TimeZonePlace[]
      readonly time: string
      readonly day: Day | undefined
    }
  | { readonly kind: 'time now'; readonly to: readonly TimeZonePlace[] }
  | { readonly kind: 'zone difference'; readonly from: TimeZonePlace; readonly to: TimeZonePlace; readonly day: Day | undefined }

const maxText = 300
const maxPlaces = 6
const fillers = new Set(
  (
    "what what's whats which when if is it it's its be will would the a an time times local clock o'clock oclock in at on for of to into from and here there then " +
    'convert change translate tell me give show say show please i you we they my our us have has do does did know need want can could ' +
    'difference between hours hour how many much ahead behind apart are offset zone zones timezone timezones now right currently current today same as ' +
    'that this meeting call starts start begins standard daylight'
  ).split(' '),
)
const clock =
  /(?<![\d:.§@])(\d{1,2})(?:[:.h](\d{2}))?(?:\s?(a\.?m\.?|p\.?m\.?)(?!\p{L})|\s?o['’]?clock)?(?![\d:%])|\b(noon|midday|midnight)\b/u

/** Undefined if any word is not understood. */
export function readTimeZoneQuestion(goal: string, context: DateContext): ClockQuestion | undefined {
  if (goal.length > maxText) return undefined
  const dated = findDates(goal.toLowerCase().replace(/’/g, "'"), context)
  if (!dated || dated.dates.length > 1 || dated.dates.some(({ isAmbiguous }) => isAmbiguous)) return undefined
  const { places, text } = findTimeZonePlaces(dated.text)
  if (places.length === 0 || places.length > maxPlaces) return undefined
  const day = dated.dates[0]?.day
  const timed = findClock(text)
  const rest = (timed?.text ?? text).replace(/[@§]\d+|#/g, ' ')
  if ((rest.match(/[\p{L}\d']+/gu) ?? []).some((word) => !fillers.has(word))) return undefined
  if (timed) return zoneTime(timed, places, day)
  const [from, to] = places
  if (from && to && places.length === 2 && /\b(?:difference|ahead|behind|apart|hours between)\b/.test(text))
    return { kind: 'zone difference', from, to, day }
  return /\btime\b/.test(text) && day === undefined && /\b(?:what|what's|whats|current|currently|now|tell|show|give)\b/.test(text)
    ? { kind: 'time now', to: places }
    : undefined
}

type FoundClock = { readonly time: string; readonly text: string }

/** The first time of day. `text`: with `#` instead. */
function findClock(text: string): FoundClock | undefined {
  const match = clock.exec(text)
  if (!match) return undefined
  const [whole, hourText, minuteText, half, word] = match
  const isTime = word !== undefined || minuteText !== undefined || half !== undefined || /clock/.test(whole)
  const late = half?.startsWith('p') ? 12 : 0
  const hour = word === undefined ? Number(hourText) : word === 'midnight' ? 0 : 12
  const isValid = half === undefined ? hour <= 23 : hour >= 1 && hour <= 12
  const minute = Number(minuteText ?? 0)
  if (!isTime || !isValid || minute > 59) return undefined
  const hours = half === undefined ? hour : (hour % 12) + late
  const rest = `${text.slice(0, match.index)}#${text.slice(match.index + whole.length)}`
  // A second time of day would be another question.
  if (clock.test(rest.replace(/[@§]\d+/g, ' '))) return undefined
  return { time: `${String(hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`, text: rest }
}

/** The time holds in the place right behind it or right before it. Between two places, as in “Berlin 15:00 Tokyo”, it could hold in either. */
function zoneTime({ time, text }: FoundClock, places: readonly TimeZonePlace[], day: Day | undefined): ClockQuestion | undefined {
  const behind = /#(?:[ ,]+(?:in|at|on|the|local|time|§\d+))*[ ,]+@(\d)/.exec(text)?.[1]
  const before = /@(\d)(?:[ ,]+(?:at|on|is|it|it's|time|the|§\d+))*[ ,]+#/.exec(text)?.[1]
  if (behind !== undefined && before !== undefined) return undefined
  const from = places[Number(behind ?? before)]
  const to = places.filter((place) => place !== from)
  return from && to.length > 0 ? { kind: 'zone time', from, to, time, day } : undefined
}
