/// <reference lib="esnext.temporal" />
import { describe, expect, it } from 'vitest'
import { answerDates } from '../../../../../agents/builtin/tools/numbers/dates-tool.ts'
import { askDates, askedOn } from './ask-dates.ts'

const tokyo = '15:00 on 27 November 2026 in Berlin (UTC+1) is 23:00 on 27 November 2026 in Tokyo (UTC+9).'

describe('the time in another zone', () => {
  it.each([
    ['What time is it in Tokyo when it is 15:00 in Berlin?', tokyo],
    ['If it is 3pm in Berlin, what time is it in Tokyo?', tokyo],
    ['convert 3 pm Berlin time to Tokyo time', tokyo],
    ['15:00 in Berlin is what time in Tokyo?', tokyo],
    ['In Berlin it is 15:00. What time is it in Tokyo?', tokyo],
    ['9:30 am New York to India', '09:30 on 27 November 2026 in New York (UTC−5) is 20:00 on 27 November 2026 in India (UTC+5:30).'],
    ['Convert 3:30pm EST to CET', '15:30 on 27 November 2026 in EST (UTC−5) is 21:30 on 27 November 2026 in CET (UTC+1).'],
    ['What is 10pm PST in London?', '22:00 on 27 November 2026 in PST (UTC−8) is 06:00 on 28 November 2026 in London (UTC).'],
    ['What time is 14:00 UTC in Sydney on 5 July 2027?', '14:00 on 5 July 2027 in UTC is 00:00 on 6 July 2027 in Sydney (UTC+10).'],
    [
      'Our call starts at 17:00 in Paris. What time is that in San Francisco and Singapore?',
      '17:00 on 27 November 2026 in Paris (UTC+1) is 08:00 on 27 November 2026 in San Francisco (UTC−8). 17:00 on 27 November 2026 in Paris (UTC+1) is 00:00 on 28 November 2026 in Singapore (UTC+8).',
    ],
    ['What is the time difference between Berlin and New York?', 'New York (UTC−5) is 6 hours behind Berlin (UTC+1) on 27 November 2026.'],
    ['how many hours ahead is Tokyo from London on 1 July 2027', 'London (UTC+1) is 8 hours behind Tokyo (UTC+9) on 1 July 2027.'],
  ])('%s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it('answers with the time now', () => {
    expect(askDates('What time is it in Tokyo now?')).toMatch(/^It is \d\d:\d\d on \d{1,2} \p{L}+ \d{4} in Tokyo \(UTC\+9\)\.$/u)
  })

  it('refuses a time that clocks skip', () => {
    expect(() => answerDates('what time is 02:30 in Berlin on 28 March 2027 in Tokyo', askedOn)).toThrow(/skip 02:30/)
  })

  it.each([
    'Meet Casey at 15:00 in Berlin',
    'Book a table in Tokyo at 15:00',
    'What time does the train to Berlin leave?',
    'What is the best time to visit Tokyo?',
    'The shop in Berlin opens at 9:00 and closes at 18:00. What time is that in Tokyo?',
    'What time is sunset in Tokyo?',
    '15:00 in Springfield is what time in Tokyo?',
    'What time is 3 in Berlin in Tokyo?',
    'What time is it?',
    'Berlin 15:00, in Tokyo?',
    'What time is 15:00 GMT+2 in Tokyo?',
    'What is 10 CST in London?',
    'How much is 15:00 in Berlin?',
  ])('leaves alone: %s', (goal) => {
    expect(askDates(goal)).toBe('not taken')
  })
})
