/** Reads an amount that is split in a ratio, and a mean with weights. */
import {
  add,
  divide,
  formatFixed,
  formatRational,
  fractionDigits,
  hasFiniteDecimal,
  multiply,
  type Rational,
  rational,
  rationalOfDecimal,
} from './rational.ts'

/** `240 in the ratio 3 : 5`. */
export type RatioShares = { readonly kind: 'shares'; readonly total: Rational; readonly ratio: readonly Rational[] }
/** `1.7 (60%) and 2.3 (40%)`. The weights are percentages. */
export type WeightedMean = { readonly kind: 'weighted mean'; readonly values: readonly Rational[]; readonly weights: readonly Rational[] }

const number = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`
const parts = String.raw`(\d+(?:\.\d+)?(?: ?(?::|to) ?\d+(?:\.\d+)?){1,9})`
const money = '(?:[$€£¥]|usd|eur|gbp|chf|euros?|dollars?|pounds?|francs?|bucks)'
const shares: readonly RegExp[] = [
  new RegExp(
    `^(?:divide|split|share|distribute) ${money}? ?(${number}) ?${money}?(?: (?:between|among|for|to)(?: the)? [\\p{L} ,&]{1,60}?)? (?:in|by|at|into|with)(?: the| a)? ratio(?: of)? ${parts}(?: (?:between|among)(?: the)? [\\p{L} ,&]{1,60})?$`,
    'u',
  ),
  new RegExp(`^${money}? ?(${number}) ?${money}? (?:divided|split|shared) (?:in|by|into)(?: the| a)? ratio(?: of)? ${parts}$`, 'u'),
]

/** `text`: in lower case, without polite phrases. */
export function readRatioShares(text: string): RatioShares | undefined {
  const plain = text.replace(/^(?:how (?:do|can|would|should) (?:i|we|you) |i (?:want|need|have) to |we (?:want|need|have) to )/, '')
  const [, total = '', ratio = ''] = shares.map((one) => one.exec(plain)).find((one) => one !== null) ?? []
  const terms = ratio.match(/\d+(?:\.\d+)?/g)?.map(rationalOfDecimal) ?? []
  return terms.length > 1 && terms.every(({ n }) => n > 0n)
    ? { kind: 'shares', total: rationalOfDecimal(total.replaceAll(',', '')), ratio: terms }
    : undefined
}

const weightFirst =
  /(\d+(?:\.\d+)?) ?% ?(?:with|at|for|:|=|is|was|,|-|weight|of)? ?(?:an?|the|grade|mark|score)? ?(\d+(?:\.\d+)?)(?! ?%|[\d.])/g
const valueFirst =
  /(\d+(?:\.\d+)?)(?![\d.%]| %) ?(?:with|at|for|:|=|\(|,|-|weighted|weighs|counts)? ?(?:an?|the)? ?(?:weight(?: of)?)? ?(\d+(?:\.\d+)?) ?%/g

/** Values with a weight in percent each, if the words ask for their weighted mean. */
export function readWeightedMean(text: string): WeightedMean | undefined {
  if (!/\bweighted\b/.test(text)) return undefined
  const count = text.match(/\d+(?:\.\d+)?/g)?.length ?? 0
  const read = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, a = '', b = '']) => [rationalOfDecimal(a), rationalOfDecimal(b)] as const)
  const first = /\d+(?:\.\d+)? ?%/.exec(text)?.index ?? 0
  const isWeightFirst = !/\d/.test(text.slice(0, first))
  const pairs = read(isWeightFirst ? weightFirst : valueFirst)
  if (pairs.length < 2 || pairs.length * 2 !== count) return undefined
  const [values, weights] = isWeightFirst ? [1, 0] : [0, 1]
  const mean = { values: pairs.map((pair) => pair[values] as Rational), weights: pairs.map((pair) => pair[weights] as Rational) }
  return mean.weights.every(({ n }) => n > 0n) ? { kind: 'weighted mean', ...mean } : undefined
}

const sumOf = (values: readonly Rational[]): Rational => values.reduce(add, rational(0n))
const isShort = (value: Rational): boolean => hasFiniteDecimal(value) && fractionDigits(value) <= 4

export function answerShares({ total, ratio }: RatioShares): string {
  const whole = sumOf(ratio)
  const found = ratio.map((part) => divide(multiply(total, part), whole))
  const isExact = found.every(isShort)
  const written = found.map((one) => (isExact ? formatRational(one) : formatFixed(one, 2))).join(' : ')
  return `${formatRational(total)} in the ratio ${ratio.map(formatRational).join(' : ')} is ${isExact ? '' : 'about '}${written}.`
}

/** The weights need not add up to 100 %. */
export function answerWeightedMean({ values, weights }: WeightedMean): string {
  const whole = sumOf(weights)
  const mean = divide(sumOf(values.map((value, at) => multiply(value, weights[at] as Rational))), whole)
  const written = isShort(mean) ? formatRational(mean) : `≈ ${formatFixed(mean, 4)}`
  return `The weighted mean of ${values.length} values is ${written}, with weights of ${formatRational(whole)}% together.`
}
