import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numeralsTool } from '../../../../../agents/builtin/tools/formats/numerals-tool.ts'
import { spellNumberInEnglish } from '../../../../../agents/builtin/tools/formats/spell-number-in-english.ts'
import { fromRoman, toRoman } from '../../../../../agents/builtin/tools/formats/to-and-from-roman.ts'
import { readNumberWords } from '../../../../../agents/builtin/tools/numbers/read-number-words.ts'
import { askFormat } from './ask-format.ts'

const ask = (text: string) => askFormat(numeralsTool, text)

describe('format.numerals', () => {
  it.each([
    ['roman numeral for 1994', '1994 = MCMXCIV'],
    ['convert 2026 to roman numerals please', '2026 = MMXXVI'],
    ['What number is the Roman numeral XLII?', 'XLII = 42'],
    ['what is xiv as a number in roman numerals', 'XIV = 14'],
    ['what is IIII in arabic numerals?', 'IIII = 4 (the usual form is IV)'],
    ['roman numerals from 1 to 4', '1 = I\n2 = II\n3 = III\n4 = IV'],
    ['Roman numerals of 4, 9, and 40', '4 = IV\n9 = IX\n40 = XL'],
    ['1234 in words', '1234 = one thousand two hundred and thirty-four'],
    ['how do you spell 1000005 in english?', '1000005 = one million and five'],
    ['Write $1,234.56 in words', '1234.56 = one thousand two hundred and thirty-four dollars and fifty-six cents'],
    ['£1.01 in words', '1.01 = one pound and one penny'],
    ['-12.05 in words', '-12.05 = minus twelve point zero five'],
    ['21st in words', '21 = twenty-first'],
    ['30 as an ordinal', '30 = thirtieth'],
    ['two hundred and five in digits', '205'],
    ['ff in decimal', 'ff (hexadecimal) = 255 (decimal)'],
    ['convert 777 from octal to hex', '777 (octal) = 1FF (hexadecimal)'],
    ['what is 255 in hex and binary', '255 (decimal) = FF (hexadecimal) = 11111111 (binary)'],
    ['convert 123456789012345678901234567890 to base 36', '123456789012345678901234567890 (decimal) = BYW97UM9S91DLZ68TSI (base 36)'],
  ])('answers %j', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('refuses what has no such form', async () => {
    expect(await ask('4000 in roman numerals')).toBe('refuses: Roman numerals go from 1 to 3,999. 4000 has none.')
    expect(await ask('binary 1012 in decimal')).toBe('refuses: 1012 is no binary number: it has the digit 2.')
    expect(await ask('what is IIX in roman numerals')).toMatch(/^(?:refuses|not taken)/)
  })

  it.each([
    'How many words are in 1984?',
    'write 100 words about dogs',
    '99 problems in words',
    'roman empire population',
    'MIX',
    'translate 1234 to french words',
    'Who won the world cup in 1998?',
    'convert it',
    'numbers please',
    '20 dollars in euros',
    'convert 10 dollars to euros in words',
    '12 in pounds',
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('reads back every Roman numeral', () => {
    for (let value = 1; value <= 3_999; value++) expect(fromRoman(toRoman(value))).toEqual({ value, isModern: true })
    for (const wrong of ['IIX', 'VX', 'IC', 'MCMC', 'ABC', '']) expect(fromRoman(wrong)).toBeUndefined()
  })

  it('spells numbers so that they are read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (value) => {
        const words = spellNumberInEnglish(String(value)).replaceAll('-', ' ').split(' ')
        expect(readNumberWords(words)).toEqual({ value, count: words.length })
      }),
    )
  })
})
