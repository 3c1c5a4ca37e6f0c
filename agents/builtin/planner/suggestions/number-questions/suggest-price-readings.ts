/** Candidates on prices: pieces at a price, discounts and tax. Where a discount may belong to a part only, each way is one candidate. */

import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { classifyPercents, type Percent, withDiscountPercents } from './classify-percents.ts'
import { numberWordsToDigits, withDecimalPoints } from './number-words-to-digits.ts'
import { readAmounts } from './read-amounts.ts'
import { readSharerCounts } from './read-sharer-counts.ts'

/** The price as it was written. */
type Item = { readonly count: number; readonly price: string; readonly at: number }

const cashWords = /skonto|cash discount|prompt payment|escompte|pronto pago/iu
const percentWord = /(\d) ?(?:percent|per cent|prozent|pour ?cent|por ciento)/g
/** The price has the tax in it. */
const inclusive =
  /gross|brutto|(?<!\p{L})(?:incl|inkl)\p{L}*|\bttc\b|includ(?:es|ed|ing)|all[- ]in\b|inside|already (?:in|part)|toutes taxes|enthalten|(?:da|mit )?drin(?!\p{L})|compris|inclu\p{L}*|con (?:el )?(?:\d+ ?% (?:de )?)?iva|含税|税后/iu
/** The question asks for the price without the tax, so the given one has it. */
const asksForNet =
  /(?:wie hoch|was|wieviel|wie viel|berechne|what|how much|calculate|quel|combien|cuál|cuánto)[^.?!]{0,25}(?:netto(?:preis|betrag)?|net(?: (?:price|amount|total|cost))?|prix ht|precio neto|importe neto) (?:von|of|from|for|de)(?!\p{L})/iu
/** The price has no tax in it, so that the tax is added. */
const netPrice = /(?<!\p{L})(?:netto?|ht|hors taxes?|excl\p{L}*|exkl\p{L}*|before tax|without (?:vat|tax)|sin iva|plus|zzgl)(?!\p{L})/iu
const currency = '(?:€|eur(?:os?)?|£|pounds?|quid|\\$|dollars?|元|块)'
const money = `(?:[€£$]\\s?)?(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)\\s?${currency}?`
const pieces = new RegExp(
  `(?<![\\d.,])(\\d+(?:\\.\\d+)?)\\s*(?:x|×|\\p{L}[\\p{L}'-]*(?:\\s+\\p{L}[\\p{L}'-]*){0,3}?)\\s*(?:(?:at|for|@|à|á|a|to|zu|je|de|of|x|×|per|each|cost(?:s|ing)?|,)\\s+){1,2}${money}(?!\\s?%)`,
  'giu',
)
const perPiece = new RegExp(`${money}\\s*(?:per|por|pro|par|je|each|cada|a)\\s+(\\p{L}{2,20})`, 'giu')
const fullDate =
  /\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?\b/g
const asksForMoney =
  /how much|total|cost|price|pay|vat|net|gross|wieviel|wie viel|kostet|kosten|preis|brutto|netto|raus|combien|prix|coût|ttc|\bht\b|cuánto|precio|cuesta|sale|pagar|überweis|transfer|多少钱|价格|一共/iu

export function suggestPriceReadings({ request, english, language }: GoalParts): ReadingCandidate[] {
  const wording = language === 'zh' ? withDiscountPercents(request) : withDecimalPoints(english)
  const text = numberWordsToDigits(wording.toLowerCase()).replace(percentWord, '$1%')
  const percents = classifyPercents(text, cashWords.test(request))
  const items = readItems(text, percents ?? [])
  const sharers = items.every(({ count }) => count === 1) ? readSharerCounts(`${language === 'zh' ? request : wording} ${request}`) : []
  const isGross =
    percents?.length === 1 && percents[0]?.kind === 'tax' && (inclusive.test(`${request} ${english}`) || asksForNet.test(request))
  const isAsked = isGross || sharers.length > 0 || asksForMoney.test(`${request} ${english}`)
  // A reading without one of the percentages would be another problem.
  if (!percents || !isAsked || items.length === 0) return []
  if (items.length < 2 && percents.length === 0 && sharers.length === 0) return []
  const matchedWords = plainWords(
    `${items.map(({ count, price }) => `${count} ${price}`).join(' ')} ${percents.map(({ words, value }) => `${words} ${value}`).join(' ')} ${sharers.join(' ')} ${request.match(inclusive)?.[0] ?? ''} ${priceWords}`,
  )
  const candidate = (skillId: string, sentence: string): ReadingCandidate => ({ texts: [sentence], skillId, matchedWords })
  const gross = isGross ? writeGross(items, percents, text) : undefined
  if (gross !== undefined) return [candidate('number.prices', gross)]
  const lines = items.map(({ count, price }) => (count === 1 ? `1 item for ${price}` : `${count} items at ${price} each`)).join(', ')
  const adjustments = adjustmentsOf(percents)
  if (!adjustments) return []
  const problem = [lines, ...adjustments].join(', ')
  if (sharers.length > 0)
    return sharers.map((count) => candidate('number.prices', `${problem}, split between ${count} people: what does each pay?`))
  const [discount, ...others] = percents.filter(({ kind }) => kind === 'discount')
  const found = [candidate('number.prices', `${problem}: what is the total?`)]
  const isPartial =
    discount && others.length === 0 && items.length > 1 && percents.every(({ kind }) => kind === 'discount' || kind === 'tax')
  const tax = percents.find(({ kind }) => kind === 'tax')
  if (!isPartial) return found
  const partial = partialDiscounts(items, discount, tax).map((sentence) => candidate('number.calculation', sentence))
  // Behind all items, a discount is more likely on all of them.
  return items.every(({ at }) => at < discount.at) ? [...found, ...partial] : [...partial, ...found]
}

