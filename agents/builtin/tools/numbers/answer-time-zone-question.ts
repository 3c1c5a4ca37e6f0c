/// <reference lib="esnext.temporal" />
/** Computes the time in another time zone, as a sentence. */
import { formatNumber } from '../../format-numbers-and-lists.ts'
import { refuse } from '../../skill.ts'
import { writeDay } from './answer-date-question.ts'
import type { Day } from './find-dates.ts'
import type { TimeZonePlace } from './find-time-zone-places.ts'
import type { ClockQuestion } from './read-time-zone-question.ts'

const clockOf = (at: Temporal.ZonedDateTime): string => at.toPlainTime().toString({ smallestUnit: 'minute' })

/** `UTC+5:30`. */
function offsetOf(at: Temporal.ZonedDateTime): string {
  const [sign, hours = '0', minutes] = [at.offset.charAt(0), at.offset.slice(1, 3), at.offset.slice(4, 6)]
  if (at.offsetNanoseconds === 0) return 'UTC'
  return `UTC${sign === '-' ? '−' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`
}

/** `Berlin (UTC+1)`; `UTC` has no offset to state. */
const placed = ({ name }: TimeZonePlace, at: Temporal.ZonedDateTime): string => (name === 'UTC' ? name : `${name} (${offsetOf(at)})`)

/**
 * @param today the date that holds if the question has none
 * @throws {SkillRefused} if clocks skip the time on that day
 */
export function answerTimeZoneQuestion(question: ClockQuestion, today: Day): string {
  if (question.kind === 'time now') {
    const now = Temporal.Now.instant()
    return question.to
      .map((place) => {
        const at = now.toZonedDateTimeISO(place.zone)
        return `It is ${clockOf(at)} on ${writeDay(at.toPlainDate())} in ${placed(place, at)}.`
      })
      .join(' ')
  }
  const day = question.day ?? today
  if (question.kind === 'zone difference') return answerDifference(question, day)
  const { from, to, time } = question
  const start = day.toZonedDateTime({ timeZone: from.zone, plainTime: Temporal.PlainTime.from(time) })
  if (clockOf(start) !== time) return refuse(`Clocks in ${from.name} skip ${time} on ${writeDay(day)}. Name another time.`)
  return to
    .map((place) => {
      const at = start.withTimeZone(place.zone)
      return `${time} on ${writeDay(day)} in ${placed(from, start)} is ${clockOf(at)} on ${writeDay(at.toPlainDate())} in ${placed(place, at)}.`
    })
    .join(' ')
}

/** At noon of the day: an hour near a change of the clocks would have another difference. */
function answerDifference({ from, to }: Extract<ClockQuestion, { kind: 'zone difference' }>, day: Day): string {
  const start = day.toZonedDateTime({ timeZone: from.zone, plainTime: Temporal.PlainTime.from('12:00') })
  const other = start.withTimeZone(to.zone)
  const minutes = (other.offsetNanoseconds - start.offsetNanoseconds) / 60e9
  const both = `${placed(to, other)} and ${placed(from, start)}`
  if (minutes === 0) return `${both} have the same time on ${writeDay(day)}.`
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const span = [...(hours > 0 ? [`${formatNumber(hours)} hour${hours === 1 ? '' : 's'}`] : []), ...(rest > 0 ? [`${rest} minutes`] : [])]
  return `${placed(to, other)} is ${span.join(' and ')} ${minutes > 0 ? 'ahead of' : 'behind'} ${placed(from, start)} on ${writeDay(day)}.`
}
