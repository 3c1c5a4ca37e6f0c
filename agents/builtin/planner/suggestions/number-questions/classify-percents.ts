/** Reads what each percentage of a price problem is: tax, a discount or a service charge. */

export type Percent = {
  readonly kind: 'tax' | 'discount' | 'cash' | 'service'
  readonly value: string
  readonly at: number
  /** The words around it. */
  readonly words: string
}

const word = (source: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${source})(?![\\p{L}])`, 'iu')
const taxWords = word(
  'vat|tax(?:es|man)?|gst|hst|mwst|ust|(?:mehrwert|umsatz)?steuer|tva|taxe|impôts?|iva|impuestos?|\\p{L}*税\\p{L}*|igic|btw',
)
const cashWords = word('skonto|cash discount|prompt payment|escompte|pronto pago')
const serviceWords = word('tips?|service(?: charge)?|gratuity|trinkgeld|bedienung|pourboire|propina|servicio|小费|服务费')
const discountWords = word(
  'discount(?:s|ed)?|off|minus|less|cheaper|rebate|abzüglich|weniger|abzug|moins|menos|\\p{L}*rabatt\\p{L}*|\\p{L}*nachlass|ermäßigung|remises?|ristourne|réductions?|rebaj\\p{L}*|descuent\\p{L}*|reduc\\p{L}*|knock\\p{L}*|折扣?|优惠',
)
const percent = /(?<![\d.,])(\d{1,2}(?:\.\d{1,2})?)\s?%/g

/**
 * Undefined if the role of a percentage is unclear.
 *
 * @param text in lower case, with numbers as English writes them
 * @param hasCash true if the client names a discount for a quick payment
 */
export function classifyPercents(text: string, hasCash: boolean): Percent[] | undefined {
  const found = [...text.matchAll(percent)]
  const ends = found.map(({ 0: whole, index }) => index + whole.length)
  const sides = found.map(({ index }, at) => ({
    before: text.slice(Math.max(ends[at - 1] ?? 0, index - 40), index),
    after: text.slice(ends[at], Math.min(found[at + 1]?.index ?? text.length, (ends[at] ?? 0) + 40)),
  }))
  // “Discount 5% VAT 20%”: all words stand before their percentages, or all behind.
  const isBefore = kindOf(clauseBefore(sides[0]?.before ?? '')) !== undefined
  const read = found.map(({ 1: value = '', index }, at): Percent | undefined => {
    const { before = '', after = '' } = sides[at] ?? {}
    const near = [clauseBefore(before), clauseAfter(after)]
    const kind = firstKind([...(isBefore ? near : near.toReversed()), before, after])
    const words = `${before} ${after}`
    const isCash = kind === 'discount' && hasCash && !/rabatt|nachlass|remise|rebaja/iu.test(words)
    return kind && { kind: isCash ? 'cash' : kind, value, at: index, words }
  })
  const known = read.filter((one) => one !== undefined)
  return known.length === read.length ? known : undefined
}

const firstKind = (parts: readonly string[]): Percent['kind'] | undefined => parts.map(kindOf).find((kind) => kind !== undefined)

function kindOf(part: string): Percent['kind'] | undefined {
  if (cashWords.test(part)) return 'cash'
  if (taxWords.test(part)) return 'tax'
  if (serviceWords.test(part)) return 'service'
  return discountWords.test(part) ? 'discount' : undefined
}

const clauseBefore = (text: string): string => text.split(/[,;.:!?，。；]/).at(-1) ?? ''
const clauseAfter = (text: string): string => text.split(/[,;.:!?，。；]/)[0] ?? ''

const hanDigits = '零一二三四五六七八九'

/** `打八八折` as `12% discount`: the digits are tenths of the price that stay. */
export const withDiscountPercents = (text: string): string =>
  text.replace(/打?([零一二三四五六七八九\d]{1,2}(?:\.\d)?)\s?折/gu, (whole, tenths: string) => {
    const digits = [...tenths].map((one) => (hanDigits.includes(one) ? String(hanDigits.indexOf(one)) : one)).join('')
    const left = digits.includes('.') || digits.length === 1 ? Number(digits) * 10 : Number(digits)
    return left > 0 && left < 100 ? ` ${Math.round((100 - left) * 10) / 10}% discount ` : whole
  })
