/// <reference lib="esnext.temporal" />
/** Reads conversions between Unix timestamps and dates in UTC. */
import { type DateContext, type Day, findDates } from './find-dates.ts'

export type UnixQuestion =
  | { readonly kind: 'from unix'; readonly stamps: readonly { readonly text: string; readonly milliseconds: number }[] }
  | { readonly kind: 'to unix'; readonly day: Day; readonly seconds: number; readonly usesToday: boolean }

const names = /\b(?:unix|epoch|posix|time ?stamps?)\b/
const words = new Set(
  (
    "unix epoch posix timestamp timestamps time times stamp stamps to in as into date dates datetime human human-readable readable format convert converted what whats what's is are was the of for utc gmt please " +
    "which day and does do correspond corresponds mean means a an my this these that from represent represents give me show tell i need want know at on it its it's seconds second milliseconds ms s since epoch-time calendar " +
    'normal regular value number decode translate turn change get can you could would hi hello thanks thank equal equals how much be 00:00 midnight , . ? : ( ) = -> - =>'
  ).split(' '),
)

const isKnown = (text: string): boolean =>
  text
    .replace(/([,.?:()=]+)(?=\s|$)/g, ' $1 ')
    .split(/\s+/)
    .every((word) => word === '' || words.has(word) || /^[,.?:()=]+$/.test(word))

/** From 2001 to 2286, so that no other number is taken for a time. */
const stamp = /(?<![\d.,])(\d{9,10}|\d{13})(?![\d]|[.,]\d)/g
const clock = /(?:(?<=\d)t|\bat | )(\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:\.0+)?)?( ?am\b| ?pm\b)?(?: ?(?:z|utc|gmt)\b)?/

export function readUnixTimeQuestion(text: string, context: DateContext): UnixQuestion | undefined {
  if (!names.test(text) || text.length > 300) return undefined
  const found = [...text.matchAll(stamp)]
  if (found.length > 0) {
    const isRead = isKnown(text.replace(stamp, ' '))
    const stamps = found.map(([digits = '']) => ({ text: digits, milliseconds: Number(digits) * (digits.length === 13 ? 1 : 1_000) }))
    return isRead && stamps.length <= 20 ? { kind: 'from unix', stamps } : undefined
  }
  return readDateTime(text, context)
}

function readDateTime(text: string, context: DateContext): UnixQuestion | undefined {
  const dated = findDates(text.replace(/(\d{4}-\d{2}-\d{2})t(?=\d{2}:)/, '$1 '), context)
  const [date] = dated?.dates ?? []
  if (!dated || !date || dated.dates.length !== 1 || date.isAmbiguous || !(date.hasYear || date.isRelative)) return undefined
  let rest = dated.text.replace(/§0/, ' ')
  const match = clock.exec(rest)
  let seconds = 0
  if (match) {
    const [whole, hourText = '', minutes, secondText = '0', half] = match
    if (minutes === undefined && half === undefined) return undefined
    const isLate = half?.trim() === 'pm'
    const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (isLate ? 12 : 0)
    if (hour > 23 || Number(hourText) > (half === undefined ? 23 : 12) || Number(minutes ?? 0) > 59 || Number(secondText) > 59)
      return undefined
    seconds = hour * 3_600 + Number(minutes ?? 0) * 60 + Number(secondText)
    rest = rest.replace(whole, ' ')
  }
  return isKnown(rest) ? { kind: 'to unix', day: date.day, seconds, usesToday: date.isRelative } : undefined
}
