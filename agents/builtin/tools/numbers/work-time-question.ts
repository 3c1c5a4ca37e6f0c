/** Reads the question how long something takes from one time of day to another, such as a working day with a break. */

/** Minutes since midnight, and the length of the break in minutes. */
export type WorkTimeQuestion = { readonly from: number; readonly to: number; readonly breakMinutes: number }

const maxText = 300
const time = /(?<![\d:.,/])(\d{1,2})(?:[:.h](\d{2}))?(?: ?(am|pm|a\.m\.|p\.m\.|uhr|o'?clock))?(?![\d:%/])|\b(noon|midday|midnight)\b/g
const span =
  /(?<![\d:.])(?:(\d{1,3})[ -]?(?:minutes?|mins?)|(an?|half an?|one|two|\d(?:\.5)?)[ -]?(?:hours?|hrs?|h))\b(?=[^.?!]{0,30}\b(?:break|lunch|pause|rest)\b)|(?<=\b(?:break|lunch|pause|rest)\b[^.?!\d]{0,12})(?:(\d{1,3})[ -]?(?:minutes?|mins?)|(an?|half an?|one|two|\d(?:\.5)?)[ -]?(?:hours?|hrs?|h))\b/
const fillers = new Set(
  (
    'how many much long hours hour time minutes is are was were did do does i we he she they it my the a an of from to until till and between at with without ' +
    'minus less including excluding after before break lunch pause rest work worked working works start started starts begin began begins end ended ends ' +
    'finish finished finishes stop stopped stops leave left arrive arrived shift in for total what if which then there have had took take takes total altogether ' +
    "calculate compute tell me please so day today yesterday unpaid paid that that's"
  ).split(' '),
)

/** Undefined unless the text asks for the time between two times of day, and all of its words are understood. */
export function readWorkTime(goal: string): WorkTimeQuestion | undefined {
  const text = goal.toLowerCase().replace(/[’‘]/g, "'").replace(/[–—]/g, '-')
  if (goal.length > maxText || !/\b(?:how (?:many|much|long)|hours|calculate|compute)\b/.test(text)) return undefined
  const pause = span.exec(text)
  const rest = pause ? `${text.slice(0, pause.index)} ${text.slice(pause.index + pause[0].length)}` : text
  const times = [...rest.matchAll(time)]
  const [first, second] = times.map(minuteOf)
  // Two numbers alone can be anything.
  const isClock = times.some(([, , minutes, half, word]) => minutes !== undefined || half !== undefined || word !== undefined)
  const isWork = /\bwork|\bshift\b|\bbreak\b|\blunch\b/.test(text)
  if (first === undefined || second === undefined || times.length !== 2 || !(isClock || isWork) || first === second) return undefined
  const words = rest.replace(time, ' ').match(/[\p{L}\p{N}']+/gu) ?? []
  if (words.some((word) => !fillers.has(word))) return undefined
  if (!pause && /\b(?:break|lunch|pause|rest)\b/.test(text)) return undefined
  const breakMinutes = pause ? minutesOf(pause[1] ?? pause[3], pause[2] ?? pause[4]) : 0
  return breakMinutes < lengthOf(first, second) ? { from: first, to: second, breakMinutes } : undefined
}

/** A later time that is before the first one is on the next day. */
export const lengthOf = (from: number, to: number): number => (to > from ? to - from : to - from + 24 * 60)

function minuteOf([, hours = '', minutes = '0', half, word]: RegExpMatchArray | readonly (string | undefined)[]): number | undefined {
  if (word !== undefined) return word === 'midnight' ? 0 : 12 * 60
  const isHalf = half?.startsWith('a') || half?.startsWith('p')
  const hour = Number(hours)
  if (Number(minutes) > 59 || hour > (isHalf ? 12 : 24) || (isHalf && hour < 1)) return undefined
  return (isHalf ? (hour % 12) + (half?.startsWith('p') ? 12 : 0) : hour % 24) * 60 + Number(minutes)
}

function minutesOf(minutes: string | undefined, hours: string | undefined): number {
  if (minutes !== undefined) return Number(minutes)
  const words: { readonly [word: string]: number } = { a: 1, an: 1, one: 1, two: 2, 'half a': 0.5, 'half an': 0.5 }
  return Math.round(60 * (words[hours ?? ''] ?? Number(hours)))
}

const two = (value: number): string => String(value).padStart(2, '0')
const clockOf = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`

/** `08:45 to 17:30 without 45 minutes of break is 8 hours.` */
export function answerWorkTime({ from, to, breakMinutes }: WorkTimeQuestion): string {
  const length = lengthOf(from, to) - breakMinutes
  const [hours, minutes] = [Math.floor(length / 60), length % 60]
  const parts = [
    ...(hours > 0 ? [`${hours} hour${hours === 1 ? '' : 's'}`] : []),
    ...(minutes > 0 ? [`${minutes} minute${minutes === 1 ? '' : 's'}`] : []),
  ]
  const next = to > from ? '' : ' on the next day'
  const without = breakMinutes > 0 ? ` without ${breakMinutes} minutes of break` : ''
  return `${clockOf(from)} to ${clockOf(to)}${next}${without} is ${parts.join(' and ')}.`
}
