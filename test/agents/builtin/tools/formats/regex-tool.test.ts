import { describe, expect, it } from 'vitest'
import { regexTool } from '../../../../../agents/builtin/tools/formats/regex-tool.ts'
import { askFormat } from './ask-format.ts'

const ask = (text: string) => askFormat(regexTool, text)

describe('format.regex', () => {
  it.each([
    [String.raw`test regex ^\d{4}-\d{2}$ against 2026-11 and 26-11`, '- 2026-11: matches entirely\n- 26-11: no match'],
    ['Does `^[a-z]+@[a-z]+\\.com$` match "bob@example.com"?', '- bob@example.com: matches entirely'],
    [String.raw`Does "foo123" match the regex /\d+/ ?`, '- foo123: matches "123" at characters 4 to 6, not the whole text'],
    [
      String.raw`find all matches of /\b\w+ing\b/i in: Running and swimming are good`,
      '2 matches:\n- "Running" (character 1)\n- "swimming" (character 13)',
    ],
    ['check if hello matches regex ^h.*o$', '- hello: matches entirely'],
    [
      String.raw`Which of these match the pattern ^[A-Z]{2}\d{6}$ ?` + '\nAB123456\nab123456\nXY98765',
      '- AB123456: matches entirely\n- ab123456: no match\n- XY98765: no match',
    ],
    ['does ^a match banana', '- banana: no match'],
    ['regex: ^a+$ text: aaa', '- aaa: matches entirely'],
    ['test regex ^hello$ against HELLO case insensitive', '- HELLO: matches entirely'],
    [
      'Test the pattern "[A-Z]{3}" on these strings:\nABC\nABCD\nabc',
      '- ABC: matches entirely\n- ABCD: matches "ABC" at characters 1 to 3, not the whole text\n- abc: no match',
    ],
    [
      String.raw`Can you test this regex: "(?<y>\d{4})-(?<m>\d\d)" against "on 2027-03"? Thanks`,
      '- on 2027-03: matches "2027-03" at characters 4 to 10, not the whole text; groups: y = "2027", m = "03"',
    ],
    [String.raw`is 192.168.0.1 matched by regex ^(?:\d{1,3}\.){3}\d{1,3}$?`, '- 192.168.0.1: matches entirely'],
  ])('answers %j', async (goal, answer) => {
    const [, ...lines] = (await ask(goal)).split('\n')
    expect(lines.join('\n')).toBe(answer)
  })

  it('takes linear time on patterns that make others hang', async () => {
    expect(await ask(`test regex ^(a+)+$ against ${'a'.repeat(5_000)}b`)).toContain('no match')
  })

  it('refuses what it cannot judge', async () => {
    expect(await ask('test regex (?=a)b against b')).toMatch(/^refuses: The pattern looks ahead or behind/)
    expect(await ask(String.raw`test regex (a)\1 against aa`)).toMatch(/^refuses: The pattern refers back to a group/)
    expect(await ask('test regex ( against x')).toMatch(/^refuses: The pattern is not valid: missing closing \)/)
  })

  it.each([
    'write a regex for email addresses',
    'does my pattern match',
    'Do the colours match the pattern?',
    'does this shirt match my pants',
    'test my app on android',
    'check the text against the rules',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })
})
