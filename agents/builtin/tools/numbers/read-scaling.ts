/** Reads a list of amounts and the factor to scale it by, such as a recipe for 4 people that is needed for 10. */

import { add, divide, type Rational, rational, rationalOfDecimal } from './rational.ts'
import { smallNumberOf } from './read-number-words.ts'

/** An amount with what stands around it: `350` in `350 g flour`. Without an amount the line stays as it is. */
export type ScaledLine = {
  readonly before: string
  readonly amounts: readonly Rational[]
  readonly after: string
  /** True for `1/2`, so that the result is written as a fraction too. */
  readonly isFraction: boolean
}

export type Scaling = {
  readonly factor: Rational
  /** `10 instead of 4`, if portions are named. */
  readonly portions: string
  readonly lines: readonly ScaledLine[]
}
export type ReadScaling = { readonly scaling: Scaling } | { readonly question: string }

const wordNumber = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred'
const count = `(\\d{1,5}|${wordNumber})`
const amount = `(?:\\d+ \\d+/\\d+|\\d+/\\d+|\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?|half an?|a half|an?|${wordNumber})`
const eater =
  '(?:people|persons?|servings?|portions?|guests?|adults|kids|children|pieces|friends|eaters|heads|of us|muffins|cookies|pancakes|cupcakes|waffles|rolls|buns|biscuits|loaves|batches|units|items)'

/** The value of `1 1/2`, `2.5`, `half a`, `an` or `two`. */
export function readScaledAmount(text: string): Rational | undefined {
  if (/^half an?$|^a half$/.test(text)) return rational(1n, 2n)
  if (/^an?$|^one$/.test(text)) return rational(1n)
  if (text === 'hundred') return rational(100n)
  const small = smallNumberOf(text)
  if (small !== undefined) return rational(BigInt(small))
  const [, whole = '0', top, bottom] = /^(?:(\d+) )?(\d+)\/(\d+)$/.exec(text) ?? []
  if (top !== undefined && bottom !== undefined)
    return /^0+$/.test(bottom) ? undefined : add(rational(BigInt(whole)), divide(rational(BigInt(top)), rational(BigInt(bottom))))
  if (/^\d{1,3}(?:,\d{3})+/.test(text)) return rationalOfDecimal(text.replaceAll(',', ''))
  return /^\d+(?:[.,]\d+)?$/.test(text) ? rationalOfDecimal(text.replace(',', '.')) : undefined
}

const fractions: { readonly [sign: string]: string } = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(\d) ?(?=[½¼¾⅓⅔⅛⅜⅝⅞])/g, '$1 ')
    .replace(/[½¼¾⅓⅔⅛⅜⅝⅞]/g, (sign) => fractions[sign] ?? sign)
    .replace(/[’‘]/g, "'")
    .replace(/[–—]/g, '-')
    .replace(/[ \t\u00a0]+/g, ' ')

type Wanted = {
  readonly rest: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly factor?: Rational | undefined
}

const whole =
  '(?: (?:it|this|that|these|all|everything|of it|of this|of that|of everything|all of it|(?:of )?(?:the|this|that|my) (?:whole |entire |full )?(?:recipe|amounts?|quantities|ingredients|batch|list)))'
const factors: readonly (readonly [RegExp, Rational])[] = [
  [new RegExp(`\\b(?:double|twice|two times|2 times|2x|x2)\\b${whole}?`), rational(2n)],
  [new RegExp(`\\b(?:triple|three times|3 times|3x|x3)\\b${whole}?`), rational(3n)],
  [new RegExp(`\\b(?:quadruple|four times|4 times|4x|x4)\\b${whole}?`), rational(4n)],
  [/\b(?:one and a half times|1\.5 times|1\.5x|x1\.5)\b/, rational(3n, 2n)],
  [new RegExp(`\\bhalve\\b${whole}?|\\bhalf${whole}|\\bhalf (?:a |of a )?(?:batch|recipe)\\b|\\bin half\\b`), rational(1n, 2n)],
  [new RegExp(`\\ba third${whole}`), rational(1n, 3n)],
  [new RegExp(`\\ba quarter${whole}`), rational(1n, 4n)],
]

