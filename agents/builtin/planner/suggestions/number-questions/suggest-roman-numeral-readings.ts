/** Candidates for Roman numerals in the words that ask. */

import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

const roman = /(?<![\p{L}\p{N}.'’-])(?=[MDCLXVI]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\p{L}\p{N}'’-])/gu
/** Abbreviations, sizes and words that have the form of a numeral. */
const otherMeanings = new Set('CD CV DC MC XL XX MD MI DI MIX CC DM CM MM ML CI CL LI DIX DL MV'.split(' '))
const named = /roman numerals?|roman|numerals?|romisch\p{L}*|romaine?s?|roman[oa]s?|罗马/u
const asksForNumber =
  /years?|numbers?|date|stands? for|mean|jahr\p{L}*|zahl\p{L}*|bedeutet|heisst|annees?|chiffres?|nombres?|numeros?|ano|signifie|significa|哪(?:一)?年|多少|数字|年份/gu
/** Kings, chapters and parts have small numerals. */
const minValue = 50
const maxNumerals = 10
const matchedWords = plainWords(
  'roman numeral numerals number year date stands mean reads written stone inscription römisch zahl jahr jahreszahl romain chiffre année romano número año piedra 罗马 数字 年',
)

const writes =
  /writ\p{L}*|in roman|as roman|way|schreib\p{L}*|geschrieben|in romisch\p{L}*|ecri\p{L}*|en chiffres? romains?|en romain|escrib\p{L}*|en numeros? roman|en roman|怎么写|写成/u
const number = /(?<![\d.,/])\d{1,4}(?![\d%]|[.,]\d)/g
const maxNumber = 3_999

/** “14 9 1948 the Roman way”: numbers that are to be written as Roman numerals. */
function writtenNumerals(request: string, plain: string): ReadingCandidate[] {
  if (!named.test(plain) || !writes.test(plain)) return []
  const values = [...new Set(request.match(number) ?? [])].filter((value) => Number(value) > 0 && Number(value) <= maxNumber)
  if (values.length === 0 || values.length > maxNumerals) return []
  const list = values.length > 1 ? `${values.slice(0, -1).join(', ')} and ${values.at(-1)}` : (values[0] ?? '')
  return [
    {
      texts: [`Write ${list} as Roman numerals`],
      skillId: 'format.numerals',
      matchedWords: [...matchedWords, ...values, 'written', 'way', 'old'],
    },
  ]
}

/** Small numerals count only where the client calls them Roman. */
export function suggestRomanNumeralReadings({ request }: GoalParts): ReadingCandidate[] {
  const plain = foldCaseAndAccents(request)
  const isNamed = named.test(plain)
  const found = [...new Set([...request.matchAll(roman)].map(([numeral]) => numeral))].filter(
    (numeral) => isNamed || (!otherMeanings.has(numeral) && numeralValue(numeral) >= minValue),
  )
  const asked = plain.match(asksForNumber) ?? []
  if (found.length === 0) return writtenNumerals(request, plain)
  if (found.length === 0 || found.length > maxNumerals || (!isNamed && asked.length === 0)) return []
  const list = found.length > 1 ? `${found.slice(0, -1).join(', ')} and ${found.at(-1)}` : (found[0] ?? '')
  const text = found.length > 1 ? `${list} as numbers` : `What number is ${list}?`
  return [{ texts: [text], skillId: 'format.numerals', matchedWords: [...matchedWords, ...asked, ...plainWords(list)] }]
}

const letters: { readonly [letter: string]: number } = { M: 1000, D: 500, C: 100, L: 50, X: 10, V: 5, I: 1 }

function numeralValue(numeral: string): number {
  const values = [...numeral].map((letter) => letters[letter] ?? 0)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}
