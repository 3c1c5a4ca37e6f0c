import { describe, expect, it } from 'vitest'
import { askDates } from './ask-dates.ts'

describe('lists of dates', () => {
  it.each([
    ['Convert these dates to ISO: 3 March 2025, 12 Apr 2024', '3 March 2025 is 2025-03-03. 12 Apr 2024 is 2024-04-12.'],
    ['Convert these dates to ISO: 04/05/2025, 12 Apr 2024\nday first', '04/05/2025 is 2025-05-04. 12 Apr 2024 is 2024-04-12.'],
    [
      'Convert these dates to ISO: 04/05/2025, 12 Apr 2024',
      'asks: Does 04/05/2025 have the day or the month first? Answer “day first” or “month first”.',
    ],
    ['Is 2027-02-29 a valid date?', 'No, 2027-02-29 is no date: February 2027 has 28 days.'],
    ['Is 29 February 2028 a valid date?', 'Yes, 2028-02-29 is a date: Tuesday, 29 February 2028.'],
    ['Does 31 April 2026 exist?', 'No, 2026-04-31 is no date: April 2026 has 30 days.'],
    ['What are the next three Fridays?', 'Next Fridays after 27 November 2026: 4 December 2026, 11 December 2026 and 18 December 2026.'],
    [
      'List the last Monday of every month of 2027',
      'Last Monday of each month of 2027: 25 January 2027, 22 February 2027, 29 March 2027, 26 April 2027, 31 May 2027, 28 June 2027, 26 July 2027, 30 August 2027, 27 September 2027, 25 October 2027, 29 November 2027 and 27 December 2027.',
    ],
  ])('%s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it.each(['Convert these dates to ISO: 31 February 2025', 'Convert these dates to ISO: 3 March', 'What are the next five holidays?'])(
    'does not take %s',
    (goal) => {
      expect(askDates(goal)).toBe('not taken')
    },
  )
})
