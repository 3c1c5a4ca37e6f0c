/** Reads a calculation with prices from the words of a goal, or declines if any word could change it. */

import { hasOnlyPriceWords, isScopedStep } from './has-only-price-words.ts'
import type { PriceCalculation, PriceLine, PriceStep } from './price-calculation-types.ts'
import { formatRational } from './rational.ts'
import { readAmountTokens } from './read-amount-tokens.ts'
import { readLineItems } from './read-line-items.ts'
import { readFlatSteps, readPriceAdjustments } from './read-price-adjustments.ts'
import { ReadableText, withNumberPlaceholders } from './with-number-placeholders.ts'
import { commonCurrency } from './write-currency-amount.ts'

/** A problem, or the one thing that is missing. */
export type ReadPrices = { readonly problem: PriceCalculation } | { readonly question: string }

const taxWord = '(?:vat|value added tax|sales tax|tax|gst|hst|mwst|tva|iva|btw)'

/** @returns undefined if a word is not understood */
export function readPriceCalculation(goal: string): ReadPrices | undefined {
  const tokens = goal.length > 1_500 ? undefined : readAmountTokens(goal)
  if (!tokens) return undefined
  const text = new ReadableText(withNumberPlaceholders(tokens))
  if (text.numbers.length === 0 || text.numbers.length > 60) return undefined
  const people = readPeople(text)
  const originals = takeOriginal(text)
  const flatSteps = readFlatSteps(text)
  const items = readLineItems(text)
  const steps = [...flatSteps, ...readPriceAdjustments(text)].sort((a, b) => a.place - b.place)
  const answered = readBareRate(text, steps)
  const base = readBases(text, originals)
  const currency = commonCurrency(text.numbers)
  if (!base || !currency || people === 'unclear' || /[#%]\d/.test(text.text)) return undefined
  const lines = [...base.lines, ...items].sort((a, b) => a.place - b.place)
  if (lines.length === 0) return undefined
  return judge({ text, lines, steps: [...steps, ...answered], sign: base.sign, people, currency })
}

type Draft = {
  readonly text: ReadableText
  readonly lines: readonly PriceLine[]
  readonly steps: readonly PriceStep[]
  readonly sign: 'net' | 'gross' | 'original' | 'paid' | ''
  readonly people: bigint | undefined
  readonly currency: PriceCalculation['currency']
}

/** The number of people who share. A price for each of them is no share. */
function readPeople(text: ReadableText): bigint | undefined | 'unclear' {
  let people: bigint | undefined
  let isUnclear = false
  const set = (mark: string, more: bigint): string => {
    const count = text.at(mark)?.value
    if (count?.d !== 1n || count.n < 1n || count.n > 10_000n || people !== undefined) isUnclear = true
    else people = count.n + more
    return '|people|'
  }
  const persons =
    '(?:people|persons|friends|of us|guests|diners|colleagues|ways|flatmates|housemates|roommates|adults|couples|families|parties|equal parts|heads)'
  text.take(new RegExp(` (?:between|among|amongst) (?:me|myself|us) and (?:my )?(#\\d+) (?:other )?${persons}(?= )`, 'g'), ([mark = '']) =>
    set(mark, 1n),
  )
  text.take(
    new RegExp(
      ` (?:between|among|amongst|across|by|into|for|with|we are|we were|we're|there are|there were|there's|are|were)? ?(?:the |all )*(#\\d+) (?:other )?${persons}(?! at | @ | for | paying )(?= )`,
      'g',
    ),
    ([mark = '']) => set(mark, 0n),
  )
  text.take(/ (?:between|among|amongst) (?:the |all )*(#\d+)(?: of us)?(?= [.?,] | $| with | including | and )/g, ([mark = '']) =>
    set(mark, 0n),
  )
  text.take(/ (?:we are|we were|we're|there are|there were) (#\d+)(?= [.?,] | $)/g, ([mark = '']) => set(mark, 0n))
  return isUnclear ? 'unclear' : people
}

/** `originally 80`: the amount before a discount. */
function takeOriginal(text: ReadableText): string[] {
  const marks: string[] = []
  text.take(
    / (?:originally|original price|list price|full price|regular price|rrp|normal price|regularly|normally)(?: (?:is|was|of|:|=|costs?|priced at|at|for)){0,2} (#\d+)(?= )/g,
    ([mark = '']) => {
      marks.push(mark)
      return `|base| ${mark}`
    },
  )
  return marks
}

/** A percentage alone on a line answers the question for a tax rate. */
function readBareRate(text: ReadableText, steps: readonly PriceStep[]): PriceStep[] {
  const found: PriceStep[] = []
  if (steps.some(({ kind }) => kind === 'tax') || !new RegExp(` ${taxWord} `).test(text.text)) return found
  text.take(/ [.?] (?:it is |at )?[%#](\d+)(?: percent)?(?= $)/g, ([place = ''], [rate]) => {
    if (rate?.currency !== '' || rate.value.n < 0n || rate.value.n > 100n * rate.value.d) return undefined
    const value = { ...rate.value, d: rate.value.d * 100n }
    found.push({ kind: 'tax', label: `${formatRational(rate.value)}% tax`, value, isShare: true, place: Number(place) })
    return '|tax|'
  })
  return found
}

const askedSign =
  / (what is|what's|whats|what are|how much is|how high is|calculate|compute|find|determine|work out|get|give me|tell me|show me)(?: the| my)?(?: price| amount| total)? (net|gross)(?: (?:price|amount|total|value|sum|cost|figure)){0,2} (of|from|for|in|on)(?: a| an| the| my)?(?: price| amount| total| invoice| bill)?(?: of)? (#\d+)(?= )/g

type Bases = { readonly lines: readonly PriceLine[]; readonly sign: Draft['sign'] }

/** The amounts that have no other role: one price, or a list of amounts to add. */
function readBases(text: ReadableText, originals: readonly string[]): Bases | undefined {
  const lines: PriceLine[] = []
  let sign: Draft['sign'] = originals.length > 0 ? 'original' : ''
  const name = (word: string): string => ({ bill: 'Bill', net: 'Net', gross: 'Gross', invoice: 'Invoice', check: 'Bill' })[word] ?? 'Price'
  const push = (mark: string, word: string): string | undefined => {
    const number = text.at(mark)
    if (!number || number.isWord || number.isPercent) return undefined
    lines.push({ label: name(word), how: '', amount: number.value, place: Number(mark.slice(1)) })
    if (word === 'net' || word === 'gross') sign = word
    return '|base|'
  }
  // “The gross amount of 480 net” asks for one and gives the other.
  text.take(
    / (?:net|gross)(?: (?:price|amount|total|value|sum|of|for|the)){1,5} (#\d+) (?:\( )?(net|gross)(?: \))?(?= )/g,
    ([mark = '', word = '']) => push(mark, word),
  )
  // “What is the net price of 119” asks for the net amount, so 119 is the gross one.
  text.take(askedSign, ([lead = '', word = '', link = '', mark = '']) => {
    const base = push(mark, word === 'net' ? 'gross' : 'net')
    return base && ` ${lead} ${word} ${link} ${base}`
  })
  text.take(
    / (net|gross)(?: (?:price|amount|total|value|sum|of|the|invoice|bill|is|was|:|=)){0,5} (#\d+)(?= )/g,
    ([word = '', mark = '']) => push(mark, word),
  )
  text.take(/ (#\d+) (?:\( )?(net|gross)(?: \))?(?= )/g, ([mark = '', word = '']) => push(mark, word))
  text.take(
    new RegExp(` (?:excl|excluding|before|without|ex|exclusive of) ${taxWord}(?: (?:is|was|:|of|=)){0,2} (#\\d+)(?= )`, 'g'),
    ([mark = '']) => push(mark, 'net'),
  )
  text.take(new RegExp(` (#\\d+) (?:\\( )?(?:excl|excluding|before|ex|exclusive of) ${taxWord}(?: \\))?(?= )`, 'g'), ([mark = '']) =>
    push(mark, 'net'),
  )
  text.take(/ (?:i |we )?(paid|pay|paying) (?:only |just )?(#\d+)(?= )/g, ([, mark = '']) => {
    if (sign === '') sign = 'paid'
    return push(mark, 'price')
  })
  const bill = /\b(bill|check|invoice)\b/.exec(text.text)?.[1] ?? ''
  const isList = / #\d+(?: (?:,|and|plus|\+|, and) #\d+)+ /.test(text.text)
  if ((text.text.match(/#\d/g)?.length ?? 0) > 1 && !isList) return undefined
  text.take(/ (#\d+)(?= )/g, ([mark = '']) => push(mark, bill))
  if (lines.length > 1 && sign !== '') return undefined
  if (lines.length > 1 && !isList) return undefined
  return { lines: lines.length > 1 ? lines.map((line, index) => ({ ...line, label: `Amount ${index + 1}` })) : lines, sign }
}

const included =
  /\b(?:incl|including|inclusive of|inc|includes|included|containing|contains) (?:the |an? )?(?:\|tax\|)|\|tax\| (?:is |are |was |already ){0,2}(?:included|inclusive|incl|inside)\b|\b(?:prices|price|all|total|amount|they|it) (?:already )?(?:includes?|including|incl|contains?) (?:the )?(?:\|tax\|)/
const removal = /\b(?:remove|strip|extract|take (?:out|off)|back out|subtract|deduct|get rid of|without|reverse|contained|inside)\b/
const added =
  /\b(?:plus|add|adding|added|\+|then|and|on top|excl|excluding|exclusive of) (?:the |an? )?\|tax\||\|tax\| (?:is |will be |gets )?(?:added|on top|to be added|comes on top)|^ \|tax\| (?:on|to|for) \|/

/** The problem with its direction, or a question. */
function judge(draft: Draft): ReadPrices | undefined {
  const { text, steps, lines, sign } = draft
  const rest = text.text
  const taxes = steps.filter(({ kind }) => kind === 'tax')
  if (taxes.length > 1 || steps.some((step) => step.isShare && (step.value.n < 0n || step.value.n > 10n * step.value.d))) return undefined
  if (!hasOnlyPriceWords(rest) || (lines.length > 1 && isScopedStep(rest))) return undefined
  const direction = directionOf(draft, taxes.length > 0)
  const asksTax = new RegExp(` ${taxWord} `).test(rest)
  if (direction === undefined) return undefined
  if (taxes.length === 0 && (asksTax || ((sign === 'net' || sign === 'gross') && / (?:net|gross) /.test(rest))))
    return { question: 'Which tax rate in percent do I use? Answer such as “19%”.' }
  if (isScopeUnclear(draft)) return undefined
  const wantsEach = / (?:each|per person|per head|everyone|everybody|split|divide|share|shared|apiece) /.test(rest)
  if (wantsEach && draft.people === undefined)
    return / (?:per person|per head|everyone|everybody|split|divide|shared?) /.test(rest)
      ? { question: 'Between how many people do I split the total? Answer such as “4 people”.' }
      : undefined
  if (draft.people !== undefined && !wantsEach) return undefined
  const tips = steps.filter(({ kind }) => kind === 'tip')
  const tipOn = tipBase(rest)
  if (tips.some(({ isShare }) => isShare) && taxes.length > 0 && tipOn === undefined)
    return { question: 'Is the tip a percentage of the amount before tax or after tax? Answer “before tax” or “after tax”.' }
  const isAboutMoney =
    steps.length > 0 ||
    draft.currency.sign !== '' ||
    / (?:total|sum|costs?|pay|paid|price|altogether|owe|bill|invoice|quote|order|how much) /.test(rest)
  if (!isAboutMoney) return undefined
  const ordered = orderSteps(steps)
  if (!ordered || (steps.length === 0 && draft.people === undefined && lines.length < 2 && !lines.some(({ how }) => how !== '')))
    return undefined
  return { problem: { lines, steps: ordered, direction, people: draft.people, tipOn: tipOn ?? 'after tax', currency: draft.currency } }
}

/** True if a percentage stands between amounts, so that it may be of some of them only. */
function isScopeUnclear({ text, lines, steps }: Draft): boolean {
  return steps
    .filter(({ isShare, kind }) => isShare && kind !== 'deposit')
    .some(({ place, kind }) => {
      const isBetween = lines.some((line) => line.place < place) && lines.some((line) => line.place > place)
      const isAfterFee = kind === 'discount' && steps.some((step) => step.kind === 'surcharge' && !step.isShare && step.place < place)
      return isBetween || (isAfterFee && !/\|discount\| (?:on |off )?(?:everything|all|the total|the whole|the lot)/.test(text.text))
    })
}

function directionOf({ text, steps, sign }: Draft, hasTax: boolean): PriceCalculation['direction'] | undefined {
  const rest = text.text
  const onlyDiscounts = steps.length > 0 && steps.every((step) => step.kind === 'discount' && step.isShare)
  const asksOriginal = / (?:original|originally|before (?:the )?(?:discount|sale|reduction)|full price|list price|regular price)/.test(rest)
  if (asksOriginal && sign !== 'original') return onlyDiscounts ? 'original' : undefined
  if (sign === 'paid' && steps.some(({ kind }) => kind === 'discount')) return undefined
  // "The price is 150 after 25% off" is the reduced price; "what is 150 after 25% off" is not.
  const isReduced =
    / after (?:an? |the )?\|discount\| /.test(rest) && !/ (?:what(?:'s| is)|whats|how much is) (?:[a-z]+ ){0,5}\|base\| after /.test(rest)
  if (isReduced || / (?:incl|including|inclusive of) (?:an? |the )?\|(?:discount|tip)\| /.test(rest)) return undefined
  if (!hasTax) return 'add'
  const isOther = steps.some((step) => step.kind === 'tip' || step.kind === 'surcharge' || step.kind === 'deposit')
  const asksParts = new RegExp(` (?:net|${taxWord}|before (?:\\|tax\\||${taxWord})) `).test(rest)
  const isContained =
    included.test(rest) ||
    (asksParts && / with (?:the )?\|tax\| /.test(rest)) ||
    sign === 'gross' ||
    (sign === 'paid' && asksParts) ||
    removal.test(rest)
  if (sign === 'net' || added.test(rest)) return isContained && sign !== 'net' && !added.test(rest) ? undefined : 'add'
  if (isContained) return isOther || (!asksParts && !removal.test(rest) && sign !== 'gross') ? undefined : 'extract'
  return new RegExp(
    ` (?:\\|tax\\||${taxWord})(?: (?:amount|is|was|share|there|contained|included)){0,2} in (?:the |a |an |this )?(?:[a-z]+ (?:of )?)?\\|base\\| `,
  ).test(rest)
    ? 'extract'
    : 'add'
}

function tipBase(rest: string): PriceCalculation['tipOn'] | undefined {
  if (/ (?:before (?:the )?(?:tax|vat|\|tax\|)|pre-?tax|on the subtotal|on the net) /.test(rest)) return 'before tax'
  return / (?:after (?:the )?(?:tax|vat|\|tax\|)|post-?tax|on the total) /.test(rest) ? 'after tax' : undefined
}

/** A discount in percent comes before the tax, regardless of the order of the words: the total is the same. */
function orderSteps(steps: readonly PriceStep[]): PriceStep[] | undefined {
  const tax = steps.findIndex(({ kind }) => kind === 'tax')
  const discounts = steps.filter((step, index) => step.kind === 'discount' && step.isShare && index > tax)
  if (tax < 0 || discounts.length === 0) return [...steps]
  const hasFlat = steps.some((step, index) => index > tax && !step.isShare)
  if (hasFlat) return undefined
  return [...steps.slice(0, tax), ...discounts, ...steps.slice(tax).filter((step) => !discounts.includes(step))]
}
