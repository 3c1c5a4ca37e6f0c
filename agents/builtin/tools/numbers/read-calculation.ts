/** Reads a calculation from the words of a goal. */

import { stripPoliteness } from '../strip-politeness.ts'
import { type ListStatistics, readListStatistics } from './answer-list-statistics.ts'
import type { Expression, FunctionName } from './evaluate-expression.ts'
import { type LinearEquation, readEquation } from './linear-equation.ts'
import { parseExpression } from './parse-expression.ts'
import { type RatioShares, readRatioShares, readWeightedMean, type WeightedMean } from './ratio-shares-and-weighted-mean.ts'
import { rational } from './rational.ts'
import { ordinalOf, smallNumberOf } from './read-number-words.ts'
import { readWallPaint } from './read-wall-paint.ts'
import { splitSentences } from './split-sentences.ts'

/** How the result is written. */
export type ResultForm =
  | { readonly kind: 'usual' | 'fraction' | 'decimal' | 'percent' | 'scientific' }
  | { readonly kind: 'fixed' | 'significant' | 'base'; readonly digits: number }

export type Calculation =
  | { readonly kind: 'value'; readonly expression: Expression; readonly form: ResultForm }
  | { readonly kind: 'factors' | 'prime'; readonly expression: Expression }
  | ListStatistics
  | LinearEquation
  | RatioShares
  | WeightedMean
  | {
      readonly kind: 'comparison'
      readonly left: Expression
      readonly right: Expression
      readonly isLargerAsked: boolean
      readonly isClaim: boolean
    }

type Build = (parts: readonly string[]) => Calculation | undefined

const usual: ResultForm = { kind: 'usual' }
const percentForm: ResultForm = { kind: 'percent' }
const value = (expression: Expression | undefined, form: ResultForm = usual): Calculation | undefined =>
  expression && { kind: 'value', expression, form }
const call = (name: FunctionName, ...inputs: readonly (Expression | undefined)[]): Expression | undefined =>
  inputs.every((input) => input !== undefined) ? { kind: 'call', name, inputs } : undefined

type Operator = (Expression & { readonly kind: 'binary' })['operator']
const join = (operator: Operator, left: Expression | undefined, right: Expression | undefined): Expression | undefined =>
  left && right && { kind: 'binary', operator, left, right }

const dutyWords = `(?:tip|vat|tax|sales tax|gst|commission|interest|fee|markup|mark-up|gratuity|surcharge|rebate|discount|off|service charge|mwst|down ?payment|deposit|share|cut|bonus|raise)`
const percentSign = `(?:%|percent|per cent|pct)`

/** An expression in which `19% VAT` is 19%. */
function parse(text: string | undefined): Expression | undefined {
  const bare = (text ?? '').replace(new RegExp(`(${percentSign})\\s+${dutyWords}\\b`, 'g'), '$1').replace(/^(?:a|an) (?=\d)/, '')
  return parseExpression(bare)
}
const isPercent = (expression: Expression | undefined): boolean => expression?.kind === 'percent'
const increase = (base: string | undefined, by: string | undefined): Calculation | undefined => value(join('+', parse(base), parse(by)))
const decrease = (base: string | undefined, by: string | undefined): Calculation | undefined => value(join('-', parse(base), parse(by)))
const partOf = (share: string | undefined, whole: string | undefined): Calculation | undefined => {
  const percent = parse(share)
  return isPercent(percent) ? value(join('*', percent, parse(whole))) : undefined
}
const change = (from: string | undefined, to: string | undefined): Calculation | undefined => {
  const [a, b] = [parse(from), parse(to)]
  return value(join('/', join('-', b, a), a), percentForm)
}

/** Amount × (1 + rate ÷ n)^(n × years). */
function compound([amount, rate, years, often]: readonly string[]): Calculation | undefined {
  const times = { monthly: 12, quarterly: 4, daily: 365, weekly: 52 }[often ?? ''] ?? 1
  const number = (count: number): Expression => ({ kind: 'number', value: rational(BigInt(count)), text: String(count) })
  const percent = parse(rate)
  if (!isPercent(percent)) return undefined
  const period = times === 1 ? percent : join('/', percent, number(times))
  const periods = times === 1 ? parse(years) : join('*', parse(years), number(times))
  return value(join('*', parse(amount), join('^', join('+', number(1), period), periods)), { kind: 'fixed', digits: 2 })
}

