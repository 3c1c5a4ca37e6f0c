/** Reads a conversion of units from the words of a goal. */

import { trimPoliteness } from '../strip-politeness.ts'
import { type Expression, evaluateExpression } from './evaluate-expression.ts'
import { currencyOf, findUnit, type Unit } from './find-unit.ts'
import { parseExpression } from './parse-expression.ts'
import { divide, type Rational } from './rational.ts'
import { type ResultForm, readForm } from './read-calculation.ts'
import { splitSentences } from './split-sentences.ts'

/** A length such as 6 ft 2 in has two parts. */
export type QuantityPart = { readonly amount: Rational; readonly text: string; readonly unit: Unit }

export type Conversion =
  | {
      readonly kind: 'units'
      readonly parts: readonly QuantityPart[]
      readonly targets: readonly Unit[]
      /** True: the targets share one value, as in 5 feet and 11 inches. */
      readonly isMixed: boolean
      readonly form: ResultForm
    }
  | {
      readonly kind: 'currencies'
      readonly amount: Rational
      readonly from: string
      readonly to: string
      /** Units of `to` for one of `from`, if the client gives it. */
      readonly rate?: Rational
    }

const numeral = String.raw`(?:[-−]?(?:\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+)(?:\s+\d+\s*\/\s*\d+|\s*\/\s*\d+|\s*[½¼¾⅓⅔])?|[½¼¾⅓⅔])`
const spelled = `(?:(?:minus )?(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|third|thirds|quarter|quarters|dozen|and a half|and a quarter|and|of)[ -])+)`
const amountPattern = new RegExp(
  `^(${numeral}(?: ?(?:thousand|million|billion)\\b| and a half\\b| and a quarter\\b)?|${spelled})\\s*(.*)$`,
  'i',
)

/** The value of `5`, `1 1/2`, `half a`, `two and a half` or `a`. */
function readAmount(text: string): Rational | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/-/g, (mark, at: number) => (at === 0 ? mark : ' '))
    .replace(/^(?:an?|one)$/, '1')
    .replace(/^half(?: of)?(?: an?)?$/, '1/2')
    .replace(/^(?:a )?half(?: of)?(?: an?)?$/, '1/2')
    .replace(/ (?:of )?an?$/, '')
    .replace(/ of$/, '')
    .replace(/(.+) and a half$/, '$1 + 1/2')
    .replace(/(.+) and a quarter$/, '$1 + 1/4')
    .replace(/^an? \+/, '1 +')
    .replace(/(\d) ?([½¼¾⅓⅔])/, '$1 + $2')
  const expression = parseExpression(words)
  const isDividedByZero = expression?.kind === 'binary' && /\/ *0/.test(words)
  return expression && !isDividedByZero && isSmall(expression) ? evaluateExpression(expression) : undefined
}

/** No function or power, so that the value is computed without a refusal. */
const isSmall = (expression: Expression): boolean =>
  expression.kind === 'binary'
    ? expression.operator !== '^' && expression.operator !== 'mod' && isSmall(expression.left) && isSmall(expression.right)
    : expression.kind === 'number' || (expression.kind === 'negative' && isSmall(expression.of))

