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
  `(?<![\\d.,])(?:(€|£|\\$)\\s?)?(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)(k\\b)?(?![\\d%]|\\s?%)(?:\\s?(${currency})(?!\\p{L}))?`,
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

const counts: { readonly [word: string]: number } = {
  ...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12, dozen: 12 },
  ...{
    ein: 1,
    eine: 1,
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    sieben: 7,
    neun: 9,
    acht: 8,
    zehn: 10,
    un: 1,
    une: 1,
    deux: 2,
    trois: 3,
    quatre: 4,
    cinq: 5,
    sept: 7,
    huit: 8,
  },
  ...{ una: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7, ocho: 8, diez: 10 },
}
const countWord = Object.keys(counts)
  .filter((word) => word.length > 2)
  .join('|')

/** “four tyres” as “4 tyres”, and “seven and a half hours” as “7.5 hours”. */
export const withDigits = (text: string): string =>
  text
    .replace(new RegExp(`(?<!\\p{L})(${countWord})(?!\\p{L})`, 'giu'), (word) => String(counts[word.toLowerCase()] ?? word))
    .replace(/(\d+) and a half/gi, '$1.5')
