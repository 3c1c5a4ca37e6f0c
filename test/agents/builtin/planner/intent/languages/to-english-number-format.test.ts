import { describe, expect, it } from 'vitest'
import { toEnglishNumberFormat } from '../../../../../../agents/builtin/planner/intent/languages/to-english-number-format.ts'

describe('toEnglishNumberFormat', () => {
  it.each([
    ['de', '1.250,50 Euro', '1250.50 Euro'],
    ['de', '17,5 %', '17.5 %'],
    ['de', '1.250 Euro', '1250 Euro'],
    ['fr', '2 480 €', '2480 €'],
    ['fr', 'le 14/07/1789', 'le 14 July 1789'],
    ['de', 'am 3.1.2026', 'am 3 January 2026'],
    ['de', 'der 3. März 2026', 'der 3 März 2026'],
    ['es', '3-1-2026', '3 January 2026'],
    ['de', '45.13.2026', '45.13.2026'],
    ['zh', '3月5日', ' 5 March '],
    ['zh', '2014年到2020年', ' 2014 到 2020 '],
    ['de', '2, 3 und 4', '2, 3 und 4'],
    // A comma behind the decimals is one of the sentence.
    ['de', 'zu 79,50, 1 Tisch', 'zu 79.50, 1 Tisch'],
    ['fr', '2 480,5, puis', '2480.5, puis'],
    ['de', '1,2,3', '1,2,3'],
  ] as const)('%s: %s', (language, text, expected) => {
    expect(toEnglishNumberFormat(text, language)).toBe(expected)
  })
})
