/// <reference lib="esnext.temporal" />
/** Cron expressions of five fields, as Vixie cron reads them: their parts, and the times at which they run. */

export type CronSchedule = {
  readonly text: string
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** Both a day of the month and a weekday are named: either is enough. */
  readonly isEither: boolean
}

type Field = { readonly name: string; readonly min: number; readonly max: number; readonly names?: readonly string[] }

const weekdays = 'sun mon tue wed thu fri sat'.split(' ')
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: months },
  { name: 'weekday', min: 0, max: 7, names: weekdays },
]
const macros: { readonly [macro: string]: string } = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** The schedule, or a sentence that states what is wrong. */
export function parseCron(text: string): CronSchedule | string {
  const lower = text.trim().toLowerCase()
  const expression = Object.hasOwn(macros, lower) ? (macros[lower] ?? lower) : lower
  const parts = expression.split(/\s+/)
  if (parts.length !== 5)
    return `A cron expression has five fields, and this one has ${parts.length}: minute, hour, day of the month, month and weekday.`
  const sets: Set<number>[] = []
  for (const [index, field] of fields.entries()) {
    const set = parseField(parts[index] ?? '', field)
    if (typeof set === 'string') return set
    sets.push(set)
  }
  const [minutes = new Set(), hours = new Set(), days = new Set(), monthSet = new Set(), weekdaySet = new Set()] = sets as Set<number>[]
  // 7 is Sunday as well.
  if (weekdaySet.delete(7)) weekdaySet.add(0)
  const isStar = (part: string | undefined) => part === undefined || part.startsWith('*') || part === '?'
  return {
    text: expression,
    minutes,
    hours,
    days,
    months: monthSet,
    weekdays: weekdaySet,
    isEither: !isStar(parts[2]) && !isStar(parts[4]),
  }
}

function parseField(text: string, field: Field): Set<number> | string {
  const found = new Set<number>()
  for (const item of text.split(',')) {
    const match = /^(?:(\*|\?)|([\da-z]+)(?:-([\da-z]+))?)(?:\/(\d+))?$/.exec(item)
    if (!match) return `The field for the ${field.name} is ${text}, which cron does not know.`
    const [, star, first, last, step] = match
    const low = star ? field.min : fieldValue(first ?? '', field)
    const high = star
      ? Math.min(field.max, field.name === 'weekday' ? 6 : field.max)
      : last === undefined
        ? step === undefined
          ? low
          : field.max
        : fieldValue(last, field)
    if (low === undefined || high === undefined || low < field.min || high > field.max)
      return `The field for the ${field.name} is ${text}; its values go from ${field.min} to ${field.max}.`
    const by = step === undefined ? 1 : Number(step)
    if (by < 1) return `The field for the ${field.name} has the step 0.`
    if (low > high) return `The field for the ${field.name} has the range ${item}, which ends before it begins.`
    for (let value = low; value <= high; value += by) found.add(value)
  }
  return found
}

function fieldValue(text: string, { names, min }: Field): number | undefined {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  const at = names?.indexOf(text.slice(0, 3)) ?? -1
  return at >= 0 ? at + min : undefined
}

type Moment = Temporal.PlainDateTime

/** 29 February on a given weekday comes back after at most 40 years. */
const maxDays = 366 * 41

/** The next times after a moment, in local time without changes of the clock. Fewer, if it does not run that often. */
export function nextTimes(schedule: CronSchedule, after: Moment, count: number): Moment[] {
  const times: Moment[] = []
  const sorted = (set: ReadonlySet<number>) => [...set].toSorted((a, b) => a - b)
  const [hours, minutes] = [sorted(schedule.hours), sorted(schedule.minutes)]
  let day = after.toPlainDate()
  for (let index = 0; index < maxDays && times.length < count; index++, day = day.add({ days: 1 })) {
    if (!runsOn(schedule, day)) continue
    for (const hour of hours)
      for (const minute of minutes) {
        const time = day.toPlainDateTime({ hour, minute })
        if (times.length < count && Temporal.PlainDateTime.compare(time, after) > 0) times.push(time)
      }
  }
  return times
}

function runsOn({ days, months: allowed, weekdays: named, isEither }: CronSchedule, day: Temporal.PlainDate): boolean {
  if (!allowed.has(day.month)) return false
  const [isDay, isWeekday] = [days.has(day.day), named.has(day.dayOfWeek % 7)]
  return isEither ? isDay || isWeekday : isDay && isWeekday
}
