/** Reads amounts of money and numbers of pieces in a request whose numbers are written as in English. */

export type Amount = {
  readonly value: number
  /** As it was written, without grouping. */
  readonly digits: string
  readonly at: number
  readonly end: number
  readonly hasCurrency: boolean
}

const currency = '€|eur(?:os?)?|£|pounds?|quid|gbp|\\$|dollars?|usd|francs?|chf|元|块'
const amount = new RegExp(
  `(?<![\\d.,])(?:(€|£|\\$)\\s?)?(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)(k\\b)?(?![\\d%]|[.,]\\d|\\s?%)(?:\\s?(${currency})(?!\\p{L}))?`,
  'giu',
)

/** Numbers in the order of the text, with `214,500` and `1.2k` in full. */
export const readAmounts = (text: string): Amount[] =>
  [...text.matchAll(amount)].map(({ 0: whole, index, 1: before, 2: digits = '', 3: thousand, 4: after }) => ({
    value: Number(digits.replaceAll(',', '')) * (thousand ? 1_000 : 1),
    digits: thousand ? String(Number(digits.replaceAll(',', '')) * 1_000) : digits.replaceAll(',', ''),
    ...{ at: index, end: index + whole.length },
    hasCurrency: before !== undefined || after !== undefined,
  }))
