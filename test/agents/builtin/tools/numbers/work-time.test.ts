import { describe, expect, it } from 'vitest'
import { askDates } from './ask-dates.ts'

describe('the time between two times of day', () => {
  it.each([
    ['How many hours did I work from 8:45 to 17:30 with a 45 minute break?', '08:45 to 17:30 without 45 minutes of break is 8 hours.'],
    ['I started work at 9am and finished at 5:30pm. How long did I work?', '09:00 to 17:30 is 8 hours and 30 minutes.'],
    ['how long is a shift from 22:00 to 6:00?', '22:00 to 06:00 on the next day is 8 hours.'],
    [
      'How many hours between 08:15 and 16:00, minus half an hour lunch break?',
      '08:15 to 16:00 without 30 minutes of break is 7 hours and 15 minutes.',
    ],
    ['How many hours is it from noon to 17:05', '12:00 to 17:05 is 5 hours and 5 minutes.'],
    [
      'Calculate my hours: worked 7 to 15 with a break of 30 minutes',
      '07:00 to 15:00 without 30 minutes of break is 7 hours and 30 minutes.',
    ],
  ])('%s', (goal, answer) => {
    expect(askDates(goal)).toBe(answer)
  })

  it.each([
    'How long is it from 3 to 5?',
    'How many hours did I work from 8:45 to 17:30 with a break?',
    'How many hours did I work from 8:00 to 12:00 and from 13:00 to 17:00?',
    'How many hours did I work from 8:45 to 17:30 at 15 euros an hour?',
    'How long is the train from Bonn at 8:45 to Kiel at 17:30?',
    'Remind me from 8:45 to 17:30',
    'How many hours did I work from 8:75 to 17:30?',
    'How many hours from 9:00 to 9:20 with a break of 30 minutes?',
  ])('does not take %j', (goal) => {
    expect(askDates(goal)).toBe('not taken')
  })
})
