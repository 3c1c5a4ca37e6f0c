import { describe, expect, it } from 'vitest'
import { answerLanguages } from '../../../../../agents/builtin/tools/answer-translation/answer-languages.ts'
import { writeCountedNoun } from '../../../../../agents/builtin/tools/answer-translation/write-counted-noun.ts'
import {
  writeLocalDate,
  writeLocalTime,
  writeLocalWeekday,
} from '../../../../../agents/builtin/tools/answer-translation/write-local-date.ts'
import { writeLocalFormula } from '../../../../../agents/builtin/tools/answer-translation/write-local-formula.ts'
import {
  writeLocalNumber,
  writeLocalNumbers,
  writeLocalPercent,
} from '../../../../../agents/builtin/tools/answer-translation/write-local-number.ts'
import { writeQuantity } from '../../../../../agents/builtin/tools/answer-translation/write-quantity.ts'

const inAll = (write: (language: 'de' | 'fr' | 'es' | 'zh') => string | undefined) => answerLanguages.map(write)

describe('numbers and dates of a language', () => {
  it('writes numbers', () => {
    expect(inAll((language) => writeLocalNumber('2,499.8', language))).toEqual(['2.499,8', '2\u00A0499,8', '2.499,8', '2,499.8'])
    expect(inAll((language) => writeLocalNumber('-1,234,567.25', language))).toEqual([
      '-1.234.567,25',
      '-1\u00A0234\u00A0567,25',
      '-1.234.567,25',
      '-1,234,567.25',
    ])
    expect(inAll((language) => writeLocalPercent('12.5', language))).toEqual(['12,5\u00A0%', '12,5\u00A0%', '12,5\u00A0%', '12.5%'])
    expect(writeLocalNumbers('log2(8) × 1,250.5 + 0.5%', 'de')).toBe('log2(8) × 1.250,5 + 0,5\u00A0%')
  })

  it('writes dates, months and weekdays', () => {
    expect(inAll((language) => writeLocalDate('3 March 2027', language))).toEqual([
      '3. März 2027',
      '3 mars 2027',
      '3 de marzo de 2027',
      '2027年3月3日',
    ])
    expect(writeLocalDate('1 April 2027', 'fr')).toBe('1er avril 2027')
    expect(inAll((language) => writeLocalTime('February 2026', language))).toEqual([
      'Februar 2026',
      'février 2026',
      'febrero de 2026',
      '2026年2月',
    ])
    expect(inAll((language) => writeLocalTime('Q1 2024', language))).toEqual(['Q1 2024', 'T1 2024', 'T1 2024', '2024年第1季度'])
    expect(inAll((language) => writeLocalWeekday('Sunday', language))).toEqual(['Sonntag', 'dimanche', 'domingo', '星期日'])
    for (const text of ['Marching', '3 Foo 2027', 'Leeds', 'Q5 2024', '']) expect(writeLocalTime(text, 'de')).toBeUndefined()
  })

  it('writes nouns after numbers', () => {
    expect(inAll((language) => writeCountedNoun('1 week', language))).toEqual(['1 Woche', '1 semaine', '1 semana', '1 周'])
    expect(inAll((language) => writeCountedNoun('1,200 e-mail addresses', language))).toEqual([
      '1.200 E-Mail-Adressen',
      '1\u00A0200 adresses e-mail',
      '1.200 direcciones de correo',
      '1,200 个电子邮件地址',
    ])
    expect(writeCountedNoun('no amounts of money', 'fr')).toBe('0 montant')
    expect(writeCountedNoun('three months', 'de')).toBe('3 Monate')
    for (const text of ['weeks', '3 sheep', 'x days', '']) expect(writeCountedNoun(text, 'de')).toBeUndefined()
  })

  it('writes formulas, and no other words', () => {
    expect(writeLocalFormula('15% of 1,240.5 = 186.075', 'de')).toBe('15\u00A0% von 1.240,5 = 186,075')
    expect(writeLocalFormula('average(12, 15.5) ≈ 13.75', 'es')).toBe('media(12; 15,5) ≈ 13,75')
    expect(writeLocalFormula('gcd(48, 36) = 12', 'zh')).toBe('最大公约数(48, 36) = 12')
    for (const text of ['2 apples', '= 36', '17! =', 'of', '1: 2']) expect(writeLocalFormula(text, 'de')).toBeUndefined()
  })

  it('writes quantities with known units', () => {
    expect(inAll((language) => writeQuantity('1.5 hours', language))).toEqual(['1,5 Stunden', '1,5 heure', '1,5 horas', '1.5 小时'])
    expect(writeQuantity('5 ft 11 in', 'de')).toBe('5 ft 11 in')
    expect(writeQuantity('7.84 L/100 km', 'fr')).toBe('7,84 L/100 km')
    expect(writeQuantity('-40 °F', 'es')).toBe('-40 °F')
    for (const text of ['5 bananas', '5', 'km', '5 km of road']) expect(writeQuantity(text, 'de')).toBeUndefined()
  })
})