/** `6'2"` as `6 ft 2 in`, `5ft` as `5 ft`, and `1h30` as `1 h 30 min`. */
export const spaced = (text: string): string =>
  text
    .replace(/(\d)\s*(?:'|′)\s*(\d+(?:\.\d+)?)\s*(?:"|″|'')?/g, '$1 ft $2 in')
    .replace(/(\d)\s*(?:'|′)(?=\s|$)/g, '$1 ft')
    .replace(/(\d)\s*(?:"|″)/g, '$1 in')
    .replace(/(\d)\s*h\s*(\d{1,2})\b(?!\s*(?:m|min))/gi, '$1 h $2 min')
    .replace(/(\d) (feet|foot|ft) (\d+(?:\.\d+)?)$/i, '$1 ft $3 in')

/** The parts of a quantity, or undefined if it is none. */
export function readQuantity(text: string): QuantityPart[] | undefined {
  let rest = spaced(
    text.trim().replace(/^(?:about|around|approximately|exactly|roughly|the|a distance of|a temperature of|a weight of) /i, ''),
  )
  const parts: QuantityPart[] = []
  while (rest !== '' && parts.length < 4) {
    const [, amountText = '', tail = ''] = amountPattern.exec(rest) ?? []
    const amount = amountText === '' ? undefined : readAmount(amountText)
    if (!amount) return undefined
    const found = readUnit(tail)
    if (!found) return undefined
    const text = /\d/.test(amountText) ? amountText.trim() : ''
    parts.push({ amount, text, unit: found.unit })
    rest = tail.slice(found.length).replace(/^[\s,]*(?:and )?/, '')
  }
  const [first] = parts
  const isFalling = parts.every((part, index) => index === 0 || isSmaller(part.unit, parts[index - 1]?.unit))
  return first && rest === '' && isFalling ? parts : undefined
}

const isSmaller = (unit: Unit, other: Unit | undefined): boolean =>
  other?.kind === unit.kind && other.zero === undefined && unit.size.n * other.size.d < other.size.n * unit.size.d

/** The longest unit at the start of a text: it ends the text, or a number follows. */
function readUnit(text: string): { readonly unit: Unit; readonly length: number } | undefined {
  const next = /(?<![\s,])[\s,]+(?:and )?(?=\d)/i.exec(text)
  const whole = findUnit(text)
  if (whole) return { unit: whole, length: text.length }
  const first = next && next.index > 0 ? findUnit(text.slice(0, next.index)) : undefined
  return first && next ? { unit: first, length: next.index } : undefined
}

/** Units that share one value, as in 5 feet and 11 inches. */
export const mixedKinds: ReadonlySet<string> = new Set([
  'ft in',
  'lb oz',
  'st lb',
  'hours minutes',
  'hours minutes seconds',
  'minutes seconds',
  'days hours',
  'days hours minutes',
  'weeks days',
  'years months',
  'years days',
  'yd ft',
  'mi ft',
  'days hours minutes seconds',
  '° arcmin',
  '° arcmin arcsec',
])

export type Target = { readonly units: readonly Unit[]; readonly isMixed: boolean }

export function readTarget(text: string): Target | undefined {
  const bare = text
    .trim()
    .replace(/^(?:the )?(?:equivalent |same |unit |units |an? )?(?:in |of )?/i, '')
    .replace(/^(?:us|american)? ?units? of /i, '')
  const units = (findUnit(bare) ? [bare] : bare.split(/\s*(?:,|\band\b|&|\bor\b)\s*/).filter((part) => part !== '')).map((part) =>
    findUnit(part),
  )
  if (units.length === 0 || units.length > 6 || !units.every((unit) => unit !== undefined)) return undefined
  return { units, isMixed: mixedKinds.has(units.map((unit) => unit.symbol).join(' ')) }
}

/** The quantity stands first or second in a pattern. */
const patterns: readonly (readonly [RegExp, 'quantity first' | 'target first'])[] = [
  [
    /^how (?:many|much) (.+?) (?:are there (?:in|to)|are contained in|are equal to|are in|is in|fit in|fit into|go into|make up|make|are|is|in|equals?|to|per|would be|does|do|can) (.+?)(?: (?:have|has|make|makes|contain|equal|come to|be|last|hold|is|are|take))?$/i,
    'target first',
  ],
  [/^(?:there are |there is )?how many (.+?) (?:in|to|per) (.+)$/i, 'target first'],
  [/^how (?:many|much) ([a-z][a-z² -]*?) ((?:\d|an? |one |half ).+?) (?:are|is|make|makes|equals?|has|have)$/i, 'target first'],
  [/^(?:number|amount|count) of (.+?) (?:in|per|there are in) (.+)$/i, 'target first'],
  [/^(.+?) (?:in|per) ((?:an?|one|\d).+)$/i, 'target first'],
  [
    /^(?:long|far|tall|heavy|hot|cold|warm|fast|big|large|deep|wide|high|old|much) (?:is|are|would) (.+?)(?: be)? (?:in|as|to|into) (.+)$/i,
    'quantity first',
  ],
  [
    /^(.+?)(?: is| are)? (?:converted to|converted into|equals? (?:to )?how many|is how many|are how many|into|=\s*\?|=|->|→|to|as|in) (.+)$/i,
    'quantity first',
  ],
  [/^(.+) (?:into|to|as|in) (.+)$/i, 'quantity first'],
]

const leads =
  /^(?:convert|change|turn|transform|express|calculate|compute|work out|figure out|find(?: out)?|give me|show me|get|tell me|write|what's|whats|what is|what are|what was|what would be|what does|what do|how (?=long |far |tall |heavy |hot |cold |warm |fast |big |large |deep |wide |high |old |much (?:is|are)))\b[ :,]*/i

function strip(text: string): string {
  let bare = trimPoliteness(text).replace(/(?<![ =?])[ =?]+$/, '')
  for (let round = 0; round < 6; round++) {
    const next = trimPoliteness(
      bare
        .replace(leads, '')
        .replace(/^(?:from|the) /i, '')
        .replace(/ (?:look like|come to|equal|make)$/i, ''),
    )
    if (next === bare) break
    bare = next
  }
  return bare
}

const rotate = /^(?:from )?([a-z° ]{1,40}) (?:to|into) ([a-z° ]{1,40})[:,]? (?:for )?(.+)$/i

/** One conversion in English words, or undefined if any word is not understood. @param context what was written before, for `that` and `it` */
export function readConversion(text: string, context = ''): Conversion | undefined {
  if (text.length > 300) return undefined
  const stripped = strip(text)
  const { rest, form } = readForm(stripped.toLowerCase())
  for (const bare of new Set([stripped.slice(0, rest.length), stripped])) {
    const used = bare.length === stripped.length ? ({ kind: 'usual' } as const) : form
    for (const [pattern, order] of patterns) {
      const [, first = '', second = ''] = pattern.exec(bare) ?? []
      if (first === '') continue
      const [quantity, target] = order === 'quantity first' ? [first, second] : [second, first]
      const found = build(quantity, target, used, context)
      if (found) return found
    }
    const [, from = '', to = '', amount = ''] = rotate.exec(bare) ?? []
    const turned = from === '' ? undefined : build(`${amount} ${from}`, to, used, '')
    if (turned) return turned
  }
  return undefined
}

const pronoun = /^(?:that|it|this|those|these)$/i

function build(quantity: string, target: string, form: ResultForm, context: string): Conversion | undefined {
  const aim = readTarget(target)
  const parts = pronoun.test(quantity)
    ? quantityOf(context, aim?.units[0]?.kind)
    : readQuantity(quantity.replace(/\b(?:tall|long|wide|high|deep|heavy|old)$/i, ''))
  if (parts && aim) return { kind: 'units', ...fitUnits(parts, aim.units), isMixed: aim.isMixed, form }
  return readCurrencies(quantity, target)
}

type Sides = { readonly parts: readonly QuantityPart[]; readonly targets: readonly Unit[] }

/** An ounce beside a volume is a fluid ounce, and a degree beside a temperature is one of the other scale. */
function fitUnits(parts: readonly QuantityPart[], targets: readonly Unit[]): Sides {
  const [from, to] = [parts[0]?.unit, targets[0]]
  const fit = (unit: Unit, other: Unit | undefined): Unit => {
    if (unit.symbol === 'oz' && other?.kind === 'volume') return findUnit('fl oz') ?? unit
    if (unit.symbol === '°' && other?.kind === 'temperature') return findUnit(other.symbol === '°F' ? 'celsius' : 'fahrenheit') ?? unit
    return unit
  }
  return { parts: parts.map((part) => ({ ...part, unit: fit(part.unit, to) })), targets: targets.map((unit) => fit(unit, from)) }
}

function readCurrencies(quantity: string, target: string): Conversion | undefined {
  const [, before = '', figure = '', after = ''] =
    /^([$€£¥]?)\s*([\d.,]+(?: ?(?:thousand|million|billion|k))?|an?|one)\s*(.*)$/i.exec(quantity.trim()) ?? []
  const from = currencyOf(before === '' ? after : before) ?? (/^pounds?$/i.test(after) ? 'GBP' : undefined)
  const to = currencyOf(target) ?? (/^pounds?$/i.test(target.trim()) ? 'GBP' : undefined)
  const amount = readAmount(figure.replace(/k$/i, ' thousand'))
  return from !== undefined && to !== undefined && amount ? { kind: 'currencies', amount, from, to } : undefined
}

/** A rate that the client gives: `1 USD = 0.92 EUR`, `at a rate of 0.92`, or a number alone as an answer. */
function readRate(text: string, from: string, to: string): Rational | undefined {
  for (const [, left = '', unit = '', right = '', other = ''] of text.matchAll(
    /(\d[\d.]*) ?([A-Za-z]{3,12}) ?(?:=|is|equals|to) ?(\d[\d.]*) ?([A-Za-z]{3,12})/g,
  )) {
    const [a, b] = [currencyOf(unit), currencyOf(other)]
    const [first, second] = [readAmount(left), readAmount(right)]
    if (!first || !second || first.n === 0n || second.n === 0n) continue
    if (a === from && b === to) return divide(second, first)
    if (a === to && b === from) return divide(first, second)
  }
  const [, rate = ''] = /\b(?:rate(?: of| is|:)?|at) (\d+(?:\.\d+)?)/i.exec(text) ?? /(?:^|[\n;]) ?(\d+(?:\.\d+)?)\s*$/.exec(text) ?? []
  return rate === '' ? undefined : readAmount(rate)
}

/** The quantity that `that` stands for: the only one of the kind, or the only one. */
function quantityOf(context: string, kind: string | undefined): readonly QuantityPart[] | undefined {
  const { quantities } = findQuantities(context)
  const fitting = quantities.filter(([part]) => part?.unit.kind === kind)
  if (fitting.length === 1) return fitting[0]
  return fitting.length === 0 && quantities.length === 1 ? quantities[0] : undefined
}

export type FoundQuantities = {
  readonly quantities: readonly (readonly QuantityPart[])[]
  /** The text with `¤0` for the first. */
  readonly text: string
}

/** All quantities of a text. Two units are one quantity only where people write them so, as in 5 ft 11 in. */
export function findQuantities(context: string): FoundQuantities {
  const words = spaced(context.replace(/(\d)(?:-| )?(ft|feet|foot) (\d{1,2})(?=[ ,.;?!]|$)(?! ?(?:in\b|inch|"))/gi, '$1 ft $3 in')).split(
    /\s+/,
  )
  const quantities: (readonly QuantityPart[])[] = []
  const rest: string[] = []
  for (let index = 0; index < words.length; index++) {
    const found = /^[(]?[-−]?[\d.½¼¾⅓⅔]/.test(words[index] ?? '') ? quantityAt(words, index) : undefined
    if (!found) rest.push(words[index] ?? '')
    else {
      const mark = /(?<![.,;:!?)])[.,;:!?)]+$/.exec(words[index + found.count - 1] ?? '')?.[0] ?? ''
      rest.push(`¤${quantities.length}${mark}`)
      quantities.push(found.parts)
      index += found.count - 1
    }
  }
  return { quantities, text: rest.join(' ') }
}

function quantityAt(
  words: readonly string[],
  start: number,
): { readonly parts: readonly QuantityPart[]; readonly count: number } | undefined {
  const end = words.slice(start, start + 6).findIndex((word) => /[,;:!?]$|\.$/.test(word))
  for (let count = end < 0 ? Math.min(words.length - start, 6) : end + 1; count >= 1; count--) {
    const parts = readQuantity(
      words
        .slice(start, start + count)
        .join(' ')
        .replace(/^[(]/, '')
        .replace(/(?<![.,;:!?)])[.,;:!?)]+$/, ''),
    )
    if (parts && (parts.length === 1 || mixedKinds.has(parts.map(({ unit }) => unit.symbol).join(' ')))) return { parts, count }
  }
  return undefined
}

export type FoundConversion = { readonly text: string; readonly conversions: readonly Conversion[] }

/** The conversions of a sentence: the whole, its parts at `and`, or its last clause. */
export function findConversions(sentence: string, context = ''): FoundConversion | undefined {
  const whole = readConversion(sentence, context)
  if (whole) return { text: sentence, conversions: [whole] }
  const parts = sentence.split(/(?:,| and|, and|;) (?=convert|how|what|\d)/i)
  const each = parts.map((part) => readConversion(part, context))
  if (parts.length > 1 && parts.length <= 10 && each.every((one) => one !== undefined)) return { text: sentence, conversions: each }
  const clause = /^(.+?)[,:;–-]\s*((?:so |and |but )?(?:how|what|convert|in|please convert|can you convert)\b.+)$/i.exec(sentence)
  const tail = clause?.[2] ?? ''
  const found = tail === '' ? undefined : readConversion(tail.replace(/^in (.+)$/i, 'that in $1'), `${context} ${clause?.[1] ?? ''}`)
  return found && { text: sentence, conversions: [found] }
}

/** All conversions of a text, or undefined if a sentence that is none could ask for something. */
export function readConversions(text: string): Conversion[] | undefined {
  const sentences = splitSentences(text)
  const found = sentences.flatMap((sentence, index) => {
    const one = findConversions(sentence, sentences.slice(0, index).join(' '))
    return one ? one.conversions : []
  })
  return found.length > 0 && found.length <= 20 ? found.map((one) => withRate(one, text)) : undefined
}

/** The conversion with the rate that the text gives. */
export function withRate(conversion: Conversion, text: string): Conversion {
  const rate = conversion.kind === 'currencies' ? readRate(text, conversion.from, conversion.to) : undefined
  return rate && rate.n > 0n ? ({ ...conversion, rate } as Conversion) : conversion
}
