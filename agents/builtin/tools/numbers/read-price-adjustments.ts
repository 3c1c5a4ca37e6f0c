/** Reads what changes a sum: discounts, tax, tips, surcharges and deposits. */

import type { PriceStep, PriceStepKind } from './price-calculation-types.ts'
import { divide, formatRational, type Rational, rational } from './rational.ts'
import type { ReadableText } from './with-number-placeholders.ts'

const keys: { readonly [kind in PriceStepKind]: string } = {
  tax: 'vat|value added tax|sales tax|tax|gst|hst|mwst|ust|iva|tva|btw|moms',
  discount:
    '(?:early payment |early bird |cash |staff |student |loyalty |volume |bulk |quantity |employee |member |members |customer |trade |extra |additional |further |special |summer |sale |price )?(?:discount|rebate|reduction|off|skonto|markdown|cheaper)',
  tip: 'tips?|gratuity|service charge|service|tipping',
  surcharge: 'surcharge|rush fee|booking fee|handling fee|import duty|customs duty|customs|duty|express fee',
  deposit: 'deposit|down ?payment|upfront|up front|advance payment|prepayment|in advance',
}
const kinds = Object.keys(keys) as PriceStepKind[]
const names: { readonly [kind in PriceStepKind]: string } = {
  tax: 'VAT',
  discount: 'discount',
  tip: 'tip',
  surcharge: 'surcharge',
  deposit: 'deposit',
}

/** What stands between a word and its percentage. */
const link = '(?:(?:is|are|of|at|:|=|rate|@|\\(|currently|by|an?|additional|extra) ){0,4}'
const adjective = '(?:(?:of|for|as|in|an?|the|standard|flat|extra|general|german|uk|austrian|usual) ){0,3}'
const verbs =
  '(?:reduced by|reduces? (?:it|the price) by|discounted (?:by|at)|marked down by|lowered by|less|minus|take|takes|took|knock|save|-)'
const flat = '(?:vouchers?|coupons?|gift cards?|discount|rebate|reduction|off)'
const fees =
  '(?:shipping and handling|shipping|delivery|postage|freight|handling|installation|assembly|set-?up|call-?out|cleaning|express delivery|packaging|booking)'

const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const taxName = (word: string): string => (/^(?:vat|gst|hst|tva|iva|btw)$/.test(word) ? word.toUpperCase() : word)

type Found = { readonly steps: PriceStep[] }

function pushShare(
  { steps }: Found,
  kind: PriceStepKind,
  share: { readonly value: Rational; readonly place: number; readonly word: string },
): string {
  const { value, place, word } = share
  const name = kind === 'tax' ? taxName(word) : kind === 'tip' && word !== 'tips' && word !== 'tipping' ? word : names[kind]
  steps.push({ kind, label: `${formatRational(value)}% ${name}`, value: divide(value, rational(100n)), isShare: true, place })
  return `|${kind}|`
}

/** Takes the percentages out of the text, in order. */
export function readPriceAdjustments(text: ReadableText): PriceStep[] {
  const found: Found = { steps: [] }
  const isWordFirst = new RegExp(` (?:${kinds.map((kind) => keys[kind]).join('|')}) ${link}%`).exec(text.text)
  const firstPercent = /%\d/.exec(text.text)
  const leadsFirst = isWordFirst && firstPercent && isWordFirst.index + isWordFirst[0].length - 1 === firstPercent.index
  for (const order of leadsFirst ? ['before', 'after'] : ['after', 'before']) {
    for (const kind of kinds) {
      const pattern = order === 'before' ? ` (${keys[kind]}) ${link}%(\\d+)(?: \\))?(?= )` : ` %(\\d+) ${adjective}(${keys[kind]})(?= )`
      text.take(new RegExp(pattern, 'g'), (parts, [number]) => {
        const [word, place] = order === 'before' ? [parts[0] ?? '', parts[1] ?? ''] : [parts[1] ?? '', parts[0] ?? '']
        return number && pushShare(found, kind, { value: number.value, place: Number(place), word })
      })
    }
  }
  text.take(
    new RegExp(` ${verbs} (?:an? |another |extra |further )*%(\\d+)(?: \\|discount\\|)?(?= )`, 'g'),
    ([place = ''], [number]) => number && pushShare(found, 'discount', { value: number.value, place: Number(place), word: '' }),
  )
  readFurtherDiscounts(text, found)
  readOnlyShare(text, found)
  return found.steps.sort((a, b) => a.place - b.place)
}

