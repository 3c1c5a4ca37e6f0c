/** Reads the lines of a quote or a bill, such as `3 chairs at 79.50 each`. */

import type { PriceLine } from './price-calculation-types.ts'
import { formatRational, multiply, type Rational, rational } from './rational.ts'
import type { NumberToken } from './read-amount-tokens.ts'
import type { ReadableText } from './with-number-placeholders.ts'

/** Words that give a number another role, so that no item has them in its name. */
const roleWord =
  '(?:vat|tax|gst|mwst|discount|off|rebate|tips?|gratuity|markup|margin|deposit|ways|total|net|gross|bill|is|are|was|were|be|costs?|costing|pay|paid|split|between|at|for|plus|minus|and|then|with|each|if|what|how|i|we|you|priced?|per|including|incl|from|to|now|sell|sold|buy|bought|or|that|which|apiece|a|an|the)'
const word = `(?!${roleWord} )[a-zß-öø-ÿœ][a-z0-9ß-öø-ÿœ'&/-]*`
const each =
  '(?:each|apiece|ea|a piece|per piece|per unit|per item|the piece|pp|p/p|(?:per|a|an|/) ?(?:person|head|pax|guest|hour|hr|h|day|night|week|month|seat|licen[cs]e|user|ticket|box|bottle|pack|kg|kilo|m|m2|meter|metre|l|litre|liter|page|word|session|visit|copy|set|pair|room|bag|roll|sheet))'
const unitWord = `(?:(?:pcs|pc|pieces|units|x|×) )?(?:of |no )?`
const link = '(?:that |which )?(?:at|@|à|for|costing|cost|priced at|×|:|,|\\(|-)'
const price = `(?:a price of |the price of )?(#\\d+)(?: net)?(?: (?:[-,] )?(${each}))?(?: \\))?(?= )`
const counted = new RegExp(` (#\\d+|one) ${unitWord}((?:${word} ){0,5})(?:(${link}) )?${price}`, 'g')
const single = new RegExp(` (an?|the) ((?:${word} ){1,5})(?:(at|@|à|for|costing|priced at) )${price}`, 'g')
const priceFirst = new RegExp(
  ` (#\\d+) (${each} )?(?:×|times|for) (#\\d+)(?: ((?:${word} ){0,2}${word}))?(?= [,.?|;+]| and | plus | $)`,
  'g',
)
/** A line without a quantity, among others. */
const uncounted = new RegExp(`(?<= (?:[,:+]|and|plus)) ((?:${word} ){1,3})(?:(for|at|@|:|-) )?(#\\d+)(?= )`, 'g')

type Item = {
  readonly quantity: NumberToken | undefined
  readonly name: string
  readonly link: string
  readonly price: NumberToken
  readonly isEach: boolean
}

/** A price for several things is for all of them after `for`, and for each of them after `at`. */
function lineOf({ quantity, name, link, price, isEach }: Item, place: number): PriceLine | undefined {
  if (price.isPercent || price.isWord || (quantity && (quantity.currency !== '' || quantity.isPercent))) return undefined
  const count = quantity?.value ?? rational(1n)
  const isSingle = count.n === count.d
  const isUnitPrice = isEach || link === 'at' || link === '@' || link === 'à' || link === '×' || link === 'priced at'
  if (!isSingle && !isUnitPrice && link !== 'for') return undefined
  if (isSingle && !isEach && (link === '' || (!quantity && !/^(?:for|costing|cost)$/.test(link)))) return undefined
  if ((link === ',' || link === '(' || link === '-') && !isEach) return undefined
  const label = name === '' ? productOf(count, price.value) : `${quantity ? formatRational(count) : '1'} ${name}`
  if (isSingle || isUnitPrice)
    return { label, how: isSingle ? '' : productOf(count, price.value), amount: multiply(count, price.value), place }
  return { label, how: 'for all together', amount: price.value, place }
}

/** The whole number first: `2 × 14.99`. */
const productOf = (a: Rational, b: Rational): string => {
  const [first, second] = a.d === 1n || b.d !== 1n ? [a, b] : [b, a]
  return `${formatRational(first)} × ${formatRational(second)}`
}

/** Takes the lines out of the text, in order. */
export function readLineItems(text: ReadableText): PriceLine[] {
  const lines: PriceLine[] = []
  const readCounted = ([countMark = '', names = '', link = '', priceMark = '', unit = '']: readonly string[]): string | undefined => {
    const name = names.trim().replace(/^of /, '')
    const quantity = countMark.startsWith('#') ? text.at(countMark) : undefined
    const price = text.at(priceMark)
    if (!price || (name === '' && (link !== '×' || !quantity))) return undefined
    // A person who pays is no item, unless the price is for each.
    if (/^(?:people|persons|guests|friends)$/.test(name) && unit === '') return undefined
    const line = lineOf(
      { quantity, name, link: link.replace(/^(?:that|which) /, ''), price, isEach: unit !== '' },
      Number(priceMark.slice(1)),
    )
    if (line) lines.push(line)
    return line && '|item|'
  }
  text.take(counted, readCounted)
  text.take(single, readCounted)
  text.take(priceFirst, ([priceMark = '', unit = '', countMark = '', name = '']) => {
    const [price, quantity] = [text.at(priceMark), text.at(countMark)]
    if (!price || !quantity || (unit === '' && name !== '' && price.currency === '')) return undefined
    const line = lineOf({ quantity, name: name.trim(), link: '×', price, isEach: true }, Number(priceMark.slice(1)))
    if (line) lines.push(line)
    return line && '|item|'
  })
  if (lines.length > 0)
    text.take(uncounted, ([name = '', , priceMark = '']) => {
      const price = text.at(priceMark)
      if (!price || price.isWord) return undefined
      lines.push({ label: name.trim(), how: '', amount: price.value, place: Number(priceMark.slice(1)) })
      return '|item|'
    })
  return lines.sort((a, b) => a.place - b.place)
}