const comparison = (
  left: string | undefined,
  right: string | undefined,
  word: string | undefined,
  isClaim: boolean,
): Calculation | undefined => {
  const [a, b] = [parse(left), parse(right)]
  const isLargerAsked = !/small|less|low/.test(word ?? '')
  return a && b && { kind: 'comparison', left: a, right: b, isLargerAsked, isClaim }
}

const size = '(bigger|larger|greater|higher|more|smaller|less|lower)'
const percentWord = '(?:percent|percentage|per cent|%)'
const numbers = '(?:all )?(?:of )?(?:the )?(?:numbers|integers|whole numbers|natural numbers|positive integers|consecutive integers)'

const templates: readonly (readonly [string, Build])[] = [
  [`^(.+) is (?:what|which) ${percentWord} of (.+)$`, ([a, b]) => value(join('/', parse(a), parse(b)), percentForm)],
  [
    `^(?:what |which )?${percentWord}(?: share| part)? of (.+?) (?:is|are) (.+)$`,
    ([b, a]) => value(join('/', parse(a), parse(b)), percentForm),
  ],
  [
    `^(?:what |which )?${percentWord} (?:is|are|does|do) (.+?) (?:of|out of|make of) (.+)$`,
    ([a, b]) => value(join('/', parse(a), parse(b)), percentForm),
  ],
  [
    `^(?:how (?:many|much) ${percentWord} (?:is|are)) (.+?) (?:of|out of) (.+)$`,
    ([a, b]) => value(join('/', parse(a), parse(b)), percentForm),
  ],
  [`^(.+) as (?:a )?${percentWord} of (.+)$`, ([a, b]) => value(join('/', parse(a), parse(b)), percentForm)],
  [`^(.+?) out of (.+?) (?:in|as)(?: a)? ${percentWord}$`, ([a, b]) => value(join('/', parse(a), parse(b)), percentForm)],
  [
    `^${percentWord} (?:change|increase|decrease|growth|drop|rise|difference|gain|loss) (?:from|between|of) (.+?) (?:to|and) (.+)$`,
    ([a, b]) => change(a, b),
  ],
  [
    `^(?:change|increase|decrease|growth|drop|rise) (?:from|between) (.+?) (?:to|and) (.+?) (?:in|as)(?: a)? ${percentWord}$`,
    ([a, b]) => change(a, b),
  ],
  [`^(?:by )?how (?:many|much) ${percentWord} ${size} is (.+) than (.+)$`, ([, a, b]) => change(b, a)],
  [`^(.+) is how (?:many|much) ${percentWord} ${size} than (.+)$`, ([a, , b]) => change(b, a)],
  ['^(?:increase|raise|grow|mark up) (.+) by (.+)$', ([a, b]) => increase(a, b)],
  ['^(.+?) (?:increased|raised|marked up|up) by (.+)$', ([a, b]) => increase(a, b)],
  ['^(?:decrease|reduce|lower|discount|cut) (.+) by (.+)$', ([a, b]) => decrease(a, b)],
  ['^(.+?) (?:decreased|reduced|discounted|lowered|down) by (.+)$', ([a, b]) => decrease(a, b)],
  [
    `^(?:a |an )?([^ ]+ ?${percentSign}) (?:off|discount (?:on|from|off|for))(?: of)? (.+)$`,
    ([p, a]) => (isPercent(parse(p)) ? decrease(a, p) : undefined),
  ],
  [`^(.+) (?:with|at|after|minus|less) (?:a |an )?([^ ]+ ?${percentSign}) (?:discount|off|rebate|reduction)$`, ([a, p]) => decrease(a, p)],
  [`^(.+?) (?:with|plus|including|incl|and) (?:a |an )?([^ ]+ ?${percentSign})(?: ${dutyWords})?(?: added)?$`, ([a, p]) => increase(a, p)],
  [`^(?:a |an )?(.+? ?${percentSign}) ${dutyWords} (?:on|of|for|to) (.+)$`, ([p, a]) => partOf(p, a)],
  [`^add (.+) to (.+)$`, ([b, a]) => increase(a, b)],
  [
    `^(average|mean|median|sum|total) (?:of|for) (?:(?:my|our|his|her|their|these|those|the) )+(?:last |final |following |\\d{1,2} )?(?:grades?|marks?|scores?|prices?|temperatures?|weights?|heights?|ages?|times?|results?|points?|numbers?|values?|expenses?|costs?|salaries|ratings?)(?: (?:which )?(?:are|were|of))?:? (.+)$`,
    ([name, list]) => value(parse(`${name} of ${list}`)),
  ],
  ['^add(?: up)? (.+)$', ([list]) => value(parse(`sum of ${list}`))],
  ['^subtract (.+) from (.+)$', ([b, a]) => decrease(a, b)],
  ['^take (.+?)(?: away)? from (.+)$', ([b, a]) => decrease(a, b)],
  ['^multiply (.+) (?:by|with|and) (.+)$', ([a, b]) => value(join('*', parse(a), parse(b)))],
  [
    '^(?:divide|split|share) (.+) (?:by|between|among|into) (.+?)(?: (?:people|ways|friends|persons|equal parts|parts|of us))?(?: equally| evenly)?$',
    ([a, b]) => value(join('/', parse(a), parse(b))),
  ],
  ['^difference (?:between|of) (.+) and (.+)$', ([a, b]) => value(call('abs', join('-', parse(a), parse(b))))],
  ['^(?:quotient|ratio) (?:of|between) (.+) (?:and|to) (.+)$', ([a, b]) => value(join('/', parse(a), parse(b)))],
  ['^remainder (?:of|when|if)(?: you divide)? (.+?) (?:is )?(?:divided )?by (.+)$', ([a, b]) => value(join('mod', parse(a), parse(b)))],
  ['^remainder of (.+) ?/ ?(.+)$', ([a, b]) => value(join('mod', parse(a), parse(b)))],
  [
    `^(?:sum|total)(?: of)?(?: ${numbers})? (?:from|between) (.+?) (?:to|through|and|until) (.+)$`,
    ([a, b]) => value(call('series', parse(a), parse(b))),
  ],
  [
    `^(?:add|sum)(?: up)? ${numbers} (?:from|between) (.+?) (?:to|through|and) (.+)$`,
    ([a, b]) => value(call('series', parse(a), parse(b))),
  ],
  [
    `^(.+?) is (.+${percentSign}) of (?:what|which)(?: number| amount)?$`,
    ([a, p]) => (isPercent(parse(p)) ? value(join('/', parse(a), parse(p))) : undefined),
  ],
  [
    '^(?:how many )?(?:ways (?:are there )?to )?choose (.+) (?:from|out of|of) (.+)$',
    ([k, n]) => value(call('choose', parse(n), parse(k))),
  ],
  ['^(?:how many )?(?:number of )?combinations (?:of )?(.+) (?:from|out of) (.+)$', ([k, n]) => value(call('choose', parse(n), parse(k)))],
  [
    '^(?:how many )?(?:number of )?permutations (?:of )?(.+) (?:from|out of) (.+)$',
    ([k, n]) => value(call('permutations', parse(n), parse(k))),
  ],
  ['^(?:all )?prime (?:factors?|factori[sz]ation) (?:of|for) (.+)$', ([a]) => ofInteger('factors', a)],
  ['^(?:factori[sz]e|factor) (.+?)(?: into (?:its )?prime(?:s| factors| numbers))?$', ([a]) => ofInteger('factors', a)],
  ['^is (.+?) (?:a )?prime(?: number)?(?: or not)?$', ([a]) => ofInteger('prime', a)],
  [
    `^(?:(?:which|what|which one|which number) is )?${size}(?: number)?[,:]? (.+?),? or (.+)$`,
    ([word, a, b]) => comparison(a, b, word, false),
  ],
  [
    `^(?:which|what|which one|which number) is the ${size}(?: number)?[,:]? (.+?),? or (.+)$`,
    ([word, a, b]) => comparison(a, b, word, false),
  ],
  [`^is (.+?) ${size} than (.+)$`, ([a, word, b]) => comparison(a, b, word, true)],
  [
    `^(.+?) (?:invested |deposited )?at (.+${percentSign})(?: per year| a year| annual| yearly)?(?: compound)?(?: interest)?(?: rate)? (?:for|over|after) (.+?) years?(?:,? compounded (annually|yearly|monthly|quarterly|weekly|daily))?$`,
    compound,
  ],
]

