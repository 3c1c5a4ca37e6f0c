import { describe, expect, it } from 'vitest'
import { askDates } from './ask-dates.ts'

describe('the local time at which a journey ends', () => {
  it.each([
    [
      'My flight leaves Lisbon at 14:35 on 12 March 2027 and takes 3 h 50 min. What is the local time in Berlin when I land?',
      'Arrival in Berlin (UTC+1) at 19:25 on 12 March 2027: 3 hours and 50 minutes after 14:35 on 12 March 2027 in Lisbon (UTC).',
    ],
    [
      'I leave New York at 6:15 pm on 3 May 2027 and the flight to London takes 7 hours. When do I land?',
      'Arrival in London (UTC+1) at 06:15 on 4 May 2027: 7 hours after 18:15 on 3 May 2027 in New York (UTC−4).',
    ],
  ])('%s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it.each([
    'My flight leaves Lisbon at 14:35 and takes 3 h 50 min. What is the local time in Berlin when I land?',
    'My flight leaves Lisbon at 14:35 on 12 March 2027 and takes 3 h 50 min with a stop of 2 hours in Paris. When do I land in Berlin?',
    'My flight leaves Lisbon at 14:35 on 12 March 2027 and takes 3 h 50 min. Who meets me in Berlin when I land?',
  ])('does not read: %s', (goal) => {
    expect(askDates(goal)).not.toContain('Arrival')
  })
})

describe('dates in another form', () => {
  it.each([
    ['Change these dates to DD.MM.YYYY: 2026-03-05, 2026-11-30', '2026-03-05 is 05.03.2026. 2026-11-30 is 30.11.2026.'],
    ['Convert 5 March 2026 to YYYY-MM-DD', '5 March 2026 is 2026-03-05.'],
    ['Write 2026-03-05 as MM/DD/YYYY', '2026-03-05 is 03/05/2026.'],
  ])('%s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it('asks whether the day comes first, because the given date may have another form', () => {
    expect(askDates('Convert 03/04/2026 to YYYY-MM-DD')).toContain('day or the month first?')
  })
})
