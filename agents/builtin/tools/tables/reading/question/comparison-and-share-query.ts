/** Reads comparisons of two conditions and shares of a whole as queries. */

import { labelColumn } from '../../computing/answer-query.ts'
import type { Aggregated, Grouping, Measure, TableFilter, TableQuery } from '../../computing/table-query.ts'
import { rowNounOf } from '../words/stop-words.ts'
import { markUsed } from './question-reading.ts'
import type { QuestionDraft } from './read-groups.ts'
import { defaultMeasure } from './read-measures.ts'

/** The number that is asked for, or the usual one of the table. */
export const numberOrDefault = ({ reading, cues }: QuestionDraft, numbers: readonly Aggregated[]): Aggregated | undefined => {
  const [first] = numbers
  if (first) return first
  const measure = cues.some((cue) => cue.kind === 'count') ? ({ kind: 'rows', noun: 'rows' } as const) : defaultMeasure(reading)
  return measure && { aggregate: 'usual', measure }
}

/** "How much higher was revenue in June than in May?" */
export function comparisonQuery(draft: QuestionDraft, numbers: readonly Aggregated[]): TableQuery | undefined {
  const { reading, cues } = draft
  const isAsked =
    cues.some((cue) => cue.kind === 'difference' || cue.kind === 'change') || reading.words.some(({ lower }) => lower === 'than')
  if (!isAsked || draft.subject) return undefined
  const pair = splitPair(reading.filters)
  const number = pair && numberOrDefault(draft, numbers)
  if (!pair || !number) return undefined
  const isRelative = reading.words.some(({ lower, text }) => ['percent', 'percentage'].includes(lower) || text === '%')
  const isFromTo = cues.some((cue) => cue.kind === 'change') && !reading.words.some(({ lower }) => lower === 'than')
  const [first, second] = isFromTo ? [pair.second, pair.first] : [pair.first, pair.second]
  return { kind: 'comparison', number, first, second, filters: pair.rest, isRelative }
}

type FilterPair = { readonly first: TableFilter; readonly second: TableFilter; readonly rest: readonly TableFilter[] }

/** Two cells or times of one column, whether they are one filter or two. */
function splitPair(filters: readonly TableFilter[]): FilterPair | undefined {
  for (const filter of filters) {
    const rest = filters.filter((one) => one !== filter)
    if (filter.kind === 'values' && filter.values.length === 2 && !filter.isNot) {
      const [first = '', second = ''] = filter.values
      return { first: { ...filter, values: [first], text: first }, second: { ...filter, values: [second], text: second }, rest }
    }
    if (filter.kind === 'time' && filter.fields.length === 2 && !filter.isNot) {
      const [first, second] = filter.fields
      const [a = '', b = ''] = filter.text.split(' or ')
      if (first && second)
        return { first: { ...filter, fields: [withYear(first, second)], text: a }, second: { ...filter, fields: [second], text: b }, rest }
    }
    if (filter.kind === 'period' && Number.isFinite(filter.from) && Number.isFinite(filter.to)) {
      const [a = '', b = ''] = filter.text.split(' to ')
      return { first: { ...filter, to: endOf(filter.from, a), text: a }, second: { ...filter, from: startOf(filter.to, b), text: b }, rest }
    }
    const other = rest.find(
      (one) => one.column === filter.column && one.kind === filter.kind && (one.kind === 'values' || one.kind === 'time'),
    )
    if (other) return { first: filter, second: other, rest: rest.filter((one) => one !== other) }
  }
  return undefined
}

const withYear = <T extends { readonly year?: number }>(first: T, second: T): T =>
  first.year === undefined && second.year !== undefined ? { ...first, year: second.year } : first
/** A year has 372 places, a month 31. */
const endOf = (from: number, text: string): number => (/^\d{4}$/.test(text) ? from + 371 : from + 30)
const startOf = (to: number, text: string): number => (/^\d{4}$/.test(text) ? to - 371 : to - 30)