function ofInteger(kind: 'factors' | 'prime', text: string | undefined): Calculation | undefined {
  const expression = parse((text ?? '').replace(/^(?:the )?(?:number )/, ''))
  return expression && { kind, expression }
}

const patterns = templates.map(([source, build]): readonly [RegExp, Build] => [new RegExp(source), build])

const leads =
  /^(?:(?:i|we) (?:need|want|would like)|i'd like|calculate|compute|work out|figure out|evaluate|determine|solve|simplify|find(?: out)?|give me|show me|get|convert|express|turn|change|what's|whats|what is|what are|what was|what would be|what does|what do you get (?:if|when) (?:you|i|we)|what happens (?:if|when) (?:you|i|we)|how much is|how much are|how much would|how much does|if (?:you|i|we)|what|the|exact|result of|result|answer to|answer of|value of|number|expression|calculation|following|sum:|for)\b[ :,]*/
const tails =
  /(?<![ ,])[ ,]+(?:=|equals?|equal to|is equal to|come to|comes to|make|makes|give|gives|be|is|in total|altogether|in full|with all digits|all digits|as an exact number|=\?)$/

function strip(text: string): string {
  let bare = stripPoliteness(text).replace(/(?<![ =?])[ =?]+$/, '')
  for (let round = 0; round < 8; round++) {
    const next = stripPoliteness(bare.replace(leads, '').replace(tails, ''))
    if (next === bare) break
    bare = next
  }
  return bare.replace(/^["'`“](.+)["'`”]$/, '$1')
}

const nearest: { readonly [place: string]: number } = {
  integer: 0,
  'whole number': 0,
  one: 0,
  unit: 0,
  tenth: 1,
  hundredth: 2,
  thousandth: 3,
  cent: 2,
  penny: 2,
  ten: -1,
  hundred: -2,
  thousand: -3,
  million: -6,
}
const forms: readonly (readonly [RegExp, (count: string) => ResultForm | undefined])[] = [
  [
    /(?<![ ,])[ ,]+(?:and )?(?:(?:round(?:ed)?|correct|accurate)(?: it| the result| off)? )?(?:to|with|at|up to) (\S+) (?:decimals?|decimal places?|digits after the (?:decimal )?point|places|dp)$/,
    (count) => digitsForm('fixed', count),
  ],
  [
    /(?<![ ,])[ ,]+(?:and )?(?:(?:round(?:ed)?|correct|accurate)(?: it| the result)? )?(?:to|with) (\S+) (?:significant (?:digits|figures)|digits|sig figs|sf)$/,
    (count) => digitsForm('significant', count),
  ],
  [
    /(?<![ ,])[ ,]+(?:and )?(?:round(?:ed)?(?: it| the result)? )?(?:to|up to) the nearest (integer|whole number|one|unit|tenth|hundredth|thousandth|cent|penny|ten|hundred|thousand|million)$/,
    (place) => ({ kind: 'fixed', digits: nearest[place] ?? 0 }),
  ],
  [
    /(?<![ ,])[ ,]+(?:as|in|to|into) (?:a |an |its )?(?:(?:simplest|lowest|reduced) )?(fraction|lowest terms|simplest form)(?: in lowest terms)?$/,
    () => ({ kind: 'fraction' }),
  ],
  [/[ ,]+(?:as|in|to|into) (?:a )?decimals?(?: number| form)?()$/, () => ({ kind: 'decimal' })],
  [/[ ,]+(?:as|in|to|into) (?:a )?(percent|percentage|per cent|%)$/, () => percentForm],
  [/[ ,]+(?:as|in|to|into) (scientific) (?:notation|form)$/, () => ({ kind: 'scientific' })],
  [
    /(?<![ ,])[ ,]+(?:as|in|to|into) (hexadecimal|hex|binary|octal)(?: form| number)?$/,
    (name) => ({ kind: 'base', digits: name[0] === 'h' ? 16 : name === 'binary' ? 2 : 8 }),
  ],
  [
    /(?<![ ,])[ ,]+(?:as|in|to|into) base (\d{1,2})$/,
    (base) => (Number(base) >= 2 && Number(base) <= 36 ? { kind: 'base', digits: Number(base) } : undefined),
  ],
]

function digitsForm(kind: 'fixed' | 'significant', count: string): ResultForm | undefined {
  const digits = /^\d{1,3}$/.test(count) ? Number(count) : smallNumberOf(count)
  if (digits === undefined || digits > 100 || (kind === 'significant' && digits < 1)) return undefined
  return { kind, digits }
}

/** The text without a last phrase that states how to write the result. */
export function readForm(text: string): { readonly rest: string; readonly form: ResultForm } {
  for (const [pattern, build] of forms) {
    const match = pattern.exec(text)
    const form = match && build(match[1] ?? '')
    if (match && form) return { rest: text.slice(0, match.index), form }
  }
  return { rest: text, form: usual }
}

/** `binary 1011` and `hex ff` as the tokens that an expression has for them. */
const readBase = (text: string): string =>
  text
    .replace(/\b(?:the )?binary(?: number)? ([01]{1,200})\b/, '0b$1')
    .replace(/\b([01]{2,200}) (?:in |from )?binary\b/, '0b$1')
    .replace(/\b(?:the )?hex(?:adecimal)?(?: number)? ([0-9a-f]{1,100})\b/, '0x$1')
    .replace(/\b(?:the )?octal(?: number)? ([0-7]{1,100})\b/, '0o$1')
    .replace(/\b(?:the )?decimal(?: number)? (?=\d)/, '')

/** A number alone is no calculation, unless the words ask for another form of it. */
const isPlain = (expression: Expression, form: ResultForm): boolean =>
  form.kind === 'usual' &&
  (expression.kind === 'number' || expression.kind === 'percent' || (expression.kind === 'negative' && expression.of.kind === 'number')) &&
  !(expression.kind === 'number' && /^0[xbo]/.test(expression.text))

/** One calculation in English words or symbols, or undefined if any word is not understood. */
export function readCalculation(text: string): Calculation | undefined {
  if (text.length > 500) return undefined
  const request = stripPoliteness(text)
  const special = readEquation(request) ?? readRatioShares(request) ?? readWeightedMean(request)
  if (special) return special
  const paint = readWallPaint(request)
  if (paint) return value(parseExpression(paint))
  const stripped = strip(text)
  const statistics = readListStatistics(stripped)
  if (statistics) return statistics
  for (const { rest, form } of [{ rest: stripped, form: usual }, readForm(stripped)]) {
    const bare = readBase(strip(rest.replace(/^round /, ''))).replace(/^(?:a|an) (?=\d)/, '')
    for (const [pattern, build] of patterns) {
      const match = pattern.exec(bare)
      const built = match && build(match.slice(1).map((part) => part ?? ''))
      if (built?.kind === 'value') return form.kind === 'usual' ? built : { ...built, form }
      if (built) return built
    }
    const expression = parse(bare) ?? parse(withoutUnit(bare))
    if (expression && !isPlain(expression, form)) return { kind: 'value', expression, form }
  }
  return undefined
}

/** `15% of 240 students` without its last word. */
function withoutUnit(text: string): string {
  const match = /^(.* (?:of|times) [\d.,]+) ([a-z]{3,20})$/.exec(text)
  return match && ordinalOf(match[2] ?? '') === undefined ? (match[1] ?? '') : ''
}

/** All calculations of a text, or undefined if a part that is none asks for something. */
export function readCalculations(text: string): Calculation[] | undefined {
  const found = splitSentences(text).flatMap((sentence): (Calculation | undefined)[] => {
    const whole = readCalculation(sentence)
    if (whole) return [whole]
    const parts = sentence.split(/(?:,| and|, and|;) (?=what|how much|calculate|the |\(?\d)/i)
    return parts.length > 1 ? parts.map(readCalculation) : [undefined]
  })
  return found.length > 0 && found.length <= 20 && found.every((one) => one !== undefined) ? found : undefined
}
