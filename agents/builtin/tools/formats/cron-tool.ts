/// <reference lib="esnext.temporal" />
/** `format.cron`: explains cron expressions, lists their next times, and writes a schedule as one. */
import cronstrue from 'cronstrue'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { findDates } from '../numbers/find-dates.ts'
import { isEnglish } from '../numbers/is-english.ts'
import { trimPoliteness } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { formatResponse, formatResultType } from './format-tool-ports.ts'
import { type CronSchedule, nextTimes, parseCron } from './parse-cron.ts'
import { parseEnglishSchedule } from './parse-english-schedule.ts'
import { type Lexicon, readWordRoles } from './read-word-roles.ts'

const type = 'query.cron'
const maxTimes = 20

const skill: ToolSkill = {
  id: 'format.cron',
  name: 'Explain or write a cron expression',
  description:
    'Explains a cron expression of five fields in English, lists the next times at which it runs after a stated date, and writes a schedule such as “every weekday at 9am” as a cron expression.',
  inputs: [
    {
      name: 'query',
      type,
      description: 'The expression.',
      optional: false,
      schema: {
        type: 'object',
        required: ['cron'],
        properties: {
          cron: { type: 'string', maxLength: 200, description: 'Such as `0 9 * * 1-5`.' },
          schedule: { type: 'string', maxLength: 200, description: 'The words that it was written from.' },
          after: { type: 'string', maxLength: 20, description: 'Lists the next times after it, such as `2027-01-31T08:00`.' },
          count: { type: 'integer', minimum: 1, maximum: maxTimes, default: 5 },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: formatResultType, description: 'The meaning, and the next times.', optional: false }],
  price: '100000',
  tags: ['cron', 'crontab', 'schedule', 'cron expression', 'next run'],
  samples: [{ title: 'Weekdays', input: { cron: '0 9 * * 1-5' }, output: '0 9 * * 1-5: At 09:00, Monday through Friday.' }],
}

type Role = 'cron' | 'explain' | 'next' | 'number' | 'from'
const lexicon: Lexicon<Role> = {
  cron: 'list cron crontab cronjob cron-job expression schedule job jobs syntax line entry string',
  explain:
    'mean means explain describe translate english decode read human readable words plain say valid check parse understand meaning interpret exactly often expressed how',
  next: 'next when run runs running execute executes fire fires times time upcoming trigger triggers triggered executed executions dates date',
  number: '1 2 3 4 5 6 7 8 9 10 15 20 two three four five ten',
  from: 'after from starting start since begin beginning s',
}
const counts: { readonly [word: string]: number } = { two: 2, three: 3, four: 4, five: 5, ten: 10 }

const name = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)'
const field = `(?:[*?\\d]|${name})(?:[\\d*/,-]|${name}){0,40}`
const expression = new RegExp(
  `(?<![\\w*/])(?:${field}[^\\S\\n]+){4,6}${field}(?![\\w*/])|@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)\\b`,
  'i',
)

function readGoal(goal: ToolGoal): ToolReading {
  if (goal.files.length > 0 || goal.text.length > 500 || !isEnglish(goal.text)) return undefined
  const text = goal.text.replace(/["“”`«»]|(?<!\w)'|'(?!\w)/g, ' ')
  const found = expression.exec(text)
  return found
    ? readExpression(found[0], `${text.slice(0, found.index)} ; ${text.slice(found.index + found[0].length)}`)
    : readRequest(text)
}

function readExpression(cron: string, rest: string): ReturnType<Tool['readGoal']> {
  const stated = readMoment(rest)
  const roles = stated && readWordRoles(stated.words, lexicon)
  // Five numbers alone are no schedule.
  if (!roles || (!roles.some(({ role }) => role === 'cron' || role === 'explain' || role === 'next') && !/[*@]/.test(cron)))
    return undefined
  if (!/[*@/]/.test(cron) && !roles.some(({ role }) => role === 'cron')) return undefined
  const schedule = parseCron(cron)
  if (typeof schedule === 'string') return { confidence: 0.9, question: `${schedule} Please correct it.` }
  const number = roles.find(({ role }) => role === 'number')?.word
  const isNext = roles.some(({ word }) => /^(?:next|upcoming|times|dates)$/.test(word))
  if (number !== undefined && !isNext) return undefined
  if (isNext && stated.moment === undefined)
    return { confidence: 0.9, question: 'From which date and time do the next runs count? Write it such as 2027-01-31 08:00.' }
  const count =
    number === undefined
      ? roles.some(({ word }) => /^(?:times|dates|runs|executions)$/.test(word)) || !isNext
        ? 5
        : 1
      : (counts[number] ?? Number(number))
  const query = { cron: schedule.text, ...(stated.moment && { after: stated.moment.toString({ smallestUnit: 'minute' }), count }) }
  return { confidence: 0.93, query, summary: `I explain the cron expression ${schedule.text}.` }
}

/** The only moment of the words, and the words without it. Undefined: the date is incomplete or ambiguous. */
function readMoment(rest: string): { readonly words: string; readonly moment?: Temporal.PlainDateTime } | undefined {
  const time = /(?:\bat\s+)?(?<=^|[\sT])(\d{1,2}):(\d{2})(?!\d|:)/i.exec(rest)
  const plain = time ? `${rest.slice(0, time.index)} ${rest.slice(time.index + time[0].length)}` : rest
  const words = plain.replace(/(?<=\d)T\s/, ' ')
  const found = findDates(words, { today: new Temporal.PlainDate(2000, 1, 1), order: undefined })
  const [date] = found?.dates ?? []
  if (!found || !date) return time ? undefined : { words: rest }
  if (found.dates.length > 1 || !date.hasYear || date.isRelative || date.isAmbiguous) return undefined
  const [hour, minute] = time ? [Number(time[1]), Number(time[2])] : [0, 0]
  if (hour > 23 || minute > 59) return undefined
  // Without a time, the day itself counts as a whole.
  const start = date.day.toPlainDateTime({ hour, minute })
  return { words: found.text.replace(/§0/g, ' '), moment: time ? start : start.subtract({ minutes: 1 }) }
}

const requested =
  /^(?:(?:what is|whats|what's|what would be|give me|i need|i want|i'd like|write|write me|make|create|generate|get me|need|show me|convert to|how do i write)\s+)?(?:an? |the |me |my )*(?:cron ?tab|cron|cron ?job)(?: (?:expression|schedule|syntax|entry|string|line|job|format|pattern))*(?: (?:for|to run|that runs|which runs|running|to execute|that fires|that triggers|meaning|of))*(?: (?:something|a job|a script|a task|a backup|my script|it))?\s*:?\s+(.+)$/i
const requestedAfter =
  /^(?:(?:convert|write|express|put|turn|translate|what is|whats|how do i write|how would i write|run|i want to run)\s+)?(.+?)\s+(?:in|as|to|into|with) (?:an? |the )?(?:cron ?tab|cron|cron ?job)(?: (?:expression|schedule|syntax|entry|string|line|format|notation))?$/i

function readRequest(text: string): ToolReading {
  const request = trimPoliteness(text.replace(/\s+/g, ' '))
  const phrase = (requested.exec(request)?.[1] ?? requestedAfter.exec(request)?.[1])?.replace(
    /^(?:something |a job |a script |my script |it )?(?:that |which )?(?:should |to )?(?:runs? |executes? )?/i,
    '',
  )
  if (phrase === undefined) return undefined
  const schedule = parseEnglishSchedule(phrase)
  if (!schedule) return undefined
  if ('fault' in schedule) return { confidence: 0.9, question: schedule.fault }
  return { confidence: 0.93, query: { cron: schedule.cron, schedule: phrase }, summary: `I write “${phrase}” as a cron expression.` }
}

/** The English of an expression, with what people often get wrong. */
export function describeCron(schedule: CronSchedule): string {
  const english = cronstrue.toString(schedule.text, { use24HourTimeFormat: true })
  const either = schedule.isEither ? ' It runs on a day that meets either of the two conditions, not only where both hold.' : ''
  const [, hours = '', days = '', months = '', weekdays = ''] = schedule.text.split(' ')
  const daily = `${days}${months}${weekdays}` === '***' && !hours.startsWith('*') ? ', every day' : ''
  const restarts = /^\*\/\d/.test(days) || /^\*\/(?:5|7|8|9|1[01])$/.test(months) ? ' The count starts again with each month or year.' : ''
  const uneven = ['minutes', 'hours'].filter((_, index) => {
    const step = Number(/^\*\/(\d+)$/.exec(schedule.text.split(' ')[index] ?? '')?.[1] ?? 1)
    return (index === 0 ? 60 : 24) % step !== 0
  })
  const note =
    uneven.length > 0
      ? ` The interval of ${uneven.join(' and ')} is shorter at the end of each ${uneven.includes('minutes') ? 'hour' : 'day'}.`
      : ''
  return `${english}${daily}.${either}${restarts}${note}`
}

const weekdayFormat = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const writeTime = (time: Temporal.PlainDateTime): string =>
  `${weekdayFormat[time.dayOfWeek - 1] ?? ''}, ${time.toPlainDate().toString()} ${time.toPlainTime().toString({ smallestUnit: 'minute' })}`

function run(work: SkillRequest): SkillResponse {
  const { cron, schedule: phrase, after, count } = requireData(work, type)
  const schedule = typeof cron === 'string' ? parseCron(cron) : refuse('The query needs `cron`, such as `0 9 * * 1-5`.')
  if (typeof schedule === 'string') return refuse(schedule)
  const start = typeof after === 'string' ? momentOf(after) : undefined
  const number = typeof count === 'number' && Number.isInteger(count) ? count : 5
  if (number < 1 || number > maxTimes) return refuse(`I list 1 to ${maxTimes} times.`)
  const times = nextTimes(schedule, start ?? new Temporal.PlainDateTime(2000, 1, 1), start ? number : 1)
  const lead = typeof phrase === 'string' ? `“${phrase}” is the cron expression ${schedule.text}. It means: ` : `${schedule.text}: `
  const never = times.length === 0 ? ' It never runs, because no month that it names has such a day.' : ''
  const list =
    start && times.length > 0
      ? `\nThe next ${times.length === 1 ? 'time' : `${times.length} times`} (local time):\n${times.map((time) => `- ${writeTime(time)}`).join('\n')}`
      : ''
  return formatResponse('', { name: 'cron.txt', media_type: 'text/plain', text: `${lead}${describeCron(schedule)}${never}${list}\n` })
}

function momentOf(text: string): Temporal.PlainDateTime {
  try {
    return Temporal.PlainDateTime.from(text)
  } catch {
    return refuse(`${text} is no date and time. Write it such as 2027-01-31T08:00.`)
  }
}

export const cronTool: Tool = { skill, readGoal, run }
