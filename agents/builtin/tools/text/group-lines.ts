/** Counts lines by their level, time, first word or another part. */
import { findEntities } from './find-entities.ts'
import type { LineGroup, LineStep } from './line-steps.ts'
import { dayOf, lineLevels, logLevelOf, logTimeOf } from './log-level-and-log-time.ts'

export type LineGroups = {
  readonly groups: readonly (readonly [name: string, count: number])[]
  /** The number of lines that belong to no group. */
  readonly without: number
  readonly name: GroupName
}
type GroupName = { readonly noun: string; readonly needs: string; readonly isOrdered: boolean }

const names: { readonly [by in LineGroup]: GroupName } = {
  level: { noun: 'level', needs: 'a level such as ERROR', isOrdered: false },
  hour: { noun: 'hour', needs: 'a time such as 08:01', isOrdered: true },
  hour_of_day: { noun: 'hour of the day', needs: 'a time such as 08:01', isOrdered: true },
  day: { noun: 'day', needs: 'a date such as 2026-11-02', isOrdered: true },
  minute: { noun: 'minute', needs: 'a time such as 08:01', isOrdered: true },
  first_word: { noun: 'first word', needs: 'a word', isOrdered: false },
  line: { noun: 'content', needs: 'content', isOrdered: false },
  ip: { noun: 'IP address', needs: 'an IP address', isOrdered: false },
  message: { noun: 'message (with # for each number)', needs: 'a message', isOrdered: false },
  field: { noun: 'field', needs: 'that field', isOrdered: false },
}

export function groupLines(lines: readonly string[], { by, field }: Extract<LineStep, { do: 'count_by' }>): LineGroups {
  const keyOf = keyFunction(lines, by, field ?? '')
  const found = new Map<string, { name: string; count: number }>()
  let without = 0
  const filled = by === 'line' || by === 'first_word' || by === 'message' ? lines.filter((line) => line.trim() !== '') : lines
  for (const line of filled) {
    const name = keyOf(line)
    if (name === undefined || name === '') {
      without++
      continue
    }
    // Small and capital letters are one group, by its first spelling.
    const key = name.toLowerCase()
    const known = found.get(key)
    if (known) known.count++
    else found.set(key, { name, count: 1 })
  }
  const groups = [...found.values()].map(({ name, count }) => [name, count] as const)
  return { groups, without, name: by === 'field' ? { noun: field ?? '', needs: `the field ${field ?? ''}`, isOrdered: false } : names[by] }
}

const two = (n: number): string => String(n).padStart(2, '0')

function keyFunction(lines: readonly string[], by: LineGroup, field: string): (line: string) => string | undefined {
  const hasDays = new Set(lines.map((line) => logTimeOf(line)?.day)).size > 1
  const clock = (line: string, isMinute: boolean, withDay: boolean) => {
    const time = logTimeOf(line)
    if (!time) return undefined
    const hour = two(time.hour)
    return `${withDay && time.day ? `${time.day} ` : ''}${isMinute ? `${hour}:${two(time.minute)}` : `${hour}:00–${hour}:59`}`
  }
  switch (by) {
    case 'level':
      return logLevelOf
    case 'hour':
      return (line) => clock(line, false, hasDays)
    case 'hour_of_day':
      return (line) => clock(line, false, false)
    case 'minute':
      return (line) => clock(line, true, hasDays)
    case 'day':
      return dayOf
    case 'first_word':
      return (line) => /[\p{L}\p{N}][\p{L}\p{N}_'’.-]*/u.exec(line)?.[0]
    case 'ip':
      return (line) => findEntities(line, ['ip'])[0]?.text
    case 'message':
      return messageOf
    case 'field':
      return (line) => fieldOf(line, field)
    default:
      return (line) => line.trim()
  }
}

const levelWord = new RegExp(`^[\\s\\[(<]*(?:${lineLevels.join('|')}|WARNING|ERR)[\\])>:\\s]*`, 'i')

/** What a line says without its time and level. Numbers count as alike. */
const messageOf = (line: string): string =>
  line
    .replace(/^[[\s]*[\d:.,/+\-TZ]{4,40}(?: [\d:.,/+\-TZ]{2,40})?\]?\s+/, '')
    .replace(levelWord, '')
    .replace(/\d+/g, '#')
    .trim()

/** The value of `name=value`, `name: value` or `"name":"value"`. */
function fieldOf(line: string, field: string): string | undefined {
  const name = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${name}["']?(?:=|:\\s?)["']?([^\\s,;"'}\\])]{1,200})`, 'iu').exec(line)?.[1]
}
