/** Reads what a question measures. */

import { orderValueColumn, quantityColumn } from '../../computing/add-computed-columns.ts'
import type { Aggregate, Aggregated, Measure } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import type { ColumnMention } from '../words/find-columns.ts'
import { rowNounOf } from '../words/stop-words.ts'
import type { Cue } from './find-question-cues.ts'
import { lowerAt, markUsed, numberColumns, previousWord, type QuestionReading } from './question-reading.ts'
import { moneyColumn } from './read-filters.ts'
import type { QuestionDraft } from './read-groups.ts'

/** Measures and the totals that belong to them, in the order of the words. */
export function readMeasures(draft: QuestionDraft): Aggregated[] {
  const { reading, cues, derived } = draft
  type Item = { readonly at: number; readonly aggregate?: Aggregate; readonly measure?: Measure }
  const items: Item[] = [
    ...cues.flatMap((cue): Item[] => (cue.kind === 'aggregate' ? [{ at: cue.at, aggregate: cue.aggregate }] : [])),
    ...derived.map(({ start, measure }): Item => ({ at: start, measure })),
    ...reading.mentions.flatMap((mention): Item[] => {
      const measure = measureOf(draft, mention)
      return measure ? [{ at: mention.start, measure }] : []
    }),
    ...countedNouns(draft).map(({ at, measure }): Item => ({ at, measure })),
  ].sort((a, b) => a.at - b.at)
  const found: Aggregated[] = []
  let [open, last] = [[] as Aggregate[], [] as Aggregate[]]
  for (const { aggregate, measure } of items) {
    if (aggregate !== undefined) open.push(aggregate)
    if (!measure) continue
    const used = open.length > 0 ? open : last
    for (const one of used.length > 0 ? used : (['usual'] as const)) found.push({ aggregate: one, measure })
    if (open.length > 0) last = open
    open = []
  }
  const [previous] = found.slice(-1)
  const measure = previous?.measure ?? (open.length > 0 ? defaultMeasure(reading) : undefined)
  if (open.length > 0 && measure) {
    // "revenue in total": the total belongs to the measure before it.
    const kept = previous?.aggregate === 'usual' ? found.slice(0, -1) : found
    return [...kept, ...open.map((aggregate) => ({ aggregate, measure }))]
  }
  return found
}

/** What a column that is named measures: its numbers, or its different cells where the words count them. */
export function measureOf(draft: QuestionDraft, mention: ColumnMention): Measure | undefined {
  const { reading, cues, subject } = draft
  const { column, start, how } = mention
  if (column.kind === 'number') return isCountedNumber(draft, mention) ? { kind: 'rows', noun: column.name } : { kind: 'column', column }
  const previous = previousWord(reading, start)
  const isCounted = cues.some((cue) => (cue.kind === 'count' || cue.kind === 'distinct') && cue.end > previous.at && cue.end <= start)
  const isExtreme =
    subject !== undefined && subject.column !== column && ['most', 'fewest', 'least', 'highest', 'lowest', 'of'].includes(previous.lower)
  if (!isCounted && !isExtreme) return undefined
  if (column.kind === 'time' && how === 'part') return { kind: 'rows', noun: reading.words[start]?.lower ?? 'rows' }
  return { kind: 'distinct', column }
}

/** "How many orders", where the column holds the numbers of the orders: 500, 501, 502. A sum of them has no meaning. */
function isCountedNumber({ cues }: QuestionDraft, { column, start }: ColumnMention): boolean {
  const numbers = column.numbers.filter((value) => value !== null)
  const isCounting = (cue: Cue) => cue.kind === 'count' || (cue.kind === 'superlative' && /^(?:most|fewest|least)$/.test(cue.word))
  if (!cues.some((cue) => isCounting(cue) && cue.end === start) || numbers.length < 3) return false
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
  const isDistinct = numbers.every(Number.isInteger) && new Set(numbers).size === numbers.length
  return recordName.test(column.name) && isDistinct && max - min < numbers.length * maxGapsOfIds
}
/** Names of one record or of its number, in the singular: “units” and “orders” are quantities. */
const recordName =
  /^(?:order|sale|invoice|ticket|booking|transaction|payment|delivery|shipment|pedido|factura|reserva|bestellung|auftrag|rechnung|buchung|lieferung|commande|facture|réservation|livraison|订单|发票)$|(?:^|[^a-z])(?:ids?|nos?\.?|nr\.?|num(?:ber|ero|éro)?|nummer)$|(?:编号|号)$/i
