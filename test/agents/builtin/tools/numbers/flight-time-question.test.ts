import { describe, expect, it } from 'vitest'
import { askDates } from './ask-dates.ts'

describe('the time from a place to another', () => {
  it.each([
    [
      'My flight leaves Tokyo on 8 October 2026 at 17:25 and lands in Frankfurt the same day at 22:50, both local times. How long am I in the air?',
      'From Tokyo (UTC+9) at 17:25 on 8 October 2026 to Frankfurt (UTC+2) at 22:50 on 8 October 2026: 12 hours and 25 minutes.',
    ],
    // Clocks in Germany change between the two days.
    [
      'The flight departs from New York on 24 October 2026 at 6:00 pm and arrives in Berlin on 25 October 2026 at 8:00 am. How long is the flight?',
      'From New York (UTC−4) at 18:00 on 24 October 2026 to Berlin (UTC+1) at 08:00 on 25 October 2026: 9 hours.',
    ],
    // Over the date line, the arrival is earlier on the same date.
    [
      'We leave Auckland on 3 May 2026 at 20:00 and land in Los Angeles at 13:10. How long do we fly?',
      'From Auckland (UTC+12) at 20:00 on 3 May 2026 to Los Angeles (UTC−7) at 13:10 on 3 May 2026: 12 hours and 10 minutes.',
    ],
  ])('%s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it.each([
    'My flight leaves Springfield on 8 October 2026 at 17:25 and lands in Frankfurt at 22:50. How long am I in the air?',
    'My flight leaves Tokyo at 17:25 and lands in Frankfurt at 22:50. How long am I in the air?',
    'My flight leaves Tokyo on 8 October 2026 at 17:25 with a stop of 2 hours and lands in Frankfurt at 22:50. How long am I in the air?',
  ])('does not take %s', (goal) => {
    expect(askDates(goal)).toBe('not taken')
  })

  it('refuses a time that clocks skip, and an arrival before the departure', () => {
    expect(() =>
      askDates('A flight leaves Berlin on 29 March 2026 at 02:30 and arrives in London on 29 March 2026 at 05:00. How long does it take?'),
    ).toThrow('Clocks in Berlin change at 02:30')
    expect(() =>
      askDates('A flight leaves Berlin on 3 May 2026 at 12:30 and arrives in London on 2 May 2026 at 05:00. How long does it take?'),
    ).toThrow('before the departure')
  })
})
