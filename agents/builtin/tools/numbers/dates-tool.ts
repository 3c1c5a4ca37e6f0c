/// <reference lib="esnext.temporal" />
/** `number.dates`: counts days between dates, moves dates, and names weekdays. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { quoteInline, trimPoliteness } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { answerDateQuestion } from './answer-date-question.ts'
import { answerTimeZoneQuestion } from './answer-time-zone-question.ts'
import { answerArrivalTime, readArrivalTime } from './arrival-time-question.ts'
import { asksForOtherWork, isRemark } from './asks-for-other-work.ts'
import { answerDateList, type DateListQuestion, readDateList } from './date-list-question.ts'
import { fillMissingYears } from './fill-missing-years.ts'
import { type DateContext, type DateOrder, type Day, findDates, findSpans } from './find-dates.ts'
import { answerFlightTime, type FlightTimeQuestion, readFlightTime } from './flight-time-question.ts'
import { isEnglish } from './is-english.ts'
import { type ReadDates, readDateQuestion } from './read-date-question.ts'
import { readDeadlineQuestion } from './read-deadline-question.ts'
import { readStatedToday, type StatedToday } from './read-stated-today.ts'
import { type ClockQuestion, readTimeZoneQuestion } from './read-time-zone-question.ts'
import { splitSentences } from './split-sentences.ts'
import { answerWorkTime, readWorkTime } from './work-time-question.ts'

const skill: ToolSkill = {
  id: 'number.dates',
  name: 'Calculate with dates',
  description:
    'Days, weeks, months or working days between dates, a date plus or minus a span, weekdays, week numbers, ages, leap years, Unix timestamps and times in other time zones.',
  inputs: [
    {
      name: 'query',
      type: 'query.date_question',
      description: 'The question.',
      optional: false,
      schema: {
        type: 'object',
        required: ['question'],
        properties: {
          question: { type: 'string', minLength: 1, maxLength: 2_000, description: 'Such as `days between 2027-03-03 and 1 April 2027`.' },
        },
      },
    },
  ],
  outputs: [
    { name: 'result', type: 'date.result', description: 'The date or count with how it was computed, as Markdown.', optional: false },
  ],
  price: '100000',
  tags: [
    'date',
    'days',
    'calendar',
    'weekday',
    'working days',
    'weeks',
    'age',
    'deadline',
    'leap year',
    'unix timestamp',
    'week number',
    'time zone',
  ],
  samples: [
    {
      title: 'Days between',
      input: { question: 'days between 3 March 2027 and 1 April 2027' },
      output: '29 days from 3 March 2027 to 1 April 2027 (4 weeks and 1 day; the first day is not counted).',
    },
  ],
}

/** A leap year, so that 29 February is a date in it. */
const anyDay = (): Day => new Temporal.PlainDate(2024, 6, 15)

/** The order of dates in a request. The wanted form can differ from that of the given dates. */
function readOrderOfRequest(text: string): DateOrder | undefined {
  const list = readDateList(text, { today: anyDay(), order: undefined })
  return list?.kind === 'form' ? undefined : readOrder(text)
}

/** How the client states that dates such as 3/4/2027 are written. */
function readOrder(text: string): DateOrder | undefined {
  if (
    /\b(?:day first|day-first|dd[./-]mm|european (?:format|style|dates?)|british (?:format|style|dates?)|german (?:format|style|dates?)|day before month)\b/i.test(
      text,
    )
  )
    return 'day first'
  return /\b(?:month first|month-first|mm[./-]dd|american (?:format|style|dates?)|us (?:format|style|dates?)|month before day)\b/i.test(
    text,
  )
    ? 'month first'
    : undefined
}

type FoundQuestion = { readonly text: string; readonly read: ReadDates; readonly isWhole: boolean }

/** A clause with a number or a question of its own is not left out. */
const isSkippable = (clause: string): boolean => !/\d|\b(?:how|what|which|when)\b/i.test(clause) && !asksForOtherWork(clause)

/** The questions of a sentence: the whole, or its parts at `and`. */
function findQuestions(sentence: string, before: string | undefined, context: DateContext): readonly FoundQuestion[] {
  const one = findQuestion(sentence, before, context)
  if (one) return [one]
  const parts = sentence.split(/(?:,| and|, and|;) (?=what|how|which|when|is )/i)
  const each = parts.map((part) => findQuestion(part, undefined, context))
  return parts.length > 1 && parts.length <= 5
    ? each.flatMap((found) => (found?.isWhole ? [found] : [])).filter((_, __, all) => all.length === parts.length)
    : []
}

