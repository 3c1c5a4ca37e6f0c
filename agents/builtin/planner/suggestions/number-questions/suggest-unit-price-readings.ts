/** Candidates on prices for each of several nouns: “94.50 a night”, “1.65 per adult and night”, with the counts of the nouns in the goal. */
import { stemWord } from '../../../stem-word.ts'
import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { normalizeArithmeticText, numbersOf } from './normalize-arithmetic-text.ts'

const currency = '(?:€|eur(?:os?)?|£|pounds?|quid|\\$|dollars?|usd|chf|francs?|pesos?)'
const price = `(?:[€£$]\\s?)?(\\d+(?:\\.\\d+)?)\\s?${currency}?`
const each = '(?:per|por|par|pro|je|an?|each|for each|for every|every|la|le|the|die|der|das|el|cada|chaque|jede[rsnm]?)'
const and = '(?:and|und|et|y|,)'
const rate = new RegExp(
  `(?<![\\d.,])${price}\\s+${each}\\s+(\\p{L}{2,24})(?:\\s+(?:(?:${and}\\s+)?${each}|and|und|et|y)\\s+(\\p{L}{2,24}))?`,
  'giu',
)
const counted = /(?<![\d.,])(\d{1,4})\s+(\p{L}{1,24})(?:\s+(\p{L}{2,24}))?/giu
const fixed = new RegExp(`(?<![\\d.,])(?:([€£$])\\s?(\\d+(?:\\.\\d+)?)|(\\d+(?:\\.\\d+)?)\\s?${currency}(?!\\p{L}))`, 'giu')
const divided =
  /(?:split|share[ds]?|divid\p{L}*|geteilt|teilen|aufteilen|partag\p{L}*|divis\p{L}*|repart\p{L}*|reparti\p{L}*)(?:\s+\p{L}+){0,4}?\s+(?:by|in|into|between|among|durch|en|entre|par)\s+(?:(?:the|us|uns|los|las|les|nous)\s+)?(\d{1,3})(?!\d|[.,]\d)/iu
const asks =
  /how much|total|cost|price|pay|altogether|wie ?viel|kostet|kosten|preis|summe|insgesamt|combien|prix|coute|cuanto|precio|cuesta|pagar/iu
const words = plainWords(
  'how much total cost price pay each per altogether night wie viel kostet gesamt summe insgesamt pro je kosten combien prix total par nuit coûte cuánto total precio por noche cada cuesta adult person if we on share split',
)

/** “Stunde” and “Stunden”, “noche” and “noches”. */
const nounStem = (noun: string): string => stemWord(noun).replace(/(?:en|es|n|e|s)$/, '')

type Rate = { readonly price: string; readonly nouns: readonly string[]; readonly start: number; readonly end: number }

export function suggestUnitPriceReadings(goal: GoalParts): ReadingCandidate[] {
  const text = foldCaseAndAccents(normalizeArithmeticText(goal))
  if (/\d%/.test(text) || !asks.test(text)) return []
  const rates = [...text.matchAll(rate)].flatMap(({ 0: whole, 1: value = '', 2: first, 3: second, index }): Rate[] => {
    const nouns = [first, second].filter((noun) => noun !== undefined).map(nounStem)
    const isPrice = value.includes('.') || new RegExp(currency, 'iu').test(whole)
    return isPrice ? [{ price: value, nouns, start: index, end: index + whole.length }] : []
  })
  if (rates.length === 0) return []
  const rest = rates.reduce((left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end), text)
  const counts = countsOf(rest)
  const terms = rates.map(({ price: value, nouns }) => termOf(value, nouns, counts))
  if (terms.some((term) => term === undefined)) return []
  const others = [...rest.matchAll(fixed)].map(([, , before, after]) => before ?? after ?? '')
  const all = [...(terms as string[]), ...others]
  if (all.length === 1 && !divided.test(text)) return []
  const sum = all.join(' + ')
  const sharers = divided.exec(text)?.[1]
  const shared = sharers === undefined ? '' : ` What is (${sum}) / ${sharers}?`
  const matchedWords = [...words, ...numbersOf(goal.request), ...rates.flatMap(({ nouns }) => nouns)]
  return [{ texts: [`What is ${sum}?${shared}`], skillId: 'number.calculation', matchedWords }]
}

/** Nouns with the only number in front of them. A noun with two numbers has none. */
function countsOf(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const twice = new Set<string>()
  for (const [, value = '', ...nouns] of text.matchAll(counted))
    for (const noun of nouns) {
      const stem = noun === undefined ? '' : nounStem(noun)
      if (found.has(stem) && found.get(stem) !== Number(value)) twice.add(stem)
      found.set(stem, Number(value))
    }
  for (const noun of twice) found.delete(noun)
  return found
}

function termOf(value: string, nouns: readonly string[], counts: ReadonlyMap<string, number>): string | undefined {
  const factors = nouns.map((noun) => counts.get(noun))
  return factors.some((factor) => factor === undefined) ? undefined : [...factors.map(String), value].join(' × ')
}
