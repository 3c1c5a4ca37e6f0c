/** Measures that two columns give together, such as net growth, profit or a rate. */

import type { CombinedOperator, Measure } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import { wordsOfName } from '../words/read-question-words.ts'
import { hasPhrase, lowerAt, markUsed, mentionAt, numberColumns, previousWord, type QuestionReading } from './question-reading.ts'

/** Words `start` to `end` ask for the measure. */
export type MeasureMention = { readonly start: number; readonly end: number; readonly measure: Measure }

const pattern = (words: string): RegExp => new RegExp(`^(?:${words})$`, 'i')
/** What is added and what is taken away, by the words of a heading. */
const opposites: readonly (readonly [plus: RegExp, minus: RegExp])[] = [
  [
    pattern('signups?|registrations?|new|gained|added|joined|acquired|subscribed|activations?|started|installs?'),
    pattern(
      'churn|churned|lost|cancelled|canceled|cancellations?|left|unsubscribed|unsubscribes|removed|deleted|deactivations?|ended|uninstalls?',
    ),
  ],
  [
    pattern('revenues?|sales|income|turnover|earned|earnings|receipts?'),
    pattern('costs?|expenses?|spend|spending|spent|expenditures?|cogs|outgoings?'),
  ],
  [
    pattern('hires?|hired|arrivals?|arrived|entries|entered|checkins?|births?|immigration'),
    pattern('leavers?|fired|departures?|departed|exits?|exited|checkouts?|deaths?|resignations?|emigration'),
  ],
  [
    pattern('inflows?|deposits?|deposited|credits?|incoming|received|inbound|exports?|opened|bought|produced'),
    pattern('outflows?|withdrawals?|withdrawn|debits?|outgoing|sent|outbound|imports?|closed|sold|consumed'),
  ],
  [pattern('gross|sales|revenue|sold|orders?'), pattern('returns?|returned|refunds?|refunded|discounts?')],
  [pattern('in|plus|gains?'), pattern('out|minus|loss|losses')],
]

const hasWord = (column: TableColumn, words: RegExp): boolean => wordsOfName(column.name).some((word) => words.test(word))

/** The first pair of number columns of which one is the other's opposite. */
function findOpposites(columns: readonly TableColumn[], pairs: typeof opposites): readonly [TableColumn, TableColumn] | undefined {
  for (const [plus, minus] of pairs) {
    const right = columns.find((column) => hasWord(column, minus))
    const left = columns.find((column) => column !== right && hasWord(column, plus))
    if (left && right) return [left, right]
  }
  return undefined
}

const combined = (
  name: string,
  operator: CombinedOperator,
  [left, right]: readonly [TableColumn, TableColumn],
  isPercent = false,
): Measure => ({
  kind: 'combined',
  name,
  operator,
  left,
  right,
  isPercent,
})

const profitPairs = [opposites[1]] as unknown as typeof opposites

/** Rates by their usual names: what is divided, and by what. */
const rates: readonly { readonly phrase: string; readonly top: RegExp; readonly bottom: RegExp; readonly isPercent: boolean }[] = [
  {
    phrase: 'churn rate',
    top: pattern('churn|churned|lost|cancellations?|cancelled'),
    bottom: pattern('customers?|subscribers?|users?|members?|active|accounts?'),
    isPercent: true,
  },
  {
    phrase: 'conversion rate',
    top: pattern('conversions?|orders?|purchases?|signups?|sales|converted'),
    bottom: pattern('visits?|visitors?|sessions?|clicks?|leads?|users?|traffic'),
    isPercent: true,
  },
  { phrase: 'click through rate', top: pattern('clicks?'), bottom: pattern('impressions?|views?'), isPercent: true },
  { phrase: 'click-through rate', top: pattern('clicks?'), bottom: pattern('impressions?|views?'), isPercent: true },
  { phrase: 'ctr', top: pattern('clicks?'), bottom: pattern('impressions?|views?'), isPercent: true },
  { phrase: 'average order value', top: pattern('revenue|sales|turnover'), bottom: pattern('orders?'), isPercent: false },
  { phrase: 'cost per click', top: pattern('costs?|spend'), bottom: pattern('clicks?'), isPercent: false },
  { phrase: 'return rate', top: pattern('returns?|returned'), bottom: pattern('orders?|sold|sales'), isPercent: true },
  { phrase: 'refund rate', top: pattern('refunds?|refunded'), bottom: pattern('orders?|sold|sales'), isPercent: true },
]