const pairs: readonly (readonly [RegExp, 'from first' | 'to first'])[] = [
  [
    new RegExp(
      `\\b(?:from|for|serves|makes) ${count}(?: ${eater})?,? (?:up |down )?(?:to|into|but for) (?:serve )?${count}(?: ${eater})?\\b`,
    ),
    'from first',
  ],
  [
    new RegExp(`\\b(?:for|to|make|need|want) ${count}(?: ${eater})? (?:instead of|rather than|not) (?:for )?${count}(?: ${eater})?\\b`),
    'to first',
  ],
]
const fromPattern = new RegExp(
  `\\b(?:(?:recipe|list|ingredients|amounts|quantities|dish|batch|cake|dough|sauce|soup)(?: below| above)?(?: is| are|'s)?(?: meant| written| made| enough| originally| calculated)? for|(?:it|this|that|which|these|they|those|all)(?: is| are|'s)(?: meant| written| made| enough| originally| calculated)? for|serves|serving|makes|yields|feeds|yield:|servings:|serves:|portions:|enough for|amounts for|ingredients for) ${count}(?: ${eater})?\\b`,
)
const toPattern = new RegExp(
  `\\b(?:(?:(?:i|we) )?(?:need|want|would like|'d like)(?: to (?:make|cook|bake|have|serve))?(?: it| this| that| them| these| enough| the amounts| the quantities| the recipe)?(?: for)?|scale(?: it| this| that| the recipe| everything)?(?: up| down)? (?:to|for)|adjust(?: it| this| the recipe)? (?:to|for)|(?:make|cook|cooking|making|do)(?: it| this| that| them| enough)? for|convert(?: it| this)? (?:to|for)|(?:we are|we're|i have|we have)|how much (?:do i need |would i need |is that |do we need |of each )?for|what do i need for|what would i need for) ${count}(?: ${eater})?\\b(?! ?(?:g|kg|ml|l|cups?|tbsp|tsp|oz|lb|eggs?)\\b)`,
)

/** Takes what says by how much to scale out of the text. Undefined if it says so twice. */
function readWanted(text: string): Wanted | undefined {
  for (const [pattern, order] of pairs) {
    const match = pattern.exec(text)
    const [first, second] = match?.slice(1) ?? []
    if (match)
      return {
        rest: text.replace(match[0], ' § '),
        ...(order === 'from first' ? { from: first, to: second } : { from: second, to: first }),
      }
  }
  const last = (from: string): RegExpExecArray | null => new RegExp(`\\bfor ${count}(?: ${eater})?(?=[ .?!,]*$|[.?!\\n])`).exec(from)
  const sure = toPattern.exec(text)
  const afterSure = sure ? text.replace(sure[0], ' § ') : text
  const from = fromPattern.exec(afterSure) ?? (sure ? new RegExp(`\\bfor ${count} ${eater}`).exec(afterSure) : null)
  const afterFrom = from ? afterSure.replace(from[0], ' § ') : afterSure
  const to = sure ?? (from ? last(afterFrom) : null)
  const afterTo = to && !sure ? afterFrom.replace(to[0], ' § ') : afterFrom
  const factor = factors.find(([pattern]) => pattern.test(afterTo))
  if (factor && to) return undefined
  return { rest: factor ? afterTo.replace(factor[0], ' § ') : afterTo, from: from?.[1], to: to?.[1], factor: factor?.[1] }
}