/** `How much VAT is in 240 at 20%?`: one percentage, and one word without a number. */
function readOnlyShare(text: ReadableText, found: Found): void {
  const asked = kinds.filter((kind) => new RegExp(` (?:${keys[kind]}) `).test(text.text))
  const [kind] = asked
  if (asked.length !== 1 || !kind || (text.text.match(/%\d/g)?.length ?? 0) !== 1) return
  text.take(/ (?:at|@|with|rate|is|:|\(|of)(?: (?:a|the|rate|of|is|:)){0,3} %(\d+)(?: (?:rate|\)))?(?= )/g, ([place = ''], [number]) => {
    const word = new RegExp(` (${keys[kind]}) `).exec(text.text)?.[1] ?? ''
    return number && `at ${pushShare(found, kind, { value: number.value, place: Number(place), word })}`
  })
}

/** `20% off and then another 10%`, and `20% and then 10% off`. */
function readFurtherDiscounts(text: ReadableText, found: Found): void {
  const joined = '(?:,|and|then|plus|followed by|\\+) '
  const share = (place: string): string | undefined => {
    const number = text.at(`%${place}`)
    return number && pushShare(found, 'discount', { value: number.value, place: Number(place), word: '' })
  }
  for (let round = 0; round < 3; round++) {
    text.take(
      new RegExp(`(?<= \\|discount\\|) (?:${joined}){1,3}(?:an |a )?(?:another|extra|further|additional) %(\\d+)(?= )`, 'g'),
      ([place = '']) => share(place),
    )
    text.take(
      new RegExp(` %(\\d+) (?:${joined}){1,3}(?:(?:an|another|a|extra|further|additional) ){0,2}(?=\\|discount\\|)`, 'g'),
      ([place = '']) => share(place),
    )
  }
  text.take(/ (?:(?:an|another|a|extra|further|additional) ){1,2}(?=\|discount\|)/g, () => ' ')
}

/** What may follow an amount that no item is counted with. */
const end = '(?= (?:[,.?|;)+=-]|and|plus|then|with|what|how|total|please|extra|on top|in total|$))'

/** Takes amounts instead of percentages out of the text: `20 off`, `a voucher of 10`, `shipping 12.50`. */
export function readFlatSteps(text: ReadableText): PriceStep[] {
  const steps: PriceStep[] = []
  const push = (kind: PriceStepKind, place: string, label: string): string | undefined => {
    const number = text.at(`#${place}`)
    if (!number || number.isWord) return undefined
    steps.push({ kind, label, value: number.value, isShare: false, place: Number(place) })
    return kind === 'surcharge' ? '|fee|' : '|flat|'
  }
  const between = '(?:(?:cost|costs|fee|fees|charge|charges|is|are|of|for|at|:|=|worth|with) ){0,3}'
  text.take(new RegExp(`(?<!#\\d{1,3}) (${fees}) ${between}#(\\d+)(?! ${fees})${end}`, 'g'), ([word = '', place = '']) =>
    push('surcharge', place, upperFirst(word)),
  )
  text.take(
    new RegExp(` #(\\d+) (?:for |of |as )?(?:the )?(${fees})(?: (?:cost|costs|fee|charge|charges))?${end}`, 'g'),
    ([place = '', word = '']) => push('surcharge', place, upperFirst(word)),
  )
  text.take(new RegExp(` #(\\d+) (?:worth of )?(?:of )?${flat}(?= )`, 'g'), ([place = '']) => push('discount', place, 'Discount'))
  text.take(new RegExp(`(?<!#\\d{1,3}) ${flat} ${between}#(\\d+)${end}`, 'g'), ([place = '']) => push('discount', place, 'Discount'))
  text.take(new RegExp(` (?:minus|less) (?:an? )?#(\\d+)${end}`, 'g'), ([place = '']) => push('discount', place, 'Discount'))
  text.take(/ #(\d+) (?:as )?(?:an? )?(?:deposit|down ?payment)(?= )/g, ([place = '']) => push('deposit', place, 'Deposit'))
  return steps
}
