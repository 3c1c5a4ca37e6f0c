/// <reference lib="esnext.temporal" />
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cronTool } from '../../../../../agents/builtin/tools/formats/cron-tool.ts'
import { nextTimes, parseCron } from '../../../../../agents/builtin/tools/formats/parse-cron.ts'
import { parseEnglishSchedule } from '../../../../../agents/builtin/tools/formats/parse-english-schedule.ts'
import { askFormat } from './ask-format.ts'

const ask = (text: string) => askFormat(cronTool, text)

describe('format.cron', () => {
  it.each([
    ['what does cron 0 9 * * 1-5 mean', '0 9 * * 1-5: At 09:00, Monday through Friday.'],
    ['explain */15 * * * *', '*/15 * * * *: Every 15 minutes.'],
    ['@daily cron meaning', '0 0 * * *: At 00:00, every day.'],
    [
      'when will 0 0 29 2 * run next from 1 January 2027?',
      '0 0 29 2 *: At 00:00, on day 29 of the month, only in February.\nThe next time (local time):\n- Tuesday, 2028-02-29 00:00',
    ],
    [
      "List the next three times of the cron '0 0 1 * *' starting 2027-01-15",
      '0 0 1 * *: At 00:00, on day 1 of the month.\nThe next 3 times (local time):\n- Monday, 2027-02-01 00:00\n- Monday, 2027-03-01 00:00\n- Thursday, 2027-04-01 00:00',
    ],
  ])('explains %j', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('states what people get wrong', async () => {
    expect(await ask('Explain the cron expression `30 4 1,15 * 5`')).toContain('a day that meets either of the two conditions')
    expect(await ask('0 0 30 2 * what does this cron do')).toContain('It never runs')
    expect(await ask('explain cron */7 * * * *')).toContain('shorter at the end of each hour')
  })

  it.each([
    ['cron for every weekday at 9am', '0 9 * * 1-5'],
    ['crontab entry for every 15 minutes please', '*/15 * * * *'],
    ['I need a cron expression that runs every Monday and Thursday at 17:30', '30 17 * * 1,4'],
    ['every day at midnight as cron', '0 0 * * *'],
    ['cron expression for the 1st of every month at 6:15 am', '15 6 1 * *'],
    ['cron for every month on the 15th at noon', '0 12 15 * *'],
    ['cron job every day at 9am and 5pm', '0 9,17 * * *'],
    ['cron expression for every 2 hours on weekdays', '0 */2 * * 1-5'],
    ["Convert 'every sunday at 4:30 pm' to a cron expression", '30 16 * * 0'],
    ['cron for 25 December every year at 8am', '0 8 25 12 *'],
    ['cron Monday to Friday at 12 am', '0 0 * * 1-5'],
    ['cron expression every 5 minutes between 9am and 5pm', '*/5 9-16 * * *'],
    ['cron for every 15 minutes between 8 and 18 on weekdays', '*/15 8-17 * * 1-5'],
    ['cron for every 15 minutes on weekdays from 8:00 to 18:00', '*/15 8-17 * * 1-5'],
    ['cron every hour from 9 to 17, Monday to Friday', '0 9-17 * * 1-5'],
    ['cron for every 2 hours between 8am and 6pm', '0 8-18/2 * * *'],
    ['cron every half hour from 22 to 6', '*/30 22-23,0-5 * * *'],
    ['cron for every 10 minutes on Saturday and Sunday', '*/10 * * * 0,6'],
  ])('writes %j', async (goal, cron) => {
    expect(await ask(goal)).toContain(`is the cron expression ${cron}. It means`)
  })

  it('asks for what is missing or wrong', async () => {
    expect(await ask('when does 0 9 * * 1 run next?')).toMatch(/^asks: From which date and time/)
    expect(await ask('cron for every day')).toBe('asks: At what time? Write it such as 09:00.')
    expect(await ask('cron every 7 minutes')).toMatch(/^asks: Cron cannot run every 7 minutes/)
    expect(await ask('is 61 * * * * a valid cron?')).toMatch(/^asks: The field for the minute is 61; its values go from 0 to 59/)
    expect(await ask('cron every day at 9:00 and 17:30')).toMatch(/^asks: One cron expression cannot hold/)
  })

  it.each([
    'write a cron job that backs up my database every night',
    '5 4 3 2 1',
    'what is cron',
    'explain 0 0 1 * 1 and 5 4 * * *',
    'cron expression every 5 minutes between 9:30 and 17:15',
    'cron every 2 hours from 22 to 6',
    'cron every 5 minutes between 9 and 9',
    'cron every 5 minutes between 9 and 17 except Monday',
    'cron expression for last day of month at 5pm',
    'remind me every day at 9am',
    'cron for every day at 9am except holidays',
    'every Monday at 9',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('reads no clock time that does not exist', () => {
    expect(parseEnglishSchedule('every day at 25:00')).toBeUndefined()
    expect(parseEnglishSchedule('every day at 13pm')).toBeUndefined()
  })

  it('lists exactly the minutes that the sets name', () => {
    const part = (max: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: 1, max }).map(String),
        fc.integer({ min: 2, max }).map((step) => `*/${step}`),
      )
    fc.assert(
      fc.property(part(59), part(23), (minute, hour) => {
        const schedule = parseCron(`${minute} ${hour} * * *`)
        if (typeof schedule === 'string') throw new Error(schedule)
        const start = new Temporal.PlainDateTime(2027, 1, 1)
        const listed = nextTimes(schedule, start.subtract({ minutes: 1 }), 2_000).filter((time) =>
          time.toPlainDate().equals(start.toPlainDate()),
        )
        expect(listed.length).toBe(Math.min(2_000, schedule.minutes.size * schedule.hours.size))
      }),
      { numRuns: 30 },
    )
  })
})