/** The question of a sentence, of it and the one before, or of its last clause. */
function findQuestion(sentence: string, before: string | undefined, context: DateContext): FoundQuestion | undefined {
  const whole = readDateQuestion(sentence, context)
  if (whole) return { text: sentence, read: whole, isWhole: true }
  const joined = before === undefined ? '' : `${before.replace(/(?<![.?!])[.?!]+$/, '')}, ${sentence}`
  const both = joined === '' ? undefined : readDateQuestion(joined, context)
  if (both) return { text: joined, read: both, isWhole: true }
  const marker = /\b(?:how many|how long|how old|what|which|when|on what|add|subtract|count)\b/gi
  const starts = [...sentence.matchAll(marker)].map((match) => match.index).filter((at) => at > 0)
  for (const start of starts.slice(0, 5)) {
    const read = isSkippable(sentence.slice(0, start)) ? readDateQuestion(sentence.slice(start), context) : undefined
    if (read) return { text: sentence.slice(start), read, isWhole: false }
  }
  return undefined
}

const orderAnswer =
  /^(?:it is |it's |they are |use )?(?:the )?(?:day|month)[ -](?:first|comes first|before (?:the )?(?:day|month))$|^(?:dd|mm)[./-]/i

function readGoal(goal: ToolGoal): ToolReading {
  // “EST” is a time here, and a French word elsewhere.
  if (!isEnglish(goal.text.replace(/\bEST\b/g, ' '))) return undefined
  const work = splitSentences(goal.text).map(trimPoliteness).join(', ')
  if (readWorkTime(work)) return toReading({ questions: [work], ambiguous: [], confidence: 0.95 }, undefined)
  const order = readOrderOfRequest(goal.text)
  const stated = readStatedToday(fillMissingYears(goal.text), { today: anyDay(), order })
  const context = { today: stated.today ?? anyDay(), order }
  const list = readDateList(withoutOrders(stated.rest), context)
  if (list) return readingOfList(list, stated)
  if (readFlight(stated.rest, context) ?? readArrivalTime(joinedSentences(stated.rest), context))
    return toReading({ questions: [joinedSentences(stated.rest)], ambiguous: [], confidence: 0.95 }, stated.today)
  if (readClock(stated.rest, context)) return toReading({ questions: [stated.rest.trim()], ambiguous: [], confidence: 0.95 }, stated.today)
  const read = readQuestions(stated.rest, context) ?? readStated(stated.rest, context)
  if (!read) return undefined
  const ambiguous = [...stated.ambiguous, ...read.ambiguous]
  if (ambiguous.length > 0) return { confidence: 0.8, question: orderQuestion(ambiguous[0] ?? '') }
  return toReading(read, stated.today)
}

function readingOfList(list: DateListQuestion, { rest, today }: StatedToday): ToolReading {
  const unclear = list.kind === 'iso' || list.kind === 'form' ? list.dates.find(({ isAmbiguous }) => isAmbiguous) : undefined
  return unclear
    ? { confidence: 0.9, question: orderQuestion(unclear.text) }
    : toReading({ questions: [trimPoliteness(withoutOrders(rest)), ...ordersIn(rest)], ambiguous: [], confidence: 0.95 }, today)
}

/** Sentences that only answer whether the day or the month is first. */
const ordersIn = (text: string): string[] =>
  splitSentences(text)
    .map(trimPoliteness)
    .filter((one) => orderAnswer.test(one))
const withoutOrders = (text: string): string =>
  splitSentences(text)
    .filter((one) => !orderAnswer.test(trimPoliteness(one)))
    .join('. ')

const orderQuestion = (date: string): string => `Does ${date} have the day or the month first? Answer “day first” or “month first”.`

function toReading({ questions, confidence }: ReadQuestions, today: Day | undefined): ToolReading {
  const question = [...questions, ...(today ? [`today is ${today}`] : [])].join('; ')
  return question.length > 2_000
    ? undefined
    : { confidence, query: { question }, summary: `I compute with dates: ${quoteInline(question)}.` }
}

/** A question for the time in another zone, from all sentences together: one may state the time that another asks about. */
function readClock(text: string, context: DateContext): ClockQuestion | undefined {
  return readTimeZoneQuestion(joinedSentences(text), context)
}

const joinedSentences = (text: string): string => splitSentences(text).map(trimPoliteness).join(', ')

/** A flight, whose times one sentence states and another asks about. */
const readFlight = (text: string, context: DateContext): FlightTimeQuestion | undefined => readFlightTime(joinedSentences(text), context)

type ReadQuestions = { readonly questions: readonly string[]; readonly ambiguous: readonly string[]; readonly confidence: number }

/** A deadline over several clauses. */
function readStated(text: string, context: DateContext): ReadQuestions | undefined {
  if (splitSentences(text).some(asksForOtherWork)) return undefined
  const deadline = readDeadlineQuestion(text, context)
  return deadline && { questions: [deadline.question], ambiguous: deadline.ambiguous, confidence: 0.9 }
}

function readQuestions(text: string, context: DateContext): ReadQuestions | undefined {
  const sentences = splitSentences(text)
  const found = sentences.map((sentence, index) => findQuestions(sentence, sentences[index - 1], context))
  const isElse = sentences.some((sentence, index) => found[index]?.length === 0 && !(isRemark(sentence) && sentence.length < 200))
  const questions = found.flat()
  if (questions.length === 0 || isElse || hasLooseDate(sentences, found, context)) return undefined
  const orders = sentences.filter((sentence) => orderAnswer.test(trimPoliteness(sentence)) || readOrder(sentence) !== undefined)
  return {
    questions: [...new Set([...questions.map((one) => trimPoliteness(one.text)), ...orders.map(trimPoliteness)])],
    ambiguous: questions.flatMap(({ read }) => read.ambiguous),
    confidence: questions.length >= sentences.length && questions.every(({ isWhole }) => isWhole) ? 0.95 : 0.85,
  }
}

/** True if a sentence that is no question names a date or a span that no question has. */
function hasLooseDate(sentences: readonly string[], found: readonly (readonly FoundQuestion[])[], context: DateContext): boolean {
  const asked = found
    .flat()
    .map(({ text }) => text)
    .join(' ')
  return sentences.some((sentence, index) => {
    if (found[index]?.length !== 0) return false
    const dates = findDates(sentence, context)
    return (
      !dates ||
      [...dates.dates.filter(({ isRelative }) => !isRelative), ...findSpans(dates.text).spans].some(({ text }) => !asked.includes(text))
    )
  })
}

/** @param today the date of the computation, in UTC */
export function answerDates(text: string, today: Day): readonly string[] {
  const work = readWorkTime(text)
  if (work) return [answerWorkTime(work)]
  const order = readOrderOfRequest(text)
  const stated = readStatedToday(text, { today, order })
  const context = { today: stated.today ?? today, order }
  const list = readDateList(withoutOrders(stated.rest), context)
  if (list) return [answerDateList(list, context.today)]
  const flight = readFlight(stated.rest, context)
  if (flight) return [answerFlightTime(flight)]
  const arrival = readArrivalTime(joinedSentences(stated.rest), context)
  if (arrival) return [answerArrivalTime(arrival)]
  const clock = readClock(stated.rest, context)
  if (clock) return [answerTimeZoneQuestion(clock, context.today)]
  const sentences = splitSentences(stated.rest).filter((sentence) => !orderAnswer.test(trimPoliteness(sentence)))
  return sentences.map((sentence) => {
    const read = findQuestion(sentence, undefined, context)?.read
    if (!read)
      return refuse(
        `I cannot read “${sentence.slice(0, 120)}” as a question about dates. Write such as “days between 2027-03-03 and 1 April 2027”.`,
      )
    if (read.ambiguous.length > 0)
      return refuse(`${read.ambiguous[0]} has two meanings. Write the month as a word, or add “day first” or “month first”.`)
    const note = read.usesToday && !stated.today ? ` Today is ${today.toString()} (UTC).` : ''
    return `${answerDateQuestion(read.question, context.today)}${note}`
  })
}

function run(work: SkillRequest): SkillResponse {
  const { question } = requireData(work, 'query.date_question')
  const text = typeof question === 'string' ? question : refuse('The query needs a `question`.')
  const lines = answerDates(text, Temporal.Now.plainDateISO('UTC'))
  const answer = lines.join(' ')
  const body = `# Dates\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\nComputed with the Gregorian calendar.\n`
  return {
    outputs: [{ name: 'result.md', media_type: 'text/markdown', artifact_type: 'date.result', text: body }],
    text: answer.length <= 400 ? answer : `${lines.length} answers are in the file. ${lines[0] ?? ''}`,
  }
}

export const datesTool: Tool = { skill, readGoal, run }
