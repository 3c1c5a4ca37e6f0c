/** Candidates for a cron expression in the goal. */

import type { RequestedOperation } from '../find-requested-operations.ts'
import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { numberWordsToDigits } from './number-words-to-digits.ts'

const field = String.raw`(?:[\d*][\d*/,-]*|(?:sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[,-][a-z]{3})*|\?)`
const cron = new RegExp(String.raw`(?<![\d*/,.-])${field}(?: +${field}){4}(?![\d*/,-])`, 'i')
const words = plainWords(
  'cron crontab schedule job run runs running only first last month mondays monday tuesday wednesday thursday friday saturday sunday weekday weekdays day days week time often does mean when every' +
    ' läuft wann montag montags dienstags tag zeitplan quand lundi jours tâche cuándo lunes días tarea 什么时候 运行 周一',
)

export function suggestScheduleReadings(goal: GoalParts, operations: ReadonlyMap<RequestedOperation, string>): ReadingCandidate[] {
  const { request, material } = goal
  const found = cron.exec(request) ?? (material === undefined ? null : cron.exec(material))
  const isCron = found && (/[*]/.test(found[0]) || /cron/i.test(request))
  if (!isCron) return writtenSchedules(goal)
  const matchedWords = [...words, ...plainWords(found[0]), ...plainWords(operations.get('explain') ?? '')]
  return [{ texts: [`Explain the cron schedule ${found[0]}`], skillId: 'format.cron', matchedWords }]
}

const asksForCron = /\bcron\p{L}*/iu

/** “Monday to Friday at half past six” as a cron expression. */
function writtenSchedules(goal: GoalParts): ReadingCandidate[] {
  const plain = foldCaseAndAccents(numberWordsToDigits(goal.request))
  const time = readTime(plain)
  const days = readDays(plain)
  if (!asksForCron.test(plain) || time === undefined || days === undefined) return []
  const matchedWords = [
    ...words,
    ...plainWords(plain.match(dayWords)?.join(' ') ?? ''),
    'crontab',
    'cron',
    'line',
    'zeile',
    'ligne',
    'línea',
  ]
  return [{ texts: [`Write the cron schedule for ${days} at ${time}`], skillId: 'format.cron', matchedWords }]
}

const afternoon = /\bp\.?m\b|afternoon|evening|nachmittags?|abends?|du soir|apres-midi|de la tarde|de la noche/
const clock = /(?<![\d.:])([01]?\d|2[0-3])\s?(?:[:.h]|uhr)\s?([0-5]\d)(?!\d)/
const hour =
  /(?:at|um|gegen|a|a las|a la|vers)\s+([01]?\d|2[0-3])\s?(?:am\b|pm\b|a\.m\.|p\.m\.|uhr|h\b|heures?|o['’]?clock|horas?)|(?:at|a las|a la|um) ([01]?\d|2[0-3])(?![\d.:%])/

/** `6:30`. Undefined: no time is named, or two. */
function readTime(text: string): string | undefined {
  const half = /halb (\d{1,2})(?!\d)/.exec(text)?.[1]
  const past = /half past (\d{1,2})(?!\d)|(?:a las )?(\d{1,2}) y media|(\d{1,2}) heures? et demie/.exec(text)
  const isLate = afternoon.test(text)
  const write = (hours: number, minutes: string): string => `${isLate && hours < 12 ? hours + 12 : hours}:${minutes}`
  if (half !== undefined) return write((Number(half) + 11) % 12 || 12, '30')
  const later = past?.[1] ?? past?.[2] ?? past?.[3]
  if (later !== undefined) return write(Number(later), '30')
  const [exact, ...others] = [...text.matchAll(new RegExp(clock, 'g'))]
  if (others.length > 0) return undefined
  if (exact) return write(Number(exact[1]), exact[2] ?? '00')
  const full = hour.exec(text)
  const value = full?.[1] ?? full?.[2]
  return value === undefined ? undefined : write(Number(value), '00')
}

const dayNames: readonly (readonly [string, RegExp])[] = [
  ['Monday', /\bmondays?\b|\bmontags?\b|\blundis?\b|\blunes\b/],
  ['Tuesday', /\btuesdays?\b|\bdienstags?\b|\bmardis?\b|\bmartes\b/],
  ['Wednesday', /\bwednesdays?\b|\bmittwochs?\b|\bmercredis?\b|\bmiercoles\b/],
  ['Thursday', /\bthursdays?\b|\bdonnerstags?\b|\bjeudis?\b|\bjueves\b/],
  ['Friday', /\bfridays?\b|\bfreitags?\b|\bvendredis?\b|\bviernes\b/],
  ['Saturday', /\bsaturdays?\b|\bsamstags?\b|\bsonnabends?\b|\bsamedis?\b|\bsabados?\b/],
  ['Sunday', /\bsundays?\b|\bsonntags?\b|\bdimanches?\b|\bdomingos?\b/],
]
const dayWords = /\p{L}*(?:day|tag|di|es|woch)s?\b/gu
const workweek =
  /(?:monday|montag|lundi|lunes)s?\s?(?:to|through|bis|au|a|-|–)\s?(?:friday|freitag|vendredi|viernes)|weekdays?|work(?:ing)? ?days?|werktags?|wochentags|jours? (?:ouvr\p{L}*|de semaine)|dias? laborables?|entre semana/u
const everyDay =
  /every day|daily|each day|every (?:morning|night|evening)|jeden tag|taglich|jeden (?:morgen|abend)|tous les jours|chaque (?:jour|matin|soir)|todos los dias|cada dia|每天/

function readDays(text: string): string | undefined {
  if (workweek.test(text)) return 'every weekday'
  if (everyDay.test(text)) return 'every day'
  const named = dayNames.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
  return named.length === 1
    ? `every ${named[0]}`
    : named.length > 1
      ? `every ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
      : undefined
}
