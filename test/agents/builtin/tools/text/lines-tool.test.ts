import { describe, expect, it } from 'vitest'
import { parseLineSteps } from '../../../../../agents/builtin/tools/text/line-steps.ts'
import { logLevelOf, logTimeOf } from '../../../../../agents/builtin/tools/text/log-level-and-log-time.ts'
import { runLineSteps } from '../../../../../agents/builtin/tools/text/run-line-steps.ts'
import { askTextTools } from './ask-text-tools.ts'

const [start, dbTimeout, slow, otherTimeout, retry, disk, stop] = [
  '2026-11-02 08:01:12 INFO  start worker=1',
  '2026-11-02 08:01:15 ERROR db timeout worker=1',
  '2026-11-02 08:14:02 WARN  slow query 1200ms',
  '2026-11-02 09:22:45 ERROR db timeout worker=2',
  '2026-11-02 09:23:01 INFO  retry ok',
  '2026-11-02 09:40:11 ERROR disk full /var',
  '2026-11-02 10:05:59 INFO  stop',
]
const log = `${[start, dbTimeout, slow, otherTimeout, retry, disk, stop].join('\n')}\n`
const names = 'Miller, Jane\nsmith, bob\nMiller, Jane\n Zhou, Li\nadams, Carl\n'
describe('text.lines on a log', () => {
  it.each([
    [
      'how many errors are in the log file and in which hour were most of them?',
      '3 lines of level ERROR. The most lines of level ERROR, by hour: 09:00–09:59: 2.',
    ],
    ['Show me only the ERROR lines', [dbTimeout, otherTimeout, disk].join('\n')],
    ['How many errors and how many warnings are there?', '3 lines of level ERROR. 1 line of level WARN.'],
    ['count errors per hour', '3 lines of level ERROR. Lines of level ERROR by hour: 08:00–08:59: 1; 09:00–09:59: 2.'],
    ['Hi! Could you give me the lines from the log that mention disk or query? Thanks a lot', `${slow}\n${disk}`],
    ['show lines with worker=1 pls', `${start}\n${dbTimeout}`],
    ['everything except INFO please', [dbTimeout, slow, otherTimeout, disk].join('\n')],
    ['remove all INFO and WARN lines, then number the rest', `1. ${dbTimeout}\n2. ${otherTimeout}\n3. ${disk}`],
    ['last 2 lines of the log', `${disk}\n${stop}`],
    ['show the first 2 errors', `${dbTimeout}\n${otherTimeout}`],
    ['How many errors are in the first 3 lines?', '1 line of level ERROR.'],
    ['what is the most common error message', /by message \(with # for each number\): db timeout worker=#: 2\./],
    ['how many lines contain timeout, and how many contain disk?', '2 lines containing “timeout”. 1 line containing “disk”.'],
    ['list the error lines between 9:00 and 9:30', otherTimeout],
    ['count the lines per worker', 'Lines by worker: 1: 2; 2: 1.\n4 lines without the field worker are left out.'],
    ['sort by time, newest first and show only the first line', stop],
    ['show lines that contain both ERROR and timeout', `${dbTimeout}\n${otherTimeout}`],
    ['show lines that contain error and timeout', 'asks'],
    ["how many lines are there that don't contain INFO", '4 lines not containing “INFO”.'],
    ['lines longer than 44 characters', `${dbTimeout}\n${otherTimeout}`],
    [
      'Our server crashed yesterday. I attached the log. How many errors are in it, and show them to me.',
      `${[dbTimeout, otherTimeout, disk].join('\n')}\n3 lines of level ERROR.`,
    ],
    ['grep timeout', `${dbTimeout}\n${otherTimeout}`],
  ])('does %s', async (text, answer) => {
    const result = await askTextTools(text, log)
    if (answer === 'asks') expect(result).toBe('text.lines asks')
    else expect(result).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : `text.lines: ${answer}`)
  })

  it('takes the word for the level in a text without levels, and refuses one without the word', async () => {
    expect(await askTextTools('how many errors are in the file?', 'an error here\nfine\n')).toBe('text.lines: 1 line containing “error”.')
    expect(await askTextTools('how many errors are in the file?', 'all\nfine\n')).toMatch(/refuses: No line has a level/)
  })

  it('states which lines of a higher level are not counted', async () => {
    expect(await askTextTools('count the errors', 'ERROR a\nFATAL b\n')).toBe(
      'text.lines: 1 line of level ERROR.\n1 more of level CRITICAL or FATAL is not counted as ERROR.',
    )
  })

  it.each([
    'how many errors were there on friday?',
    'which user caused the most errors?',
    'Why did the db time out?',
    'email me the error lines',
    'Show me the important lines',
    'shuffle the lines',
    'pick a random line',
    'show lines with typos',
    'Show the errors and explain them',
    'how many customers are in the log?',
    'delete the log file from my server',
    'sort the lines by severity',
    'How many different errors are there?',
    'show the lines that contain a password or similar secrets',
    'keep only the first half of the lines',
    'show lines containing more than 3 words',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text, log)).toBe('not taken')
  })
})

