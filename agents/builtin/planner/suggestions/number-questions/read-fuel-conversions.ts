/** Reads conversions of the fuel economy of a car between miles per gallon and litres for 100 km. */

import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords } from '../reading-candidate.ts'
import { normalizeArithmeticText } from './normalize-arithmetic-text.ts'

const number = String.raw`(\d+(?:[.,]\d+)?)\s*`
const mileage = String.raw`(?:mpg|(?:miles?|millas?|meilen?|milles?)\s+(?:per|to|to the|a|por|pro|je|par|al)\s+(?:gallons?|galon(?:es)?|gallonen?)|英里(?:每|/)加仑)`
const consumption = String.raw`(?:l|lit(?:re|er)s?|litros?|升)\s*(?:/|per|for|every|each|pro|auf|je|cada|a los|por|auf|aux|pour|par|every)\s*(?:the\s+)?(?:100|cien|hundred|cent|hundert)\s*(?:km|kilomet\p{L}*|kilometros?|公里)?|百公里`
const milesPattern = new RegExp(number + mileage, 'iu')
const litresPattern = new RegExp(`${number}(?:${consumption})`, 'iu')
const perHundred = new RegExp(String.raw`${consumption}|(?:lit(?:re|er)s?|litros?)[^.?!]{0,40}?100\s*(?:km|kilomet)`, 'iu')
const toMiles = new RegExp(mileage, 'iu')
const american = /\b(?:us|u\.s\.|usa|americ\p{L}*|amerik\p{L}*|estadounidens\p{L}*)(?!\p{L})|美/iu
const british = /\b(?:uk|british|britis\p{L}*|imperial\p{L}*|britann\p{L}*|ingles\p{L}*|anglais\p{L}*|english)(?!\p{L})|英制/iu
const matchedWords = plainWords(
  'miles mile gallon mpg litres liters litre per each every km kilometres millas galón litros cada gasta cuántos meilen gallone liter pro auf verbraucht milles gallon litres consomme combien 英里 加仑 升 公里 how many much wieviel viel us uk american americanos allí british',
)

export type FuelConversion = {
  /** `28 US mpg to L/100 km`. */
  readonly sentence: string
  readonly matchedWords: readonly string[]
  /** The words of the quantity and of the target. */
  readonly wording: readonly RegExp[]
}

/** The gallons of two countries differ. Where none is named, there is one conversion for each. */
export function readFuelConversions(goal: GoalParts): FuelConversion[] {
  const plain = foldCaseAndAccents(normalizeArithmeticText(goal))
  const miles = milesPattern.exec(plain)
  const rest = miles ? plain.replace(miles[0], ' ') : plain
  const litres = miles ? null : litresPattern.exec(plain)
  const value = (miles ?? litres)?.[1]?.replace(',', '.')
  const hasTarget = miles ? perHundred.test(rest) : litres !== null && toMiles.test(rest)
  if (value === undefined || !hasTarget) return []
  const isAmerican = american.test(plain)
  const isBritish = british.test(plain)
  const gallons = isAmerican === isBritish ? ['US', 'imperial'] : isAmerican ? ['US'] : ['imperial']
  return gallons.map((gallon) => ({
    sentence: miles ? `${value} ${gallon} mpg to L/100 km` : `${value} L/100 km to ${gallon} mpg`,
    matchedWords: [...matchedWords, ...plainWords(value)],
    wording: [milesPattern, litresPattern, perHundred, toMiles],
  }))
}