const verbs = new Set(
  'is are was were come comes came has have had does did do go goes went belong belongs make makes made account accounts accounted'.split(
    ' ',
  ),
)

/**
 * The verb between the whole and the part. Undefined: a condition has a verb of its own on either side, so that several readings are
 * possible.
 */
function separatingVerb({ words }: QuestionDraft['reading'], from: number): number | undefined {
  const places = words.flatMap(({ lower }, at) => (at > from && verbs.has(lower) ? [at] : []))
  const where = words.findIndex(({ lower }, at) => at > from && lower === 'where')
  const [first = -1, second] = places
  if (where < 0) return first
  // “Rows where age is more than 40 have …”: the condition of the whole comes first.
  return where < first && places.length === 2 ? second : undefined
}

const negations = /^(?:not|never|without|none|nor|neither|\w+n['’]t)$/

/** “Did not have” turns a share around; where no condition reads it, it would be lost. */
const hasOpenNegation = ({ words, filters }: QuestionDraft['reading']): boolean =>
  words.some(({ lower }) => negations.test(lower)) && !filters.some((filter) => 'isNot' in filter && filter.isNot)

const rowWords = new Set(['row', 'rows', 'record', 'records', 'entries', 'lines'])

/** “What share of the total is each?” asks for every row that has a name. */
function namedByEach({ reading }: QuestionDraft): Grouping | undefined {
  const at = reading.words.findIndex(({ lower }, index) => lower === 'each' && !reading.used[index])
  const label = at < 0 ? undefined : labelColumn(reading.table)
  if (!label) return undefined
  markUsed(reading, at, at + 1)
  return { column: label, part: undefined }
}

/** "What percentage of revenue came from North?" The conditions before the verb limit the whole. */
export function shareQuery(draft: QuestionDraft, numbers: readonly Aggregated[]): TableQuery | undefined {
  const { reading, groups, fileNoun, cues } = draft
  const verb = separatingVerb(reading, cues.find((cue) => cue.kind === 'share')?.at ?? 0)
  if (verb === undefined || hasOpenNegation(reading)) return undefined
  const noun = reading.words
    .map(({ lower }, at) => ({ lower, at }))
    .find(({ lower, at }) => !reading.used[at] && rowNounOf(lower, fileNoun) !== undefined)
  if (noun) markUsed(reading, noun.at, noun.at + 1)
  const counted = reading.mentions.find(({ column }) => column.kind === 'text')
  const rows: Measure = { kind: 'rows', noun: noun?.lower ?? counted?.column.name ?? 'rows' }
  const isOfRows = noun !== undefined || counted !== undefined || reading.words.some(({ lower }) => rowWords.has(lower))
  const measure: Measure = numbers[0]?.measure ?? (isOfRows ? rows : (defaultMeasure(reading) ?? rows))
  const number: Aggregated = { aggregate: measure.kind === 'column' ? 'sum' : 'usual', measure }
  const asked = draft.subject ?? groups[0]
  if (asked) return { kind: 'numbers', numbers: [number], groups: [asked], filters: reading.filters, isShare: true }
  const eachRow = reading.filters.length === 0 ? namedByEach(draft) : undefined
  if (eachRow) return { kind: 'numbers', numbers: [number], groups: [eachRow], filters: [], isShare: true }
  if (reading.filters.length === 0) return undefined
  const before = reading.filters.filter(({ at }) => verb >= 0 && at < verb)
  const isWhole = before.length === reading.filters.length || before.length === 0
  const isAfter = (filter: TableFilter): boolean =>
    isWhole ? !isTimeFilter(filter) || reading.filters.every(isTimeFilter) : !before.includes(filter)
  const filters = reading.filters.filter(isAfter)
  return { kind: 'share', number, filters, base: reading.filters.filter((filter) => !filters.includes(filter)) }
}

const isTimeFilter = (filter: TableFilter): boolean => filter.kind === 'time' || filter.kind === 'period'
