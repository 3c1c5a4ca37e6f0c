/** The request as arithmetic reads it: decimal points, digits in the place of number words, and `%` signs. */
import type { GoalParts } from '../read-goal-parts.ts'
import { chineseNumbersToDigits } from './chinese-numbers-to-digits.ts'
import { numberWordsToDigits, withDecimalPoints } from './number-words-to-digits.ts'

const percentWord = /(\d)\s?(?:percent|per cent|prozent|pour ?cent|por ciento|procent)(?!\p{L})/giu

/** `1.250` in languages that group thousands with a point. */
const pointGroups = /(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])/g

export function normalizeArithmeticText({ request, language }: Pick<GoalParts, 'request' | 'language'>): string {
  const grouped = language === 'de' || language === 'es' ? request.replace(pointGroups, (whole) => whole.replaceAll('.', '')) : request
  const digits = language === 'zh' ? chineseNumbersToDigits(request) : numberWordsToDigits(withDecimalPoints(grouped))
  return digits.replace(percentWord, '$1%').replace(/(\d)\s+%/g, '$1%')
}

/** All numbers of a text, as words that a candidate explains. */
export const numbersOf = (text: string): string[] => text.match(/\d+/g) ?? []