/** The derived measures of a question. Their words are marked as understood. */
export function findDerivedMeasures(reading: QuestionReading): MeasureMention[] {
  const found: MeasureMention[] = []
  for (let at = 0; at < reading.words.length; at++) {
    const one = readOperation(reading, at) ?? readNet(reading, at) ?? readProfit(reading, at) ?? readRate(reading, at)
    if (!one) continue
    found.push(one)
    markUsed(reading, one.start, one.end)
    dropMentions(reading, one.start, one.end)
    at = one.end - 1
  }
  return found
}

function dropMentions({ mentions }: QuestionReading, start: number, end: number): void {
  for (let index = mentions.length - 1; index >= 0; index--) {
    const mention = mentions[index]
    if (mention && mention.start < end && mention.end > start) mentions.splice(index, 1)
  }
}

/** The number column that is named at a place, after articles and words such as "total". */
function numberAt(
  reading: QuestionReading,
  at: number,
): { readonly column: TableColumn; readonly end: number; readonly start: number } | undefined {
  let place = at
  while (['the', 'total', 'of', 'its', 'all', 'number'].includes(lowerAt(reading, place)) && !mentionAt(reading, place)) place++
  const mention = mentionAt(reading, place)
  return mention?.column.kind === 'number' ? { column: mention.column, start: mention.start, end: mention.end } : undefined
}

const operators: readonly (readonly [string, CombinedOperator])[] = [
  ['minus', '-'],
  ['-', '-'],
  ['−', '-'],
  ['less', '-'],
  ['plus', '+'],
  ['+', '+'],
  ['times', '*'],
  ['multiplied by', '*'],
  ['*', '*'],
  ['divided by', '/'],
  ['/', '/'],
  ['over', '/'],
  ['per', '/'],
  ['as a percentage of', '/'],
  ['as a share of', '/'],
  ['as percentage of', '/'],
]
const signs: { readonly [operator in CombinedOperator]: string } = { '-': '−', '+': '+', '*': '×', '/': '÷' }

/** "signups minus churned", "the difference between A and B", "the ratio of A to B", "A per B". */
function readOperation(reading: QuestionReading, at: number): MeasureMention | undefined {
  const word = lowerAt(reading, at)
  if ((word === 'difference' || word === 'gap' || word === 'spread') && !reading.used[at]) return readPair(reading, at, '-')
  if (word === 'ratio' && !reading.used[at]) return readPair(reading, at, '/')
  const left = mentionAt(reading, at)
  if (left?.start !== at || left.column.kind !== 'number') return undefined
  const operator = operators.find(([phrase]) => hasPhrase(reading, left.end, phrase))
  const right = operator && numberAt(reading, left.end + operator[0].split(' ').length)
  if (!operator || !right || right.column === left.column) return undefined
  const [phrase, sign] = operator
  const isPercent = /percentage|share/.test(phrase)
  return {
    start: at,
    end: right.end,
    measure: combined(`${left.column.name} ${signs[sign]} ${right.column.name}`, sign, [left.column, right.column], isPercent),
  }
}

function readPair(reading: QuestionReading, at: number, operator: CombinedOperator): MeasureMention | undefined {
  let place = at + 1
  while (['between', 'of', 'in', 'from'].includes(lowerAt(reading, place))) place++
  const left = numberAt(reading, place)
  const joint =
    left && ['and', 'to', 'vs', 'versus', ':', '/'].includes(lowerAt(reading, left.end)) ? numberAt(reading, left.end + 1) : undefined
  if (!left || !joint || left.column === joint.column) return undefined
  return {
    start: at,
    end: joint.end,
    measure: combined(`${left.column.name} ${signs[operator]} ${joint.column.name}`, operator, [left.column, joint.column]),
  }
}

