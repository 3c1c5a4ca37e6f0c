/** Candidates on dates that are written in full: days between two of them, what is after one, and weekdays. */

import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

const skillId = 'number.dates'
const months = 'January February March April May June July August September October November December'.split(' ')
const monthPattern = months.map((month) => `${month}|${month.slice(0, 3)}`).join('|')
const written = new RegExp(
  String.raw`(?<iso>\b\d{4}-\d{1,2}-\d{1,2}\b)|(?<numeric>\b\d{1,2}[./]\d{1,2}[./]\d{4}\b)|(?<day>\b\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${monthPattern})\b\.?,? (?<year>\d{4})\b|(?<month2>${monthPattern})\b\.? (?<day2>\d{1,2})(?:st|nd|rd|th)?,? (?<year2>\d{4})\b`,
  'gi',
)
const weekday =
  /week ?day|which day|what day|day of the week|wochentag|welcher tag|jour de la semaine|quel jour|dia de la semana|que dia|星期几|周几|礼拜几/u
const weekNumber =
  /calendar week|week number|number of the week|kalenderwoche|(?<!\p{L})kw(?!\p{L})|numero de (?:la )?semaine|quelle semaine|numero de (?:la )?semana|que semana|第几周/u
const span =
  /(\d{1,4})\s*(days?|tage?n?|jours?|días?|weeks?|wochen?|semaines?|semanas?|months?|monate?n?|mois|mes(?:es)?|years?|jahre?n?|ans?|años?|天|周|个月|月|年)(?![\p{L}])/giu
const workingDays =
  /(\d{1,4})\s*(?:(?:working|business|work|week)[ -]?days?|arbeitstagen?|werktagen?|jours? (?:ouvrés?|ouvrables?|de travail|travaillés?)|días? (?:laborables?|hábiles?|de trabajo)|个?工作日)/iu