describe('text.lines on a list', () => {
  it.each([
    [
      'Sort this list alphabetically and remove duplicates: pears, Apples, bananas, apples, cherries, Bananas',
      /^Apples, bananas, cherries, pears\nRemoved 2 duplicates\. Small and capital letters count as the same: “Apples” and “apples” are one item\.$/,
    ],
    ['sort these alphabetically:\n\npears\nApples\nbananas', /^Apples\nbananas\npears$/],
    ['Sort by length, longest first: kiwi, banana, fig', /^banana, kiwi, fig$/],
    ['remove duplicates, sort z-a and put each on its own line: b, a, c, B', /^c\nb\na\nRemoved 1 duplicate/],
    ['sort these names by last name: Anna Berg, Tom Adler, Li Chen, Maria Adler', /^Maria Adler, Tom Adler, Anna Berg, Li Chen$/],
    ['sort these names by family name, descending: Anna Berg, Tom Adler, Li Chen', /^Li Chen, Anna Berg, Tom Adler$/],
    ['sort numerically: 10, 9, 100, -2.5', /^-2\.5, 9, 10, 100$/],
    ['How often does each item occur? red, blue, red, green', /^Items by content: red: 2; blue: 1; green: 1\.$/],
    ['top 2 most frequent lines\n\na\nb\na\nc\nb\na', /by content: a: 3; b: 2\.$/],
    ['make a bulleted list: milk, eggs, bread', /^- milk\n- eggs\n- bread$/],
    ['Delete every line that starts with # and all empty lines\n\n# comment\nfoo=1\n\nbar=2', /^foo=1\nbar=2$/],
    ['Keep only the lines with a number in them:\n\nfoo\nbar 12\nbaz', /^bar 12$/],
    ['turn this into a comma separated list:\n\na\nb\nc', /^a, b, c$/],
    ['find duplicates in this list: a, b, a', /^1 item occurs more than once: a: 2\.$/],
    ['Hello!\n\nCould you please sort this list?\n\nbanana\napple\n\nThanks!\nTom', /^apple\nbanana$/],
    ['Sort this list:pears,figs,apples thanks!', /^apples, figs, pears$/],
  ])('does %s', async (text, answer) => {
    expect((await askTextTools(text)).replace(/^text\.lines: /, '')).toMatch(answer)
  })

  it('reads an attached list', async () => {
    expect(await askTextTools('please remove the duplicate names & sort the list A-Z', names)).toBe(
      'text.lines: adams, Carl\nMiller, Jane\nsmith, bob\nZhou, Li\nRemoved 1 duplicate. Spaces around 1 line were removed.',
    )
    expect(await askTextTools('how many different names are there?', names)).toMatch(/^text\.lines: 4 different lines\./)
  })

  it.each([
    'Sort this list: pears, apples. Then tell me which of them are the healthiest',
    'shuffle these lines: a, b, c',
    'sort these by taste: kiwi, fig',
    'order these by size: small, large, medium',
    'Sort this list by price: apple 3, pear 2',
    'please sort:\n\nb\na\n\nthen remove duplicates',
    'Sort this list and translate it: pear, apple',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text)).toBe('not taken')
  })

  it('asks for the list', async () => {
    expect(await askTextTools('Sort my list please')).toBe('text.lines asks')
  })
})

describe('line marks', () => {
  it('are read in the usual forms', () => {
    expect(
      ['level=warn x', '[error] x', '{"level":"info"}', 'INFO retry after ERROR', '2026-01-02 03:04:05 debug x', 'an error'].map(
        logLevelOf,
      ),
    ).toEqual(['WARN', 'ERROR', 'INFO', 'INFO', 'DEBUG', undefined])
    expect(logTimeOf('2026-11-02T08:01:15Z')).toEqual({ day: '2026-11-02', hour: 8, minute: 1, second: 15 })
    expect(logTimeOf('[02/Nov/2026:18:05:12 +0000]')).toEqual({ day: '02/Nov/2026', hour: 18, minute: 5, second: 12 })
    expect(logTimeOf('Nov  2 08:01:12 host')?.day).toBe('Nov  2')
    expect(logTimeOf('11:30 PM lights out')?.hour).toBe(23)
    expect(logTimeOf('no time 25:99')).toBeUndefined()
  })
})

describe('line steps', () => {
  it('are refused if one is unknown', () => {
    expect(() => parseLineSteps([{ do: 'shuffle' }])).toThrow(/needs `steps`/)
    expect(() => parseLineSteps([])).toThrow(/needs `steps`/)
  })
  it('refuse to sort by what lines do not have', () => {
    expect(() => runLineSteps('a 1\nb', [{ do: 'sort', by: 'number', isDescending: false }])).toThrow(/1 of the 2 lines has no number/)
    expect(() => runLineSteps('1,5\n2,25', [{ do: 'sort', by: 'number', isDescending: false }])).toThrow(/Write decimals with a point/)
  })
  it('name groups of equal size beyond the number asked for', () => {
    expect(runLineSteps('a\nb', [{ do: 'count_by', by: 'line', top: 1 }]).reports).toEqual([
      'The most lines, by content (1 more than asked have the same count): a: 1; b: 1.',
    ])
  })
})
