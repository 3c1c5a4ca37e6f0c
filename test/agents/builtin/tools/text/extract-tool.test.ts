import { describe, expect, it } from 'vitest'
import { findTodos } from '../../../../../agents/builtin/tools/text/find-todos.ts'
import { askTextTools } from './ask-text-tools.ts'

const mail =
  'From: Anna <anna.k@example.org>\nTo: bob@example.com; carla@example.net\nHi Bob, please add dave@example.com and anna.k@example.org.\ncc: BOB@example.com\nTel. +43 660 1234567\nSee https://www.example.com/a and https://example.com/b by 3 May 2027, it costs $20. #sale #new\n'
const notes =
  'Meeting 12 Nov\n- Anna: budget ok\n- TO-DO: Bob sends contract until Friday\n- discussed new logo\n- TO-DO Carla books room\n[ ] order chairs\n[x] pay invoice 113\n'

describe('text.extract', () => {
  it.each([
    [
      'Get all email addresses out of this file, no duplicates, sorted alphabetically',
      'Found 4 e-mail addresses: anna.k@example.org; bob@example.com; carla@example.net; dave@example.com.\nLeft out 2 more of the same.',
    ],
    [
      'emails + phone numbers please',
      'Found 6 e-mail addresses and 1 telephone number: anna.k@example.org; bob@example.com; carla@example.net; dave@example.com; BOB@example.com; +43 660 1234567.',
    ],
    ['how many different links are in 0.txt?', 'Found 2 links: https://www.example.com/a; https://example.com/b.'],
    ['whats the phone number in this file', 'Found 1 telephone number: +43 660 1234567.'],
    ['Which dates are mentioned?', 'Found 1 date: 3 May 2027.'],
    [
      'List all e-mail addresses, each once, without bob@ and @example.net',
      /^Found 2 e-mail addresses: anna.k@example.org; dave@example.com\./,
    ],
    ['extract all hashtags', 'Found 2 hashtags: #sale; #new.'],
    ['list all prices and dates', 'Found 1 date and 1 amount of money: 3 May 2027; $20.'],
  ])('reads %s', async (text, answer) => {
    const wording = await askTextTools(text, mail)
    expect(wording.split(/(?<=^text\.extract): /)[1]).toEqual(typeof answer === 'string' ? answer : expect.stringMatching(answer))
  })

  it('counts addresses by domain', async () => {
    expect(await askTextTools('count the email addresses by domain', mail)).toMatch(
      /\nBy domain: example\.com: 3; example\.org: 2; example\.net: 1\.$/,
    )
  })

  it.each(['Pull out all the to-dos from my notes as a list', 'what are the action items?', 'list of todos please'])(
    'lists the open to-dos for %s',
    async (text) => {
      expect(await askTextTools(text, notes)).toBe(
        'text.extract: 3 open to-dos:\n- Bob sends contract until Friday\n- Carla books room\n- order chairs\nOnly lines marked as “to-do” or “action item”, or with a checkbox, count. 1 is marked as done and left out.',
      )
    },
  )

  it.each([
    'Extract the names and emails',
    'find the email of the mayor of Graz',
    'which tasks did Bob get?',
    'send an email to all addresses',
    'how much money does it cost in total',
    'list the phone number of "Bob"',
    'list the dates after May',
    'find broken links',
    'numbers',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text, mail)).not.toMatch(/^text\.extract/)
  })
})

describe('findTodos', () => {
  it('reads the list below a heading up to the next paragraph', () => {
    expect(findTodos('## Action items\n- call Ann\n* pay rent\n\nOther\n- no to-do\n').map((one) => one.text)).toEqual([
      'call Ann',
      'pay rent',
    ])
  })
  it('takes no sentence about things to do for one', () => {
    expect(findTodos('We have a lot to do today.\nThe action was fast.\nNothing to do: relax\nLEGAL ACTION was taken')).toEqual([])
  })

  const mess = '\n\nBob <Bob@Example.org>, carl+x@example.net\nann@example.com; bob@example.org\nzoe(at)example.net'
  const clean = `text.extract: Found 3 e-mail addresses:\nann@example.com\nbob@example.org\ncarl+x@example.net\nLeft out 1 more of the same.\nNot listed, because they are not written as addresses: zoe(at)example.net.`
  it.each([
    'clean up this list for our choir newsletter: only the email adresses, one per line, lower case, no doubles, alphabetical',
    'strip the names, i only want the email addresses in lower case, sorted, each once, one per line',
    'hey, can you pull the adresses out (emails I mean)? lowercase, no duplicates, a-z, one per line so that I can paste them',
  ])('makes a plain list: %s', async (text) => {
    expect(await askTextTools(`${text}${mess}`)).toBe(clean)
  })

  const mails =
    'Call 06 39 98 12 34 or 06.39.98.00.14, quote n° 2025061234.\nAgain 0639981234! Mobile +33 6 39 98 22 41, SIRET 812 345 678 00019, 17/06 14h30\n'
  it.each([
    [
      'phone numbers in these mails, without doubles, in the format 0X XX XX XX XX',
      '06 39 98 12 34; 06 39 98 00 14; 06 39 98 22 41.\nLeft out 1 more of the same.',
    ],
    [
      'all phone numbers once, in international format',
      '+33639981234; +33639980014; +33639982241.\nLeft out 1 more of the same.\nNumbers without a calling code are read as +33.',
    ],
  ])('compares and writes telephone numbers: %s', async (text, answer) => {
    expect(await askTextTools(text, mails)).toBe(`text.extract: Found 3 telephone numbers: ${answer}`)
  })

  it('states which numbers do not fit the form', async () => {
    expect(await askTextTools('phone numbers as 0X XX XX XX XX', '+33 6 39 98 22 41, +33 1 39 98 22 41, +44 7700 900123')).toBe(
      'text.extract: Found 3 telephone numbers: 06 39 98 22 41; 01 39 98 22 41; +44 7700 900123.\nLeft as written, because they do not fit the form 0X XX XX XX XX: +44 7700 900123.',
    )
  })

  it.each(['all emails except the one of bob, one per line', 'the mobile numbers only', 'emails of gmail only'])(
    'does not read %s',
    async (text) => {
      expect(await askTextTools(`${text}${mess}`)).not.toMatch(/^text\.extract: /)
    },
  )
})