const priceWords =
  'total price cost pay each net gross vat tax already inside goes paid customer brutto netto summe preis mwst steuer rabatt nachlass skonto stück rechnung person jeder zahlt prix remise tva facture addition chacun personne total precio descuento iva cuenta cada cuánto sale how much bill split share us 元 账单 每人 平摊 大家 折 打 原价 现在'

/** The net amount and the tax in one gross price. Undefined: the price is net, or there are several. */
function writeGross([only, ...others]: readonly Item[], [tax]: readonly Percent[], text: string): string | undefined {
  if (!only || !tax || others.length > 0 || only.count !== 1) return undefined
  const beside = `${text.slice(Math.max(0, only.at - 8), only.at)} ${text.slice(only.at, only.at + only.price.length + 14)}`
  return netPrice.test(beside) ? undefined : `${only.price} gross including ${tax.value}% VAT: what is the net amount and the VAT?`
}

/** Discounts, then tax, then a service charge and what a quick payment saves. Undefined: two of them are of one kind. */
function adjustmentsOf(percents: readonly Percent[]): string[] | undefined {
  if (new Set(percents.map(({ kind }) => kind)).size < percents.length) return undefined
  const write = { discount: '% discount', tax: '% VAT', service: '% service charge', cash: '% cash discount' } as const
  return (['discount', 'tax', 'service', 'cash'] as const).flatMap((kind) =>
    percents.filter((one) => one.kind === kind).map(({ value }) => `${kind === 'cash' ? 'minus ' : ''}${value}${write[kind]}`),
  )
}

/** The discount on the items before it, and on the first item only. */
function partialDiscounts(items: readonly Item[], discount: Percent, tax: Percent | undefined): string[] {
  const last = items.filter(({ at }) => at < discount.at).length
  const ends = [...new Set([last, 1])].filter((end) => end > 0 && end < items.length)
  const sumFormula = (part: readonly Item[]): string =>
    part.map(({ count, price }) => (count === 1 ? price : `${count} × ${price}`)).join(' + ')
  return ends.map((end) => {
    const reduced = `(${sumFormula(items.slice(0, end))}) × (1 − ${discount.value}%)`
    const all = `${reduced} + ${sumFormula(items.slice(end))}`
    return tax ? `What is (${all}) × (1 + ${tax.value}%)?` : `What is ${all}?`
  })
}

/** Pieces at a price; a price for each piece of the items before; and other amounts with a currency or cents. */
function readItems(text: string, percents: readonly Percent[]): Item[] {
  let rest = text
    .replace(fullDate, (part) => ' '.repeat(part.length))
    .replace(/(\d{1,2}(?:\.\d{1,2})?)\s?%/g, (part) => ' '.repeat(part.length))
  const items: Item[] = []
  const take = (pattern: RegExp, build: (match: RegExpExecArray) => Item | undefined): void => {
    for (const match of rest.matchAll(pattern)) {
      const item = build(match)
      if (!item) continue
      items.push(item)
      rest = rest.slice(0, match.index) + ' '.repeat(match[0].length) + rest.slice(match.index + match[0].length)
    }
  }
  take(pieces, ({ 0: whole, 1: count = '', 2: price = '', index }) =>
    isMeasured(whole) ? undefined : { count: Number(count), price: plainDigits(price), at: index },
  )
  const [first] = items
  take(perPiece, ({ 1: price = '', index }) =>
    first && first.at < index ? { count: first.count, price: plainDigits(price), at: index } : undefined,
  )
  for (const { digits, at, end, hasCurrency } of readAmounts(rest)) {
    const isSize = /^\s*(?:m|cm|mm|km|ft|feet|inch|inches|l|ml|litres?|liters?|kg|g|mpg|psi|°)(?![a-z])/.test(rest.slice(end))
    // “A twelfth of the 6.9” is the percentage again.
    const isPercent = percents.some(({ value }) => Number(value) === Number(digits))
    if (!isSize && !isPercent && (hasCurrency || digits.includes('.'))) items.push({ count: 1, price: digits, at })
  }
  return items
    .filter(({ price, count }) => Number(price) > 0 && count > 0)
    .sort((a, b) => a.at - b.at)
    .slice(0, 12)
}

/** “2.4 m x 1.2” is a size and no number of pieces. */
const isMeasured = (words: string): boolean => /^[\d.]+\s*(?:m|cm|mm|km|ft|feet|inch|inches|l|litres?|liters?|kg|g)\b/.test(words)

const plainDigits = (digits: string): string => digits.replaceAll(',', '')
