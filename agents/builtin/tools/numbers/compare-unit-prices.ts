/** Compares offers by the price of one unit: “500 g for 3.49 or 750 g for 4.99, which is cheaper?” */

import type { MarginAnswer } from './answer-margin-question.ts'
import { findUnit } from './find-unit.ts'
import { compareRationals, divide, formatFixed, multiply, type Rational, rational, rationalOfDecimal, subtract } from './rational.ts'
import type { PriceRow } from './solve-price-calculation.ts'
import { commonCurrency } from './write-currency-amount.ts'

type Offer = { readonly label: string; readonly amount: Rational; readonly price: Rational; readonly unit: string }

const maxGoal = 500
const maxOffers = 8
const comparisonWords =
  /\b(?:cheaper|cheapest|better|best|less expensive|more economical|compare|unit prices?|price per|per (?:kg|kilo|gram|100 ?g|lit(?:re|er)|piece))\b/i
const currency = '€|eur(?:os?)?|£|pounds?|\\$|dollars?|usd|gbp|chf|francs?'
const quantity = String.raw`(?:(\d{1,3})\s?[x×]\s?)?(\d+(?:\.\d+)?)\s?([\p{L}]{1,12})`
const money = String.raw`(${currency})?\s?(\d+(?:\.\d{1,2})?)\s?(${currency})?(?![\p{L}\d])`
const quantityFirst = new RegExp(String.raw`(?<![\p{L}\d.])${quantity}(?:\s+of\s+\p{L}+)?\s+(?:for|at|costs?|is|:|=)\s*${money}`, 'giu')
const priceFirst = new RegExp(String.raw`(?<![\p{L}\d.])${money}\s+(?:for|per)\s+(?:an?\s+)?${quantity}(?!\p{L})`, 'giu')
const fillers = new Set(
  'a an the which what is are one it better cheaper cheapest best deal value buy option offer offers choice price prices per unit or and vs versus than compare these this that please should i we get take pick for me money more less economical expensive to of in pack packs bag bottle box jar tin can size at same how much kg kilo gram g litre liter l piece'.split(
    ' ',
  ),
)

/** Undefined unless the goal has at least two offers of one kind of unit, and asks which is cheaper. */
export function compareUnitPrices(goal: string): MarginAnswer | undefined {
  if (goal.length > maxGoal || !comparisonWords.test(goal)) return undefined
  const [offers, currencies, rest] = readOffers(goal)
  const [first] = offers
  const words =
    rest
      .toLowerCase()
      .replace(/['’]s\b/g, '')
      .match(/[\p{L}\d]+/gu) ?? []
  if (!first || offers.length < 2 || offers.length > maxOffers || words.some((word) => !fillers.has(word))) return undefined
  const sign = commonCurrency(currencies)
  if (!sign || offers.some(({ unit, amount, price }) => unit !== first.unit || amount.n <= 0n || price.n <= 0n)) return undefined
  const isSame = new Set(offers.map(({ label }) => label)).size < offers.length
  const ranked = offers
    .map((offer): Ranked => {
      const label = isSame ? `${offer.label} (${formatFixed(offer.price, 2)})` : offer.label
      return { ...offer, label, each: divide(offer.price, offer.amount) }
    })
    .sort((one, other) => compareRationals(one.each, other.each))
  const rows = ranked.map(
    ({ label, price, each }): PriceRow => ({
      ...{ label: `${label} per ${first.unit}`, how: `${formatFixed(price, 2)} ÷ ${label}`, amount: each, isShown: true },
    }),
  )
  return { solution: { rows, notes: [verdictOf(ranked)] }, currency: sign }
}

type Ranked = Offer & { readonly each: Rational }

function verdictOf([best, next]: readonly Ranked[]): string {
  if (!best || !next) return ''
  if (compareRationals(best.each, next.each) === 0) return `${best.label} and ${next.label} have the same price per unit.`
  const saved = multiply(divide(subtract(next.each, best.each), next.each), rational(100n))
  return `Cheapest per unit: ${best.label}, ${formatFixed(saved, 1)}% less than ${next.label}.`
}

type Currency = { readonly currency: string; readonly isCurrencyFirst: boolean }

type Parts = readonly (string | undefined)[]

/** The offers, their currencies, and the goal without them. */
function readOffers(goal: string): readonly [readonly Offer[], readonly Currency[], string] {
  const offers: Offer[] = []
  const currencies: Currency[] = []
  const addOffer = ([times, count = '', noun = '']: Parts, [before, price = '0', after]: Parts) => {
    const unit = baseOf(noun)
    const amount = multiply(rationalOfDecimal(count), rational(BigInt(times ?? 1)))
    const label = `${times === undefined ? '' : `${times} × `}${count} ${noun}`
    offers.push({ label, amount: multiply(amount, unit.size), price: rationalOfDecimal(price), unit: unit.name })
    currencies.push({ currency: before ?? after ?? '', isCurrencyFirst: before !== undefined })
    return ' '
  }
  const rest = goal
    .replace(quantityFirst, (_, ...parts) => addOffer(parts.slice(0, 3), parts.slice(3, 6)))
    .replace(priceFirst, (_, ...parts) => addOffer(parts.slice(3, 6), parts.slice(0, 3)))
  return [offers, currencies, rest]
}

const bases: { readonly [kind: string]: string } = { mass: 'kg', volume: 'l', length: 'm' }

/** The unit in which offers are compared, and how much of it one of the given unit is. Other nouns are counted. */
function baseOf(noun: string): { readonly name: string; readonly size: Rational } {
  const unit = findUnit(noun)
  const base = unit && findUnit(bases[unit.kind] ?? '')
  return unit && base
    ? { name: base.symbol, size: divide(unit.size, base.size) }
    : { name: noun.toLowerCase().replace(/s$/, ''), size: rational(1n) }
}
