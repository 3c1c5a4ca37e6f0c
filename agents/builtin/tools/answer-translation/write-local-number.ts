/** Writes numbers as a language does: 2,499.8 is 2.499,8 in German. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'

/** What groups thousands, and what precedes decimals. */
const marks: InEachLanguage<readonly [group: string, point: string]> = {
  de: ['.', ','],
  fr: ['\u00A0', ','],
  es: ['.', ','],
  zh: [',', '.'],
}

/** A number as the tools write it, without a sign. */
export const englishNumber = String.raw`\d+(?:,\d{3})*(?:\.\d+)?`

/** One number. Its sign stays. */
export function writeLocalNumber(written: string, language: AnswerLanguage): string {
  const [group, point] = marks[language]
  return written.replace(/[,.]/g, (mark) => (mark === ',' ? group : point))
}

const percentSigns: InEachLanguage = { de: '\u00A0%', fr: '\u00A0%', es: '\u00A0%', zh: '%' }

/** `12.5%` with the space that the language puts before the sign. */
export const writeLocalPercent = (written: string, language: AnswerLanguage): string =>
  `${writeLocalNumber(written, language)}${percentSigns[language]}`

const numbers = new RegExp(`(?<![\\p{L}\\d.,_])${englishNumber}(?!\\d)`, 'gu')

/** All numbers of a formula. */
export const writeLocalNumbers = (text: string, language: AnswerLanguage): string =>
  text.replace(numbers, (written) => writeLocalNumber(written, language)).replace(/(?<=[\d)])%/g, percentSigns[language])
