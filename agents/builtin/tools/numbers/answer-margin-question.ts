/** Reads a question about cost, selling price, mark-up and margin, and computes what is missing. */
import { hasOnlyKnownWords } from './has-only-known-words.ts'
import { add, divide, formatFixed, formatRational, multiply, type Rational, rational, subtract } from './rational.ts'
import { readAmountTokens } from './read-amount-tokens.ts'
import type { PriceRow, PriceSolution } from './solve-price-calculation.ts'
import { ReadableText, withNumberPlaceholders } from './with-number-placeholders.ts'
import { commonCurrency, type WrittenCurrency } from './write-currency-amount.ts'

export type MarginAnswer = { readonly solution: PriceSolution; readonly currency: WrittenCurrency }

const known = new Set(
  (
    "a an the of for to in on at by is are was were be will would can could should do does did i we you my our me us it its them they that this these those there have has had if and then so also with from as need want know tell give show how much many what which whats what's when where i'd i'm i've " +
    'cost costs price prices selling sell sells sold buy buys bought purchase pay paid profit margin margins markup mark-up mark up gross percent percentage make made makes earn get gets per unit piece item product each set charge ask customer calculate compute work out find figure please thanks thank hi hello must get resell result final now then , . ? : ( ) = + -'
  ).split(' '),
)
const risky =
  /\b(?:vat|tax|discount|off|commission|fees?|shipping|not|no|without|except|or|than|versus|net|operating|ebit|revenue|year|month|monthly|annual|increase|double|half|write|average|first|second|total|units|pieces|return|platform|ebay|amazon|typical|good|usual)\b/

const share = '(?:profit margin|gross margin|margin|mark-?up|mark up)'

/** @returns undefined unless two of cost, price and percentage are given */
export function answerMarginQuestion(goal: string): MarginAnswer | undefined {
  const tokens = goal.length > 400 ? undefined : readAmountTokens(goal)
  if (!tokens) return undefined
  const text = new ReadableText(withNumberPlaceholders(tokens))
  if (text.numbers.length !== 2 || !/ (?:mark-?up|margin|profit|mark(?:ed)? (?:it |them |this )?up) /.test(text.text)) return undefined
  const found: { cost?: Rational; price?: Rational; markup?: Rational; margin?: Rational } = {}
  const take = (pattern: RegExp, name: 'cost' | 'price'): void =>
    text.take(pattern, ([mark = '']) => {
      const number = text.at(mark)
      if (number) found[name] = number.value
      return number && '|base|'
    })
  const setShare = (word: string, value: Rational): string => {
    found[word.includes('margin') ? 'margin' : 'markup'] = divide(value, rational(100n))
    return '|share|'
  }
  text.take(new RegExp(` %\\d+ (${share})(?= )`, 'g'), ([word = ''], [number]) => number && setShare(word, number.value))
  text.take(
    new RegExp(` (${share}|marked up|mark (?:it |them |this )?up)(?: (?:of|is|at|by|:|=|should|be)){0,3} %\\d+(?= )`, 'g'),
    ([word = ''], [number]) => number && setShare(word, number.value),
  )
  take(
    / (?:costs?|cost price|purchase price|(?:bought|buy)(?: [a-z]+(?= (?:for|at) ))?|paid|pay)(?: (?:me|us|it|them|this|is|are|of|:|=|for|at|was|price|a|an|the|unit|piece)){0,4} (#\d+)(?= )/g,
    'cost',
  )
  take(
    / (?:(?:sell|sold)(?: [a-z]+(?= (?:for|at) ))?|sells|selling|resell|price|charge)(?: (?:me|it|them|this|is|of|:|=|for|at|was|price|a|an|the|unit|piece)){0,4} (#\d+)(?= )/g,
    'price',
  )
  const currency = commonCurrency(text.numbers)
  const rest = text.text.replace(/\|share\|/g, '|base|')
  if (!currency || /[#%]\d/.test(rest) || risky.test(rest.replace(/\|[a-z]+\|/g, ' ')) || !hasOnlyKnownWords(rest, known)) return undefined
  const solution = solve(found)
  return solution && { solution, currency }
}

const one = rational(1n)
const percent = (value: Rational): string => {
  const hundredfold = multiply(value, rational(100n))
  return `${100n % hundredfold.d === 0n ? formatRational(hundredfold) : `≈ ${formatFixed(hundredfold, 2)}`}%`
}

type Given = { readonly cost?: Rational; readonly price?: Rational; readonly markup?: Rational; readonly margin?: Rational }

/** Mark-up is the profit as a share of the cost, margin as a share of the price. */
function solve({ cost, price, markup, margin }: Given): PriceSolution | undefined {
  if ((margin && (margin.n < 0n || margin.n >= margin.d)) || (markup && markup.n < 0n)) return undefined
  const factor = markup ? add(one, markup) : margin ? divide(one, subtract(one, margin)) : undefined
  const sold = price ?? (cost && factor && multiply(cost, factor))
  const bought = cost ?? (price && factor && divide(price, factor))
  if (!sold || !bought || sold.n <= 0n || bought.n <= 0n || (cost && price && factor)) return undefined
  const profit = subtract(sold, bought)
  const row = (label: string, amount: Rational, how: string): PriceRow => ({ label, amount, how, isShown: true })
  const how = factor ? (cost ? `cost × ${formatRational(factor)}` : '') : ''
  return {
    rows: [
      row('Cost', bought, factor && price ? `price ÷ ${formatRational(factor)}` : ''),
      row('Price', sold, how),
      row('Profit', profit, 'price − cost'),
    ],
    notes: [`Mark-up on the cost: ${percent(divide(profit, bought))}. Margin of the price: ${percent(divide(profit, sold))}.`],
  }
}