const known = new Set(
  (
    "§ i we you my our me us need needs want wants would like it this that these the a an recipe is are was for from to of please can could scale adjust convert make how much do does each every ingredient ingredients amount amounts quantity quantities list so then what whats what's be new up down and but now have has got give show calculate compute tell work out " +
    'people persons servings portions guests thanks thank hi hello hey with takes uses calls using contains consists following below will if i want to know they them cook bake cooking party dinner tonight today just only here ok original originally by time much many all everything whole must should get recalculate update friends family enough version'
  ).split(' '),
)
const risky =
  /\b(?:vegan|vegetarian|gluten|without|substitute|replace|swap|calories|kcal|nutrition|cost|price|cheap|oven|degrees|minutes?|hours?|translate|write|shopping|why|which|long|instead|except|not|don't|no|but only|grams instead|in grams|in cups|metric|imperial|ounces to|pan|tin|tall|days?|weeks?|years?|months?|book|email|send|percent|euros?|dollars?|half|third|double|twice|times|or|per)\b|[%$€£]/

const measure =
  '(?:g|gr|kg|mg|ml|cl|dl|l|cups?|tbsp|tsp|tablespoons?|teaspoons?|oz|lbs?|pcs|pieces?|cloves?|grams?|litres?|liters?|sticks?|cans?|tins?|slices?|pinch(?:es)?)'
const name = "\\p{Ll}[\\p{Ll}'-]*(?: [\\p{Ll}(][\\p{Ll}')-]*){0,6}"
const amountFirst = new RegExp(`^(${amount})(?: ?(?:-|to|or) ?(${amount}))? ?(?:x )?(${name})$`, 'u')
const amountLast = new RegExp(`^([a-z][a-z'-]*(?: [a-z'-]+){0,3}?):? (${amount}) ?(${measure})?$`)
const unmeasured =
  /^(?:a pinch of [a-z]+(?: [a-z]+)?|some [a-z]+(?: [a-z]+)?|(?:salt|pepper|water|oil|salt and pepper|sugar)(?: to taste)?|[a-z]+(?: [a-z]+){0,2} to taste)$/
/** What may stand before the first amount of a list. */
const introduction =
  /^[^\d:]{0,80}?(?::|\b(?:needs?|uses?|takes?|calls for|has|have|contains?|with|requires?|are|is|using|of|from|scale|convert|recipe|please))\s+(?=[\da-z])/

function lineOf(segment: string): ScaledLine | undefined {
  if (unmeasured.test(segment)) return { before: segment, amounts: [], after: '', isFraction: false }
  const first = amountFirst.exec(segment)
  const last = first ? undefined : amountLast.exec(segment)
  const texts = first ? [first[1], first[2]] : [last?.[2]]
  const amounts = texts.flatMap((text) => (text === undefined ? [] : [readScaledAmount(text)]))
  if ((!first && !last) || amounts.length === 0 || !amounts.every((one) => one !== undefined && one.n > 0n)) return undefined
  const isFraction = texts.some((text) => text?.includes('/') || text?.includes('half'))
  const after = first ? (first[3] ?? '') : (last?.[3] ?? '')
  if (risky.test(after) || risky.test(last?.[1] ?? '')) return undefined
  return { before: last?.[1] ?? '', amounts: amounts as Rational[], after, isFraction }
}

/** The lines of the list. Undefined if a part of the text is neither a line nor plain words around it. */
function readLines(text: string): ScaledLine[] | undefined {
  const segments = text
    .split(/[;\n•]|,(?!\d)|[.?!](?=\s|$)|(?: and | plus | & )(?!a half\b)/)
    .map((segment) =>
      segment
        .replace(/^[\s*-]+/, '')
        .replace(/(?<![\s:])[\s:]+$/, '')
        .trim(),
    )
    .filter((segment) => segment !== '' && segment !== '§')
  const lines: ScaledLine[] = []
  let unknown = 0
  for (const segment of segments) {
    const bare = segment.replace(/^(?:§\s*)+/, '').replace(/(?<![§\s])[§\s]+$/, '')
    const line = bare === '' ? undefined : (lineOf(bare) ?? lineOf(bare.replace(introduction, '')))
    if (line && (/\d/.test(bare) || line.amounts.length === 0 || lines.length > 0 || !known.has(bare.split(' ')[0] ?? ''))) lines.push(line)
    else if (/\d/.test(bare) || risky.test(bare)) return undefined
    else unknown += bare.split(/[\s:]+/).filter((word) => word !== '' && !known.has(word)).length
  }
  return unknown <= 3 && lines.some(({ amounts }) => amounts.length > 0) ? lines : undefined
}

/** A scaling, or a question for the one thing that is missing. */
export function readScaling(goal: string): ReadScaling | undefined {
  if (goal.length > 3_000) return undefined
  const answered = /\n\s*(?:for )?(\d{1,5})(?: [a-z]+)?\s*$/.exec(goal)
  const wanted = readWanted(plain(goal))
  if (!wanted) return undefined
  const lines = readLines(wanted.rest)
  if (!lines) return retryWithAnswer(goal, answered)
  if (wanted.factor) return { scaling: { factor: wanted.factor, portions: '', lines } }
  const [from, to] = [readScaledAmount(wanted.from ?? ''), readScaledAmount(wanted.to ?? '')]
  if (!from && !to) return undefined
  if (!from) return { question: 'For how many portions are these amounts? Answer with a number, such as “4”.' }
  if (!to) return { question: 'For how many portions do you need the amounts? Answer with a number, such as “10”.' }
  if (from.n === 0n || to.n === 0n) return undefined
  return { scaling: { factor: divide(to, from), portions: `${wanted.to} instead of ${wanted.from}`, lines } }
}

/** A number alone on the last line is the answer to the question. */
function retryWithAnswer(goal: string, answered: RegExpExecArray | null): ReadScaling | undefined {
  if (!answered) return undefined
  const before = goal.slice(0, answered.index)
  const wanted = readWanted(plain(before))
  const lines = wanted && readLines(wanted.rest)
  const [from, to] = [readScaledAmount(wanted?.from ?? answered[1] ?? ''), readScaledAmount(wanted?.to ?? answered[1] ?? '')]
  if (!lines || wanted.factor || !from || !to || from.n === 0n || to.n === 0n || (wanted.from === undefined) === (wanted.to === undefined))
    return undefined
  return { scaling: { factor: divide(to, from), portions: `${wanted.to ?? answered[1]} instead of ${wanted.from ?? answered[1]}`, lines } }
}