const netNouns = new Set(
  'growth change gain gains adds additions new increase result amount total balance flow cash worth value users customers subscribers members signups sales revenue income loss migration exports hires'.split(
    ' ',
  ),
)

/** "net growth", "net new customers", "net signups". */
function readNet(reading: QuestionReading, at: number): MeasureMention | undefined {
  if (lowerAt(reading, at) !== 'net' || reading.used[at]) return undefined
  const mention = mentionAt(reading, at + 1)
  const numbers = numberColumns(reading.table)
  const pair = findOpposites(numbers, opposites)
  if (!pair) return undefined
  let end = at + 1
  while (netNouns.has(lowerAt(reading, end)) && end - at <= 3) end++
  if (mention?.column.kind === 'number') end = Math.max(end, mention.end)
  const name = reading.words
    .slice(at, end)
    .map((word) => word.lower)
    .join(' ')
  return { start: at, end, measure: combined(name, '-', pair) }
}

function readProfit(reading: QuestionReading, at: number): MeasureMention | undefined {
  const word = lowerAt(reading, at)
  const isMargin = (word === 'margin' || word === 'margins') && !reading.used[at]
  const isProfit = ['profit', 'profits', 'earnings', 'surplus', 'gains'].includes(word) && !reading.used[at]
  if (!isMargin && !isProfit) return undefined
  const pair = findOpposites(numberColumns(reading.table), profitPairs)
  if (!pair) return undefined
  const isBoth = isProfit && ['margin', 'margins'].includes(lowerAt(reading, at + 1))
  const previous = previousWord(reading, at)
  const start = ['net', 'gross', 'operating'].includes(previous.lower) ? previous.at : at
  if (!isMargin && !isBoth) return { start, end: at + 1, measure: combined('profit', '-', pair) }
  const measure = { ...combined('margin', '-', pair, true), isMargin: true } as Measure
  return { start, end: at + (isBoth ? 2 : 1), measure }
}

function readRate(reading: QuestionReading, at: number): MeasureMention | undefined {
  const rate = rates.find(({ phrase }) => hasPhrase(reading, at, phrase))
  if (!rate) return undefined
  const length = rate.phrase.split(' ').length
  const whole = mentionAt(reading, at)
  if (whole && whole.end - whole.start >= length) return undefined
  const numbers = numberColumns(reading.table)
  const top = numbers.find((column) => hasWord(column, rate.top))
  const bottom = numbers.find((column) => column !== top && hasWord(column, rate.bottom))
  if (!top || !bottom) return undefined
  return { start: at, end: at + length, measure: combined(rate.phrase, '/', [top, bottom], rate.isPercent) }
}

/** Why a profit or margin cannot be computed, if one is asked for and the table has no costs. */
export function missingCosts(reading: QuestionReading): { readonly word: string; readonly reason: string } | undefined {
  const at = reading.words.findIndex(
    ({ lower }, index) => /^(?:margins?|profits?|profitable|profitability)$/.test(lower) && !mentionAt(reading, index),
  )
  if (at < 0 || findOpposites(numberColumns(reading.table), profitPairs)) return undefined
  const isNamed = reading.table.columns.some(({ kind, name }) => kind === 'number' && /profit|margin/i.test(name))
  const names = numberColumns(reading.table).map(({ name }) => name)
  const last = /^margins?$/.test(lowerAt(reading, at + 1)) ? at + 1 : at
  const word = reading.words
    .slice(at, last + 1)
    .map(({ text }) => text)
    .join(' ')
  return isNamed || reading.used[at]
    ? undefined
    : {
        word,
        reason: `No column or cell has the name “${word}”, and there is no column of costs to compute it from. Attach a table with the costs, or ask for ${names.length > 0 ? names.join(', ') : 'another number'} instead.`,
      }
}
