/** Splits a goal into words, marks and the numbers that people write beside them, with percent signs and currencies. */

import { formatRational, multiply, type Rational, rational, rationalOfDecimal } from './rational.ts'
import { magnitudeOf, readNumberWords, smallNumberOf } from './read-number-words.ts'

export type NumberToken = {
  readonly kind: 'number'
  readonly value: Rational
  readonly text: string
  readonly isPercent: boolean
  /** As written, such as `$`, `EUR` or `euros`; empty if there is none. */
  readonly currency: string
  /** True for `$5`, false for `5 EUR`. */
  readonly isCurrencyFirst: boolean
  /** True for `five`. */
  readonly isWord: boolean
}
export type AmountToken =
  | NumberToken
  | { readonly kind: 'word'; readonly word: string }
  /** One character; `.` stands for every end of a sentence, and `?` for the end of a question. */
  | { readonly kind: 'mark'; readonly mark: string }

const codes = 'eur|usd|gbp|chf|cad|aud|nzd|inr|sek|nok|dkk|pln|czk|huf|zar|rs'
const currencyNames = `${codes}|euros?|dollars?|bucks|pounds?|quid|francs?|rupees?|kronor|kroner|zloty|yuan|rmb`
const pattern = new RegExp(
  [
    String.raw`(?:(?<before>[$€£¥]|\b(?:${codes})\b\.?)[ ]?)?(?<![a-z])(?<number>\d[\d,.]*\d|\d)(?:(?<thousand>k)\b)?(?: ?(?<percent>%|percent\b|per cent\b|pct\b))?(?: ?(?<after>[€$£¥元]|(?:${currencyNames})\b))?`,
    String.raw`(?<short>\b(?:incl|excl|approx|ea|pcs|pc|qty|no|max|min|pp|yrs?|mos?)\.)`,
    String.raw`(?<times>\bx(?=\d)|\bx\b)`,
    "(?<word>[a-zß-öø-ÿœ][a-z0-9ß-öø-ÿœ'&-]*)",
    String.raw`(?<mark>[^\s])`,
    String.raw`(?<line>\n)`,
  ].join('|'),
  'gi',
)

/** The value of a number with separators. Undefined for `1.250`, which may be 1250 or 1.25, and for what is no number. */
export function readSeparatedNumber(text: string): Rational | undefined {
  if (/^\d+$/.test(text)) return rationalOfDecimal(text)
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return rationalOfDecimal(text.replaceAll(',', ''))
  if (/^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(text) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(text))
    return rationalOfDecimal(text.replaceAll('.', '').replace(',', '.'))
  if (/^\d+,\d{1,2}$/.test(text)) return rationalOfDecimal(text.replace(',', '.'))
  return /^\d+\.\d+$/.test(text) && !/^[1-9]\d{0,2}\.\d{3}$/.test(text) ? rationalOfDecimal(text) : undefined
}

/** The tokens of a text, or undefined if a number has two meanings. */
export function readAmountTokens(text: string): AmountToken[] | undefined {
  const plain = withLargeNumbers(text.toLowerCase())
    .replace(/[’‘`]/g, "'")
    .replace(/[–—−]/g, '-')
    .replace(/\u00a0/g, ' ')
  // “Several thousand euros” is no amount, and neither is the number before it.
  if (/\b(?:hundred|thousand|million|billion|trillion)s?\b|\bgrand\b/.test(plain)) return undefined
  const tokens: AmountToken[] = []
  for (const { groups = {}, index, 0: whole } of plain.matchAll(pattern)) {
    if (groups.number !== undefined) {
      const token = numberToken(groups)
      if (!token) return undefined
      tokens.push(token)
    } else if (groups.short !== undefined) tokens.push({ kind: 'word', word: groups.short.slice(0, -1) })
    else if (groups.times !== undefined) tokens.push({ kind: 'mark', mark: '×' })
    else if (groups.word !== undefined) tokens.push(wordToken(groups.word))
    else if (groups.line !== undefined) tokens.push({ kind: 'mark', mark: '.' })
    else tokens.push({ kind: 'mark', mark: markOf(whole, plain[index + 1] ?? ' ') })
  }
  return tokens
}

/** `four thousand` as `4000`, and `2.5 million` as `2500000`. A number of one word stays. */
function withLargeNumbers(text: string): string {
  const joined = text.replace(/[a-z]+(?:[ -][a-z]+)+/g, (run) => {
    const words = run.split(/[ -]/)
    const out: string[] = []
    for (let at = 0; at < words.length; at++) {
      const found = readNumberWords(words, at)
      out.push(found && found.count > 1 ? String(found.value) : (words[at] ?? ''))
      if (found && found.count > 1) at += found.count - 1
    }
    return out.length === words.length ? run : out.join(' ')
  })
  return joined.replace(/(?<![\w.,])(\d[\d,.]*) (hundred|thousand|million|billion)\b/g, (whole, digits: string, word: string) => {
    const value = readSeparatedNumber(digits)
    return value ? formatRational(multiply(value, rational(magnitudeOf(word) ?? 1n))).replaceAll(',', '') : whole
  })
}

/** An end of a sentence is one only before a space. */
const markOf = (mark: string, next: string): string =>
  mark === '*' ? '×' : '!;'.includes(mark) || (mark === '.' && /\s/.test(next)) ? '.' : mark

type Groups = { readonly [name: string]: string | undefined }

function numberToken({ number = '', thousand, percent, before, after }: Groups): NumberToken | undefined {
  const read = readSeparatedNumber(number)
  if (!read || (before !== undefined && after !== undefined) || (percent !== undefined && (before ?? after) !== undefined)) return undefined
  return {
    kind: 'number',
    value: thousand === undefined ? read : multiply(read, rational(1_000n)),
    text: `${number}${thousand ?? ''}`,
    isPercent: percent !== undefined,
    currency: before ?? after ?? '',
    isCurrencyFirst: before !== undefined,
    isWord: false,
  }
}

/** `five` is a number, but `one` is mostly a pronoun. */
function wordToken(word: string): AmountToken {
  const value = word === 'one' || word === 'zero' ? undefined : word === 'dozen' ? 12 : smallNumberOf(word)
  if (value === undefined) return { kind: 'word', word }
  const number = rational(BigInt(value))
  return { kind: 'number', value: number, text: word, isPercent: false, currency: '', isCurrencyFirst: false, isWord: true }
}

/** The tokens from one sentence end to the next. */
export function amountSentences(tokens: readonly AmountToken[]): AmountToken[][] {
  const sentences: AmountToken[][] = [[]]
  for (const token of tokens) {
    const isEnd = token.kind === 'mark' && (token.mark === '.' || token.mark === '?')
    if (!(token.kind === 'mark' && token.mark === '.')) sentences.at(-1)?.push(token)
    if (isEnd) sentences.push([])
  }
  return sentences.filter((sentence) => sentence.some(({ kind }) => kind !== 'mark'))
}
