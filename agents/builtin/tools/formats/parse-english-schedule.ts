/** Reads a schedule in English, such as "every weekday at 9am", as a cron expression. */

type Clock = { readonly hour: number; readonly minute: number }
export type ReadSchedule = { readonly cron: string } | { readonly fault: string }

const dayNames = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const monthList = 'january february march april may june july august september october november december'.split(' ')
const smallNumbers: { readonly [word: string]: number } = {
  other: 2,
  second: 2,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  half: 30,
}
const ordinals: { readonly [word: string]: number } = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, fifteenth: 15 }

const clock = /\b(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|a\.m\.?|p\.m\.?|o'?clock|h)?(?![\w:./])|\b(midnight|noon|midday)\b/g

/** The schedule, a fault that the client can correct, or undefined if the words say more or something else. */
export function parseEnglishSchedule(text: string): ReadSchedule | undefined {
  const phrase = ` ${text
    .toLowerCase()
    .replace(/[’']/g, "'")
    .replace(/[,;?!]+/g, ' , ')
    .replace(/\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `
  const interval = readInterval(phrase)
  if (interval) return interval
  const [before = '', after] = splitTimes(phrase)
  const clocks = after === undefined ? [] : readClocks(after)
  if (clocks === undefined) return undefined
  const days = readDays(before.trim())
  if (days === undefined) return undefined
  if (clocks.length === 0) return days.hasClock ? { cron: `0 0 ${days.fields}` } : { fault: 'At what time? Write it such as 09:00.' }
  const minutes = new Set(clocks.map(({ minute }) => minute))
  if (minutes.size > 1) return { fault: 'One cron expression cannot hold times with different minutes. Ask for each time on its own.' }
  const hours = [...new Set(clocks.map(({ hour }) => hour))].toSorted((a, b) => a - b)
  return { cron: `${[...minutes][0] ?? 0} ${hours.join(',')} ${days.fields}` }
}

function splitTimes(phrase: string): [string, string | undefined] {
  const at = phrase.search(/ (?:at|@) (?=\d|midnight|noon|midday)/)
  if (at < 0) {
    const named = / (midnight|noon|midday) /.exec(phrase)
    return named ? [phrase.replace(named[0], ' '), named[1]] : [phrase, undefined]
  }
  const rest = phrase.slice(at).replace(/^ (?:at|@) /, '')
  const end = rest.search(/ (?:on|every|each|from|of|in|mon|tue|wed|thu|fri|sat|sun|week|daily)/)
  return end < 0 ? [phrase.slice(0, at), rest] : [`${phrase.slice(0, at)} ${rest.slice(end)}`, rest.slice(0, end)]
}

/** Every clock time of the words. Undefined: there is something else. */
function readClocks(text: string): Clock[] | undefined {
  const clocks: Clock[] = []
  const matches = [...text.matchAll(clock)]
  // "9 and 11am" means the morning for both.
  const half = matches.map(([, , , mark]) => mark?.[0]).findLast((mark) => mark === 'a' || mark === 'p')
  for (const [, hours, minutes = '0', mark, name] of matches) {
    if (name !== undefined) {
      clocks.push({ hour: name === 'midnight' ? 0 : 12, minute: 0 })
      continue
    }
    const part = mark?.[0] === 'a' || mark?.[0] === 'p' ? mark[0] : half
    const [hour, minute] = [Number(hours), Number(minutes)]
    if (minute > 59 || hour > 23 || (part !== undefined && (hour < 1 || hour > 12))) return undefined
    clocks.push({ hour: part === undefined ? hour : (hour % 12) + (part === 'p' ? 12 : 0), minute })
  }
  const rest = text
    .replace(clock, ' ')
    .replace(/\b(?:and|at|o'?clock|in the morning|sharp|,)\b|,/g, ' ')
    .trim()
  return rest === '' && clocks.length > 0 ? clocks : undefined
}

const named: readonly (readonly [RegExp, string])[] = [
  [/^ hourly /, ' every 1 hours '],
  [/^ every (?:half(?: an)? hour|half-hour) /, ' every 30 minutes '],
  [/^ every quarter(?: of an)?[- ]hour /, ' every 15 minutes '],
]
const interval =
  /^ (?:once )?(?:every|each) (?:(\d{1,4}|[a-z]+) )?(minutes?|mins?|hours?|hrs?|half hour|quarter hour)(?: (?:on|past) the hour)? /
const hour = String.raw`(\d{1,2})(?::00)?(?: ?(am|pm))?(?: ?(?:o'?clock|h))?`
const hourWindow = new RegExp(`(?<= )(?:between|from|during) ${hour} ?(?:and|to|until|till|through|-|–) ?${hour} `)

/** `every 15 minutes`, `every 2 hours`, `hourly`, also on some days and between two hours. */
function readInterval(phrase: string): ReadSchedule | undefined {
  const plain = named.reduce((text, [words, usual]) => text.replace(words, usual), phrase)
  const match = interval.exec(plain)
  if (!match) return undefined
  const [whole, written, unit = ''] = match
  const count = written === undefined ? 1 : /^\d/.test(written) ? Number(written) : smallNumbers[written]
  const open = plain.slice(whole.length - 1)
  const window = hourWindow.exec(open)
  const rest = (window ? open.replace(window[0], '') : open).replace(/ , | (?:on|from) (?=mon|tue|wed|thu|fri|sat|sun|week)/g, ' ').trim()
  const days = rest === '' ? { fields: '* * *' } : readDays(rest)
  const hours = window === null ? '*' : readHours(window.slice(1), unit.startsWith('min'))
  if (count === undefined || count < 1 || days === undefined || hours === undefined) return undefined
  return writeInterval(count, unit.startsWith('min'), { hours, days: days.fields })
}

/** The field of the hours. Minutes end before the last hour; runs on the hour include it. */
function readHours([from, fromHalf, to, toHalf]: readonly (string | undefined)[], isMinutes: boolean): string | undefined {
  const half = fromHalf ?? (toHalf === 'pm' && Number(from) > Number(to) ? 'am' : toHalf)
  const [start, end] = [hourOf(from, half), hourOf(to, toHalf)]
  const last = end === undefined ? undefined : isMinutes ? (end + 23) % 24 : end
  if (start === undefined || last === undefined || start === end) return undefined
  return start <= last ? `${start}-${last}` : `${start}-23,0-${last}`
}

function hourOf(text: string | undefined, half: string | undefined): number | undefined {
  const value = Number(text)
  if (half === undefined) return value <= 24 ? value % 24 : undefined
  return value >= 1 && value <= 12 ? (value % 12) + (half === 'pm' ? 12 : 0) : undefined
}

type IntervalFields = { readonly hours: string; readonly days: string }

function writeInterval(count: number, isMinutes: boolean, { hours, days }: IntervalFields): ReadSchedule | undefined {
  const size = isMinutes ? 60 : 24
  if (count > 1 && size % count !== 0)
    return {
      fault: `Cron cannot run every ${count} ${isMinutes ? 'minutes' : 'hours'}, because it starts again each ${isMinutes ? 'hour' : 'day'}. Choose a number that divides ${size}.`,
    }
  if (isMinutes) return { cron: `${count === 60 ? '0' : count === 1 ? '*' : `*/${count}`} ${hours} ${days}` }
  if (count === 24) return hours === '*' ? { cron: `0 0 ${days}` } : undefined
  // A step through the night would start again at midnight.
  if (count > 1 && hours.includes(',')) return undefined
  return { cron: `0 ${count === 1 ? hours : `${hours}/${count}`} ${days}` }
}

/** Day of the month, month and weekday. `hasClock`: the words mean midnight if no time is named. */
function readDays(phrase: string): { readonly fields: string; readonly hasClock: boolean } | undefined {
  const text = phrase
    .replace(/\b(?:only|once|a|the|,|run|runs|running)\b|,/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (/^(?:every ?day|daily|each day|every night|nightly|every morning|every evening|all days|days? per day|day)$/.test(text))
    return { fields: '* * *', hasClock: false }
  if (/^(?:on )?(?:every |each )?(?:weekdays?|working days?|work days?|business days?|workdays?)$/.test(text))
    return { fields: '* * 1-5', hasClock: false }
  if (/^(?:on )?(?:every |each )?weekends?$/.test(text)) return { fields: '* * 0,6', hasClock: false }
  if (/^(?:monthly|every month|each month)$/.test(text)) return { fields: '1 * *', hasClock: false }
  const reversed = /^(?:every|each) month (?:on )?(\d{1,2}(?:st|nd|rd|th)?|[a-z]+)(?: day)?$/.exec(text)?.[1]
  if (reversed !== undefined && dayOfMonth(reversed) !== undefined) return { fields: `${dayOfMonth(reversed)} * *`, hasClock: false }
  const month =
    /^(?:on )?(?:every |each )?(\d{1,2}(?:st|nd|rd|th)?|[a-z]+)(?: and (\d{1,2}(?:st|nd|rd|th)?|[a-z]+))?(?: day)? (?:of )?(?:every|each|month|monthly)(?: month)?$/.exec(
      text,
    )
  if (month) {
    const days = [month[1], month[2]].flatMap((one) => (one === undefined ? [] : [dayOfMonth(one)]))
    return days.every((day) => day !== undefined && day >= 1 && day <= 31) && !dayNames.some((name) => text.includes(name))
      ? { fields: `${days.join(',')} * *`, hasClock: false }
      : undefined
  }
  const year =
    /^(?:on )?(?:every |each )?(?:year |yearly |annually )?(?:on )?(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)|([a-z]+) (\d{1,2})(?:st|nd|rd|th)?)(?: (?:every|each) year)?$/.exec(
      text,
    )
  const at = monthList.indexOf(year?.[2] ?? year?.[3] ?? '')
  if (year && at >= 0 && /year|annual|every|each/.test(text))
    return { fields: `${Number(year[1] ?? year[4])} ${at + 1} *`, hasClock: false }
  return readWeekdays(text)
}

const dayOfMonth = (word: string): number | undefined => (/^\d/.test(word) ? Number.parseInt(word, 10) : ordinals[word])

/** `every Monday and Thursday`, `Monday to Friday`, `on Sundays`. */
function readWeekdays(text: string): { readonly fields: string; readonly hasClock: boolean } | undefined {
  const words = text
    .replace(/\b(?:on|every|each|week|weekly|and|of)\b/g, ' ')
    .replace(/&/g, ' ')
    .trim()
    .split(/\s+/)
  const indexOf = (word: string): number =>
    dayNames.findIndex(
      (name) => word === name || word === `${name}s` || (word.length >= 3 && word.length <= 5 && name.startsWith(word.replace(/s$/, ''))),
    )
  const range = /^([a-z]+) ?(?:to|through|until|till|thru|-|–) ?([a-z]+)$/.exec(words.join(' ').replace(/^from /, ''))
  if (range) {
    const [first, last] = [indexOf(range[1] ?? ''), indexOf(range[2] ?? '')]
    if (first < 0 || last < 0) return undefined
    return first <= last
      ? { fields: `* * ${first}-${last}`, hasClock: false }
      : last === 0
        ? { fields: `* * ${first}-7`, hasClock: false }
        : undefined
  }
  const days = words.map(indexOf)
  if (days.length === 0 || days.some((day) => day < 0)) return undefined
  return { fields: `* * ${[...new Set(days)].toSorted((a, b) => a - b).join(',')}`, hasClock: false }
}