/** Days that count are those from Monday to Friday. */
const onlyWeekdays =
  /(?:working|business|work) ?-?days?|arbeitstage?n?|werktage?n?|jours? (?:ouvr\p{L}*|de travail)|dias? (?:laborables?|habiles?)|工作日|(?:mon(?:day)?s?|mo(?:ntags?)?|lun(?:di|es)?) ?(?:to|through|bis|au|a|-|–) ?(?:fri(?:day)?s?|fr(?:eitags?)?|ven(?:dredi)?|vie(?:rnes)?)(?!\p{L})|weekends? (?:do(?:es)?n['’]?t|do not|does not|not) count|ohne wochenenden?|sans (?:les )?week-?ends?|sin fines de semana/u
/** The last of two days does not count. */
const isLastExcluded =
  /(?:not counting|excluding|without|not including)|nicht (?:mit)?gezahlt|nicht mit|ohne den|non compris|sans compter|exclu|sin contar|no incluido|不算|不含/u
/** The first day is one of them. */
const isFirstCounted =
  /(?:that|this|first|the same) (?:day|one) (?:counts|is counted|included|is|being)|first (?:one|day)|inclusive|including|counting|starting|start on|zählt mit|mitgezählt|erster?|ab dem|inklusive|einschließlich|beginn\p{L}*|compris|premier|inclus|à partir|commen[cç]\p{L}*|incluid[oa]|primer(?:o|a)?|a partir|empez\p{L}*|empiez\p{L}*|contando|第一天|从|包括|起/iu
const before = /\bbefore\b|\bago\b|\bvor\b|\bavant\b|\bantes\b|之前|以前/iu

type PlacedDate = { readonly name: string; readonly at: number }

export function suggestDateReadings({ request, english }: GoalParts): ReadingCandidate[] {
  const dates = [...english.matchAll(written)].flatMap((match): PlacedDate[] => {
    const name = readDate(match)
    return name === undefined ? [] : [{ name, at: match.index }]
  })
  const plain = foldCaseAndAccents(`${request}\n${english}`)
  const [first, second] = dates
  if (!first) return []
  const matchedWords = plainWords(
    `${plain.match(weekday)?.[0] ?? ''} ${plain.match(weekNumber)?.[0] ?? ''} ${request.match(/[\d./-]+/g)?.join(' ') ?? ''} ${dates.map(({ name }) => name).join(' ')} days date tage datum jours date días fecha between zwischen entre from bis until liegen`,
  )
  const extra = extraQuestions(english, dates)
  const write = (question: string): ReadingCandidate => ({ texts: [[question, ...extra].join(' ').trim()], skillId, matchedWords })
  if (second) return betweenQuestions(plain, [first, second]).map(write)
  const working = workingCandidates(request, first.name, matchedWords)
  if (working.length > 0) return working
  const found = shifts(request, plain, first.name, matchedWords)
  return [...found, ...(extra.length > 0 ? [write('')] : [])].slice(0, 3)
}

/** The days between two dates, the earlier one first. */
function betweenQuestions(plain: string, [first, second]: readonly [PlacedDate, PlacedDate]): string[] {
  const isBackwards = timeOf(first.name) > timeOf(second.name)
  const [from, to] = isBackwards ? [second.name, first.name] : [first.name, second.name]
  if (!onlyWeekdays.test(plain)) return [`How many days are there from ${from} to ${to}?`]
  const whole = `How many working days are there from ${from} to ${to}?`
  const day = new Date(timeOf(to) - 86_400_000)
  const before = nameDate(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()) ?? to
  return isLastExcluded.test(plain) ? [`How many working days are there from ${from} to ${before}?`, whole] : [whole]
}

const timeOf = (date: string): number => Date.parse(`${date} UTC`)

/** The weekday and the week of the date that stands nearest before the word, or of the next one. */
function extraQuestions(english: string, dates: readonly PlacedDate[]): string[] {
  const plain = foldCaseAndAccents(english)
  const near = (pattern: RegExp): string | undefined => {
    const at = plain.search(pattern)
    return at < 0 ? undefined : (dates.findLast((date) => date.at < at) ?? dates[0])?.name
  }
  const [week, day] = [near(weekNumber), near(weekday)]
  return [...(week === undefined ? [] : [`Which calendar week is ${week}?`]), ...(day === undefined ? [] : [`Which weekday is ${day}?`])]
}

/** Its year and month are no spans. */
const chineseDate = /\d{4}\s?年(?:\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?[日号])?)?/g

/** “30 days after”, also in working days where only those from Monday to Friday count. */
function shifts(request: string, plain: string, first: string, matchedWords: readonly string[]): ReadingCandidate[] {
  const isWorking = onlyWeekdays.test(plain)
  const asksWeekday = weekday.test(plain)
  return [...request.replace(chineseDate, ' ').matchAll(span)].flatMap(([whole, count = '', unit = '']) => {
    const side = before.test(request) ? 'before' : 'after'
    const name = `${isWorking && unitOf(unit) === 'day' ? 'working ' : ''}${unitOf(unit)}`
    const end = `${count} ${name}${count === '1' ? '' : 's'} ${side} ${first}`
    return {
      texts: [asksWeekday ? `Which date is ${end}, and which weekday is it?` : `Which date is ${end}?`],
      ...{ skillId, matchedWords: [...matchedWords, ...plainWords(whole), 'after', 'later', 'nach', 'après', 'después'] },
    }
  })
}

/** “23 working days, the first one is …”: the first day may count or not, and each way is one candidate. */
function workingCandidates(request: string, first: string, matchedWords: readonly string[]): ReadingCandidate[] {
  const { 0: whole, 1: digits } = workingDays.exec(request) ?? []
  const count = Number(digits)
  if (whole === undefined || count < 2) return []
  const side = before.test(request) ? 'before' : 'after'
  const write = (days: number): ReadingCandidate => ({
    texts: [`What date is ${days} working day${days === 1 ? '' : 's'} ${side} ${first}?`],
    ...{
      skillId,
      matchedWords: [...matchedWords, ...plainWords(whole), ...plainWords(isFirstCounted.exec(request)?.[0] ?? ''), ...workWords],
    },
  })
  // On a weekend, no working day is the first one.
  if (side === 'before' || isWeekend(first)) return [write(count)]
  return isFirstCounted.test(request) ? [write(count - 1), write(count)] : [write(count), write(count - 1)]
}
const workWords = plainWords(
  'monday friday last first montag freitag letzter erster lundi vendredi dernier premier lunes viernes último primer must',
)

const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date} UTC`).getUTCDay())

function unitOf(word: string): string {
  if (/^(?:d|t|j|天)/iu.test(word)) return 'day'
  if (/^(?:w|sem|周)/iu.test(word)) return 'week'
  return /^(?:m|个月|月)/iu.test(word) ? 'month' : 'year'
}

/** `3 March 2025`. A date with two meanings is none. */
function readDate(match: RegExpMatchArray): string | undefined {
  const { iso, numeric, day, month, year, day2, month2, year2 } = match.groups ?? {}
  if (iso) {
    const [y = 0, m = 0, d = 0] = iso.split('-').map(Number)
    return nameDate(y, m, d)
  }
  if (numeric) {
    const [a = 0, b = 0, y = 0] = numeric.split(/[./]/).map(Number)
    return numeric.includes('.') || a > 12 ? nameDate(y, b, a) : b > 12 ? nameDate(y, a, b) : undefined
  }
  const name = (month ?? month2 ?? '').slice(0, 3).toLowerCase()
  return nameDate(Number(year ?? year2), months.findIndex((one) => one.slice(0, 3).toLowerCase() === name) + 1, Number(day ?? day2))
}

const nameDate = (year: number, month: number, day: number): string | undefined =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 ? `${day} ${months[month - 1]} ${year}` : undefined
