/// <reference lib="esnext.temporal" />
import { describe, expect, it } from 'vitest'
import { answerDates, datesTool } from '../../../../../agents/builtin/tools/numbers/dates-tool.ts'
import { askDates, askedOn } from './ask-dates.ts'
import { askTool, toolGoal } from './ask-tool.ts'

const fromMarch = 'from 3 March 2027 to 1 April 2027'
const isToday = 'Today is 2026-11-27 (UTC).'

describe('number.dates', () => {
  it.each([
    ['How many days between 2027-03-03 and 2027-04-01?', `29 days ${fromMarch} (4 weeks and 1 day; the first day is not counted).`],
    [
      'How many days are there between 3 March 2027 and 1 April 2027?',
      `29 days ${fromMarch} (4 weeks and 1 day; the first day is not counted).`,
    ],
    ['days from March 3, 2027 to April 1, 2027', `29 days ${fromMarch} (4 weeks and 1 day; the first day is not counted).`],
    ['How many weeks from 3 March 2027 to 1 April 2027?', `4 weeks and 1 day ${fromMarch} (29 days; the first day is not counted).`],
    [
      'how many days is it from 3 march 2027 to 1 april 2027, inclusive?',
      `30 days ${fromMarch} (4 weeks and 2 days; both days are counted).`,
    ],
    ['difference between 2027-03-03 and 2027-04-01 in hours', `696 hours ${fromMarch} (29 days; the first day is not counted).`],
    [
      'How many months between 15 January 2026 and 20 March 2027?',
      '14 months and 5 days from 15 January 2026 to 20 March 2027 (429 days; the first day is not counted).',
    ],
    [
      'How many days until Christmas?',
      `28 days from 27 November 2026 to 25 December 2026 (4 weeks; the first day is not counted). ${isToday}`,
    ],
    [
      'How many days since 1 January 2026',
      `330 days from 1 January 2026 to 27 November 2026 (47 weeks and 1 day; the first day is not counted). ${isToday}`,
    ],
    [
      'How many working days from 1 to 31 December 2026?',
      '23 working days from 1 December 2026 to 31 December 2026 (Monday to Friday, both days counted; public holidays are not subtracted).',
    ],
    [
      'working days from December 1-24, 2026',
      '18 working days from 1 December 2026 to 24 December 2026 (Monday to Friday, both days counted; public holidays are not subtracted).',
    ],
    [
      'How many working days are there in February 2027?',
      '20 working days from 1 February 2027 to 28 February 2027 (Monday to Friday, both days counted; public holidays are not subtracted).',
    ],
    ['How many days between 3 and 10 March 2027?', '7 days from 3 March 2027 to 10 March 2027 (1 week; the first day is not counted).'],
    [
      'How many days between January 15 and 20 March 2027?',
      '64 days from 15 January 2027 to 20 March 2027 (9 weeks and 1 day; the first day is not counted). Today is 2026-11-27 (UTC).',
    ],
    [
      'How many days from 20 December to 5 January 2027?',
      `16 days from 20 December 2026 to 5 January 2027 (2 weeks and 2 days; the first day is not counted). ${isToday}`,
    ],
  ])('counts: %s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it.each([
    ['What date is 90 days after 3 March 2027?', 'Tuesday, 1 June 2027 (3 March 2027 + 90 days).'],
    ['What is the date 6 weeks before March 3, 2027?', 'Wednesday, 20 January 2027 (3 March 2027 − 6 weeks).'],
    ['Add 2 weeks and 3 days to 2027-03-03', 'Saturday, 20 March 2027 (3 March 2027 + 2 weeks and 3 days).'],
    ['31 January 2027 plus one month', 'Sunday, 28 February 2027 (31 January 2027 + one month).'],
    [
      '3 March 2027 plus 10 working days',
      'Wednesday, 17 March 2027 (3 March 2027 + 10 working days, counting Monday to Friday only; public holidays are not considered).',
    ],
    ['If I start on 3 March 2027, what date is 90 days later?', 'Tuesday, 1 June 2027 (3 March 2027 + 90 days).'],
    ['What date will it be in 100 days?', `Sunday, 7 March 2027 (27 November 2026 + 100 days). ${isToday}`],
    ['what was the date 30 days ago', `Wednesday, 28 October 2026 (27 November 2026 − 30 days). ${isToday}`],
    ['Please tell me the date 2 weeks after next Friday.', `Friday, 18 December 2026 (4 December 2026 + 2 weeks). ${isToday}`],
    ['The contract starts on 1 May 2027. What date is 18 months after 1 May 2027?', 'Wednesday, 1 November 2028 (1 May 2027 + 18 months).'],
  ])('moves: %s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it.each([
    ['What day of the week is 3 March 2027?', '3 March 2027 is a Wednesday.'],
    ['Which weekday was 4 July 1776?', '4 July 1776 was a Thursday.'],
    ['On what day did 9 November 1989 fall?', '9 November 1989 was a Thursday.'],
    ['Is 2027-03-06 a weekend?', 'Yes: 6 March 2027 is a Saturday.'],
    ['Is 3 March 2027 a Tuesday?', 'No: 3 March 2027 is a Wednesday.'],
    ['What week number is 3 March 2027?', '3 March 2027 is in ISO week 9 of 2027.'],
    ['Is 2028 a leap year?', 'Yes: 2028 has 366 days.'],
    ['How many days are in February 2027?', 'February 2027 has 28 days.'],
    ['When is Easter 2027?', 'Sunday, 28 March 2027 (2027-03-28).'],
    ['I was born on 3 March 1990. How old am I?', `36 years old today: 36 years, 8 months and 24 days since 3 March 1990. ${isToday}`],
  ])('names: %s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it.each([
    ['How many working days are between 1 March 2027 and 30 March 2027?', '22 working days'],
    ['business days from 2027-03-01 to 2027-03-30', '22 working days'],
    ['How many days between 1 March 2027 and 30 March 2027 excluding weekends?', '22 working days'],
    ['how many Fridays are there between 1 March 2027 and 30 March 2027', '4 Fridays'],
    ['how many working days from 2027-03-06 to 2027-03-07', '0 working days'],
    ['how many working days from 2027-03-05 to 2027-03-08', '2 working days'],
  ])('counts weekdays: %s', (goal, count) => {
    expect(askDates(goal).startsWith(`${count} from `)).toBe(true)
  })

  it.each([
    ['how many days are left till 24.12.2026 if today is 28.11.2026', '26 days from 28 November 2026 to 24 December 2026'],
    ['How many days till 24.12.2026? Today is 28.11.2026.', '26 days from 28 November 2026 to 24 December 2026'],
    ['today is 5 March 2027, how many weeks until 1 June 2027?', '12 weeks and 4 days from 5 March 2027 to 1 June 2027'],
    ["how many days until my birthday on 9 May if today's 1 March 2027", '69 days from 1 March 2027 to 9 May 2027'],
    ['my passport expires 10 June 2027, how many days left if today is 1 May 2027?', '40 days from 1 May 2027 to 10 June 2027'],
  ])('takes today from the client: %s', (goal, start) => {
    expect(askDates(goal).startsWith(start)).toBe(true)
    expect(askDates(goal)).not.toContain('Today is')
  })

  it.each([
    [
      'We agreed payment within 10 working days from 3 December 2026. When is the last day?',
      'Thursday, 17 December 2026 (3 December 2026 +',
    ],
    ['Delivery is due 15 working days after 1 March 2027, what date is that?', 'Monday, 22 March 2027 (1 March 2027 +'],
    ['deadline is within 30 days of 15.01.2027, when is the last day?', 'Sunday, 14 February 2027 (15 January 2027 +'],
    ['Invoice dated 12 November 2026, payment terms 30 days. When is it due?', 'Saturday, 12 December 2026 (12 November 2026 +'],
    ["We have 14 days to return it, bought on 20 December 2026. What's the last day?", 'Sunday, 3 January 2027 (20 December 2026 +'],
    ['The slides must be ready 2 weeks before 1 June 2027. What is the deadline?', 'Tuesday, 18 May 2027 (1 June 2027 −'],
    ['next working day after 24 December 2026', 'Friday, 25 December 2026 (24 December 2026 +'],
    ['5 business days before 2 January 2027', 'Monday, 28 December 2026 (2 January 2027 −'],
  ])('reads a deadline: %s', (goal, start) => {
    expect(askDates(goal).startsWith(start)).toBe(true)
  })

  it.each([
    ['unix timestamp 1764288000 to date', '1764288000 is Friday, 28 November 2025, 00:00:00 UTC.'],
    ['what date is unix timestamp 1700000000000', '1700000000000 is Tuesday, 14 November 2023, 22:13:20.000 UTC (read as milliseconds).'],
    ['Unix timestamp for 14 July 2027 12:00 UTC', '14 July 2027, 12:00:00 UTC is the Unix timestamp 1815566400.'],
    ['what timestamp is 2026-11-28T08:30:00Z', '28 November 2026, 08:30:00 UTC is the Unix timestamp 1795854600.'],
    ['What dates does ISO week 12 of 2027 cover?', 'ISO week 12 of 2027 is from Monday, 22 March 2027 to Sunday, 28 March 2027.'],
    ['when does week 1 of 2027 start?', 'ISO week 1 of 2027 is from Monday, 4 January 2027 to Sunday, 10 January 2027.'],
    ['how many iso weeks does 2026 have', '2026 has 53 ISO weeks.'],
    ['dates of calendar week 53 2027', 'refused: 2027 has only 52 ISO weeks. Name a week from 1 to 52.'],
    ['Is 17 April 2027 a working day?', 'No: 17 April 2027 is a Saturday.'],
    [
      'Born 12 March 1985, how old on 1 January 2030?',
      '44 years old on 1 January 2030: 44 years, 9 months and 20 days since 12 March 1985.',
    ],
    [
      'how many days between 1 Jan 2026 and 1 March 2026 and what weekday is 1 March 2026?',
      '59 days from 1 January 2026 to 1 March 2026 (8 weeks and 3 days; the first day is not counted). 1 March 2026 was a Sunday.',
    ],
  ])('timestamps, weeks and several questions: %s', async (goal, answer) => {
    const shown = answer.startsWith('refused') ? await askTool(datesTool, goal) : askDates(goal)
    expect(shown).toBe(answer)
  })

  it('asks for the order of a date with two meanings, and reads the answer', () => {
    const goal = 'How many days between 03/04/2027 and 05/06/2027?'
    expect(askDates(goal)).toBe('asks: Does 03/04/2027 have the day or the month first? Answer “day first” or “month first”.')
    expect(askDates(`${goal}\nday first`)).toMatch(/^63 days from 3 April 2027 to 5 June 2027/)
    expect(askDates(`${goal}\nMonth first.`)).toMatch(/^63 days from 4 March 2027 to 6 May 2027|^\d+ days from 4 March 2027/)
    expect(askDates('How many days between 3.3.2027 and 25.12.2027?')).toMatch(/^297 days from 3 March 2027 to 25 December 2027/)
  })

  it('agrees with a day-by-day count', () => {
    let day = Temporal.PlainDate.from('2027-01-01')
    for (let working = 0, n = 0; n < 400; n++, day = day.add({ days: 1 })) {
      if (day.dayOfWeek <= 5) working++
      expect(answerDates(`working days from 2027-01-01 to ${day}`, askedOn)[0]).toContain(`${working} working day`)
    }
  })

  it('takes today from the clock, in UTC', async () => {
    expect(await askTool(datesTool, "What is today's date?")).toContain(new Date().toISOString().slice(0, 10))
  })

  it('refuses a query that is no question about dates', () => {
    const inputs = [{ port: 'query', type: 'query.date_question', data: { question: 'the best day of my life' } }]
    expect(() => datesTool.run({ inputs })).toThrow(/I cannot read “the best day of my life” as a question about dates/)
  })

  it.each([
    'plan my March',
    '10 working days from 3 December 2026 with Christmas off',
    'Payment within 30 days of 3 December 2026 to the end of the month. When is the last day?',
    'The course of 3 weeks ends on 1 June 2027. When does it start?',
    'Unix timestamp for 14 July 2027 12:00 in Vienna',
    'Unix timestamp 1764288000 to date in New York time',
    'The trip starts on 3 May 2027 and costs 900. Write a plan with the last day.',
    'We met on 3 May 2024. How many days until 1 June 2027?',
    'What happened on 3 March 2027?',
    'Write an article about 4 July 1776',
    'schedule a meeting 3 days from now',
    'remind me in 3 days',
    'Summarise what happened between 2020 and 2024',
    'How many days of rain were there in March 2027?',
    'How many orders were placed between 2024-01-01 and 2024-02-01?',
    'Book a hotel from 3 March 2027 to 10 March 2027',
    'What date is 30 February 2027 plus 3 days',
    'Wie viele Tage sind es vom 3.3.2027 bis 1.4.2027?',
    'Combien de jours entre le 3 mars 2027 et le 1 avril 2027 ?',
  ])('does not take %s', (goal) => {
    expect(askDates(goal)).toBe('not taken')
  })

  it('takes time that is linear in the goal', () => {
    const before = performance.now()
    datesTool.readGoal(toolGoal('what date is it in 3 days '.repeat(150)))
    datesTool.readGoal(toolGoal(`what date ${'is the day of '.repeat(20)}the week of 3 March 2027 maybe`))
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})
