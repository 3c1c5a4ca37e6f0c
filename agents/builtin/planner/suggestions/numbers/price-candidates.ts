/** Candidates on prices: pieces at a price, discounts and tax. Where a discount may belong to a part only, each way is one candidate. */

import type { GoalWords } from '../goal-words.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { readAmounts, withDigits } from './read-amounts.ts'

/** The price as it was written. */
type Item = { readonly count: number; readonly price: string; readonly at: number }
type Percent = { readonly kind: 'tax' | 'discount' | 'cash'; readonly value: string; readonly at: number; readonly words: string }

const taxWords = /vat|mwst|ust|mehrwertsteuer|tva|iva|(?:sales )?tax|gst|税/iu
const cashWords = /skonto|cash discount|prompt payment|escompte|pronto pago/iu
const percentWord = /(\d) ?(?:percent|per cent|prozent|pour ?cent|por ciento)/g
const discountWords =
  /discount|off|minus|less|abzüglich|weniger|moins|menos|rabatt|nachlass|remise|réduction|rebaja|descuento|reduc\p{L}*|knock\p{L}*|折|优惠/iu
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
  /how much|total|cost|price|pay|vat|net|gross|wieviel|wie viel|kostet|kosten|preis|brutto|netto|raus|combien|prix|coût|ttc|\bht\b|cuánto|precio|cuesta|sale|pagar|多少钱|价格|一共/iu

export function priceCandidates({ request, english }: GoalWords): ReadingCandidate[] {
  const text = withDigits(english.toLowerCase()).replace(percentWord, '$1%')
  const percents = readPercents(text, cashWords.test(request))
  const items = readItems(text)
  if (!asksForMoney.test(`${request} ${english}`) || items.length === 0 || (items.length < 2 && percents.length === 0)) return []
  const explained = plainWords(
    `${request.match(/\d+/g)?.join(' ') ?? ''} ${percents.map(({ words }) => words).join(' ')} total price cost pay each net gross vat brutto netto summe preis mwst rabatt skonto stück prix remise tva chacun total precio descuento iva cada cuánto sale how much`,
  )
  const candidate = (skillId: string, sentence: string): ReadingCandidate => ({ texts: [sentence], skillId, explained })
  const tax = percents.find(({ kind }) => kind === 'tax')
  const discount = percents.find(({ kind }) => kind === 'discount')
  const cash = percents.find(({ kind }) => kind === 'cash')
  const [only] = items
  if (
    items.length === 1 &&
    only?.count === 1 &&
    tax &&
    /gross|brutto|incl|inkl|ttc|including|con iva|iva incluido|含税/iu.test(`${request} ${english}`)
  ) {
    const paid = cash ? `, and what do I pay with ${cash.value}% cash discount?` : '?'
    return [candidate('number.prices', `${only.price} gross including ${tax.value}% VAT: what is the net amount and the VAT${paid}`)]
  }
  const lines = items.map(({ count, price }) => (count === 1 ? `1 item for ${price}` : `${count} items at ${price} each`)).join(', ')
  const steps = [
    discount && `${discount.value}% discount`,
    tax && `${tax.value}% VAT`,
    cash && `minus ${cash.value}% cash discount`,
  ].filter((one) => one !== undefined)
  const found = [candidate('number.prices', `${[lines, ...steps].join(', ')}: what is the total?`)]
  if (discount && items.length > 1)
    found.unshift(...partialDiscounts(items, discount, tax).map((sentence) => candidate('number.calculation', sentence)))
  return found
}

/** The discount on the items before it, and on the first item only. */
function partialDiscounts(items: readonly Item[], discount: Percent, tax: Percent | undefined): string[] {
  const last = items.filter(({ at }) => at < discount.at).length
  const ends = [...new Set([last, 1])].filter((end) => end > 0 && end < items.length)
  const sum = (some: readonly Item[]): string => some.map(({ count, price }) => (count === 1 ? price : `${count} × ${price}`)).join(' + ')
  return ends.map((end) => {
    const reduced = `(${sum(items.slice(0, end))}) × (1 − ${discount.value}%)`
    const all = `${reduced} + ${sum(items.slice(end))}`
    return tax ? `What is (${all}) × (1 + ${tax.value}%)?` : `What is ${all}?`
  })
}

/** @param hasCash true if the client names a discount for a quick payment, which English has no word of its own for */
function readPercents(text: string, hasCash: boolean): Percent[] {
  return [...text.matchAll(/(\d{1,2}(?:\.\d{1,2})?)\s?%/g)].flatMap(({ 0: whole, 1: value = '', index }): Percent[] => {
    const near = `${text.slice(Math.max(0, index - 25), index)} ${text.slice(index, index + 30)}`
    const after = text.slice(index + whole.length, index + whole.length + 22)
    const kindOf = (part: string): Percent['kind'] | undefined =>
      cashWords.test(part) ? 'cash' : taxWords.test(part) ? 'tax' : discountWords.test(part) ? 'discount' : undefined
    const kind = kindOf(after) ?? kindOf(near)
    const said = kind === 'discount' && hasCash && !/rabatt|nachlass|remise|rebaja/iu.test(near) ? 'cash' : kind
    return said ? [{ kind: said, value, at: index, words: near }] : []
  })
}

/** Pieces at a price; a price for each piece of the items before; and other amounts with a currency or cents. */
function readItems(text: string): Item[] {
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
    if (!isSize && (hasCurrency || digits.includes('.'))) items.push({ count: 1, price: digits, at })
  }
  return items
    .filter(({ price, count }) => Number(price) > 0 && count > 0)
    .sort((a, b) => a.at - b.at)
    .slice(0, 12)
}

/** “2.4 m x 1.2” is a size and no number of pieces. */
const isMeasured = (words: string): boolean => /^[\d.]+\s*(?:m|cm|mm|km|ft|feet|inch|inches|l|litres?|liters?|kg|g)\b/.test(words)

const plainDigits = (digits: string): string => digits.replaceAll(',', '')