/** Numbers of records follow each other, up to so many places for each. */
const maxGapsOfIds = 1.5

/** Nouns that stand for rows: "how many orders", "the most sales". */
export function countedNouns({ reading, cues, fileNoun }: QuestionDraft): { readonly at: number; readonly measure: Measure }[] {
  const found: { at: number; measure: Measure }[] = []
  for (const cue of cues) {
    if (cue.kind !== 'count' && !(cue.kind === 'superlative' && /^(?:most|fewest|least|highest|lowest)$/.test(cue.word))) continue
    let at = cue.end
    while (
      at < reading.words.length &&
      ['of', 'the', 'all', 'different', 'number', 'total', 'individual', 'single'].includes(lowerAt(reading, at))
    )
      at++
    const quantity = reading.values.some(({ start }) => start === at) ? soldQuantity(reading) : undefined
    if (quantity) {
      found.push({ at, measure: { kind: 'column', column: quantity } })
      continue
    }
    const word = reading.words[at]
    const noun = word && !reading.used[at] ? rowNounOf(word.lower, fileNoun) : undefined
    if (noun === undefined) continue
    markUsed(reading, at, at + 1)
    found.push({ at, measure: { kind: 'rows', noun } })
  }
  return found
}

/** Verbs of which the quantity is the object. */
export const saleVerb = /^(?:sold|sell|bought|ordered|purchased|shipped|delivered|returned|produced)$/

/** "How many kettles were sold?" asks for the sum of the quantities, if the table has any. */
const soldQuantity = ({ words, table }: QuestionReading): TableColumn | undefined =>
  words.some(({ lower }) => saleVerb.test(lower)) ? quantityColumn(table) : undefined

/** The only number column, quantity times price, or the only column of money. */
export function defaultMeasure({ table }: QuestionReading): Measure | undefined {
  const numbers = numberColumns(table)
  const column = numbers.length === 1 ? numbers[0] : (orderValueColumn(table) ?? moneyColumn(numbers))
  return column && { kind: 'column', column }
}

/** Words of superlatives that name a column: the oldest has the highest age. */
const adjectives: { readonly [word: string]: RegExp } = {
  expensive: /price|cost/i,
  costly: /price|cost/i,
  cheapest: /price|cost/i,
  profitable: /profit|margin/i,
  valuable: /value|revenue|amount/i,
  oldest: /\bage\b/i,
  youngest: /\bage\b/i,
  longest: /length|duration|time|days|hours|minutes/i,
  shortest: /length|duration|time|days|hours|minutes|height/i,
  heaviest: /weight/i,
  lightest: /weight/i,
  tallest: /height/i,
  fastest: /speed|time/i,
  slowest: /speed|time/i,
  'best-selling': /quantity|units|sold|sales|revenue/i,
  'top-selling': /quantity|units|sold|sales|revenue/i,
  bestselling: /quantity|units|sold|sales|revenue/i,
  'worst-selling': /quantity|units|sold|sales|revenue/i,
  'highest-paid': /salary|pay|wage/i,
  best: /rating|score|revenue|sales|profit/i,
  worst: /rating|score|revenue|sales|profit/i,
}

export function adjectiveMeasure(reading: QuestionReading, word: string): Measure | undefined {
  const pattern = Object.hasOwn(adjectives, word) ? adjectives[word] : undefined
  const column = pattern && reading.table.columns.find(({ kind, name }) => kind === 'number' && pattern.test(name))
  return column && { kind: 'column', column }
}
