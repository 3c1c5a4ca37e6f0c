/** Converts the numbers and dates of a request to the English format: 1.250,50 becomes 1250.50, and 3.1.2026 becomes 3 January 2026. */
import type { AnswerLanguage } from '../../../tools/answer-translation/answer-languages.ts'

export const englishMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Day, month and year in this order, as all four languages but Chinese write them. */
const numericDate = /(?<![\d.,/])\d{1,2}([./-])\s?\d{1,2}\1\s?\d{4}(?!\d)/g
const chineseDate = /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]/g
const chineseDay = /(?<![\d年])(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]/g
/** `3. März`: the point after a day is no end of a sentence. */
const ordinalDay = /(?<!\d)(\d{1,2})\.(?=\s?\p{L})/gu

function dateOf(day: string, month: string, year: string, written: string): string {
  const [d, m] = [Number(day), Number(month)]
  return d >= 1 && d <= 31 && m >= 1 && m <= 12 ? `${d} ${englishMonths[m - 1]} ${year}`.trim() : written
}

/** `1.250,50`, `1 250,50` and `17,5`; a point or a space before three digits groups thousands. */
const decimalComma = /(?<![\p{L}\d.,])(\d{1,3}(?:[.\u00A0\u202F ’']\d{3})+(?![\d])|\d+)(?:,(\d+))?(?!\d|,\d)/gu

function numberOf(written: string, whole: string, fraction: string | undefined): string {
  const digits = whole.replace(/[^\d]/g, '')
  // `2026, 15` are two numbers; a comma with a digit on both sides is decimal.
  return fraction === undefined && digits === whole ? written : `${digits}${fraction === undefined ? '' : `.${fraction}`}`
}

function readNumericDate(written: string): string {
  const [day = '', month = '', year = ''] = written.split(/[./-]\s?/)
  return dateOf(day, month, year, written)
}

export function toEnglishNumberFormat(text: string, language: AnswerLanguage): string {
  if (language === 'zh')
    return text
      .replace(chineseDate, (written, year, month, day) => ` ${dateOf(day, month, year, written)} `)
      .replace(/(\d{4})\s*年/g, ' $1 ')
      .replace(chineseDay, (written, month, day) => ` ${dateOf(day, month, '', written)} `)
  return text.replace(numericDate, readNumericDate).replace(decimalComma, numberOf).replace(ordinalDay, '$1')
}
