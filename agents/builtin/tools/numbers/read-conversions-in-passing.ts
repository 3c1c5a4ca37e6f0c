/** Reads conversions that a text asks for in passing, clause by clause: “the tyres need 36 psi, what is that in bar?” */

import { trimPoliteness } from '../strip-politeness.ts'
import { asksForOtherWork } from './asks-for-other-work.ts'
import { formatRational } from './rational.ts'
import { findQuantities, mixedKinds, type QuantityPart, readTarget } from './read-conversion.ts'
import { splitSentences } from './split-sentences.ts'

/** Words that give no information about the units. Words that compute, such as “total” or “per person”, are not among them. */
const fillers = new Set(
  'and also if oven limit max maximum so then plus what whats is are was it its that this those these them they the a an in into to as of for on at i we you my our your me us he she need needs want would like know have has should must be says say said shows show displays reads gives give given tell convert how much many please thanks hi hello can could supposed recommended about roughly around just get right here there does do make makes mean means come comes out back from with still only again which where one car rental hire tyre tyres tire tires pressure ad advert advertisement listing sign manual sticker label tank trip drive drove distance away far recipe oven temperature thermostat outside fever weighs weight weigh long tall wide high height length suitcase luggage bag allowance parcel package room usa us america american uk england britain london states abroad'.split(
    ' ',
  ),
)
const british = /\b(?:uk|u\.k\.|england|britain|british|london|scotland|ireland|wales|imperial)\b/i
const american = /\b(?:us|u\.s\.|usa|america|american|states)\b/i

/** One line such as `36 psi to bar` for each quantity. Undefined if a clause has anything else. */
export function readConversionsInPassing(text: string): readonly string[] | undefined {
  if (text.length > 800) return undefined
  // The gallon of the other country gives another value.
  const isBritish = british.test(text) && !american.test(text)
  const plain = text.replace(/:\s/g, '. ').replace(/[’']/g, '')
  const sentences = splitSentences(isBritish ? plain.replace(/\bmpg\b/gi, 'uk mpg') : plain)
  if (sentences.some(asksForOtherWork)) return undefined
  const lines: string[] = []
  for (const clause of sentences.flatMap((sentence) => splitAtQuantities(trimPoliteness(sentence)))) {
    const found = readClause(clause)
    if (!found) return undefined
    lines.push(...found)
  }
  return lines.length > 0 && lines.length <= 10 ? lines : undefined
}

/** A clause for each quantity, where `and` stands between two. */
function splitAtQuantities(sentence: string): string[] {
  const parts = sentence.split(/,? (?:and|plus|also) (?=(?:\S+ ){0,4}\d)/i)
  return parts.every((part) => findQuantities(part).quantities.length === 1) ? parts : [sentence]
}

function readClause(clause: string): string[] | undefined {
  const { quantities, text } = findQuantities(clause)
  const words = text.split(/[\s,()?!:]+/).filter((word) => word !== '')
  const rest = words.map((word) => word.replace(/(?<![.;])[.;]+$/, '')).filter((word) => word !== '' && !fillers.has(word.toLowerCase()))
  const [quantity] = quantities
  if (quantities.length === 0) return rest.length === 0 ? [] : undefined
  if (quantities.length !== 1 || !quantity) return undefined
  const target = readTarget(rest.filter((word) => word !== '¤0').join(' '))
  const isSame = target?.units.every((unit) => unit.kind === quantity[0]?.unit.kind && unit.symbol !== quantity[0]?.unit.symbol)
  if (!target || !isSame) return undefined
  const symbols = target.units.map(({ symbol }) => readableSymbol(symbol))
  return mixedKinds.has(symbols.join(' '))
    ? [`${write(quantity)} to ${symbols.join(' and ')}`]
    : symbols.map((symbol) => `${write(quantity)} to ${symbol}`)
}

/** Units are read with the country before them. */
const readableSymbol = (symbol: string): string => symbol.replace(/^(\S+) \((imperial)\)$/, '$2 $1')

const write = (parts: readonly QuantityPart[]): string =>
  parts.map(({ amount, text, unit }) => `${text === '' ? formatRational(amount) : text} ${readableSymbol(unit.symbol)}`).join(' ')
