/** Reads superlatives as queries: single rows, top lists, and the groups with the highest or lowest number. */

import { smallNumberOf } from '../../../numbers/read-number-words.ts'
import { birthColumn } from '../../computing/add-age-column.ts'
import { quantityColumn } from '../../computing/add-computed-columns.ts'
import { usualAggregate } from '../../computing/aggregate-rows.ts'
import type { Aggregate, Aggregated, Measure, TableQuery } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import { rowNounOf } from '../words/stop-words.ts'
import type { Cue } from './find-question-cues.ts'
import { lowerAt, markUsed, previousWord, type QuestionReading, timeColumns } from './question-reading.ts'
import type { QuestionDraft } from './read-groups.ts'
import { adjectiveMeasure, defaultMeasure, saleVerb } from './read-measures.ts'

/** Words of one row: "the largest order" is one row, "the most orders" is a number of rows. */
const isSingleRow = (reading: QuestionReading): boolean =>
  reading.words.some(({ lower }) =>
    ['single', 'individual', 'order', 'sale', 'transaction', 'purchase', 'invoice', 'payment'].includes(lower),
  )

/** The query of "the highest …", "top 5 …" and the like. */
export function superlativeQuery(
  draft: QuestionDraft,
  numbers: readonly Aggregated[],
  cue: Cue & { readonly kind: 'superlative' },
): TableQuery | undefined {
  const { reading, groups } = draft
  const measure =
    birthOrder(reading, cue) ??
    orderedBy(reading) ??
    numbers[0]?.measure ??
    adjectiveMeasure(reading, cue.word) ??
    timeMeasureRows(draft, cue) ??
    defaultFor(draft)
  if (!measure) return undefined
  markNouns(draft, cue)
  const count = countOfNoun(reading, cue) ?? cue.count
  const pick = { direction: cue.direction, count, ...(cue.isOrdinal && { isOrdinal: true }) }
  if (measure.kind === 'time' && groups.length > 0) return undefined
  if (measure.kind === 'time')
    return {
      kind: 'rows',
      columns: selectedColumns(draft),
      filters: reading.filters,
      order: { measure: measure.by, direction: measure.direction },
      limit: count,
      isDistinct: false,
    }
  const grouped = groupedSuperlative(draft, numbers, { cue, measure, pick })
  if (grouped) return grouped
  if (measure.kind === 'rows' || measure.kind === 'distinct') return undefined
  if (count > 1 && !cue.isOrdinal)
    return {
      kind: 'rows',
      columns: selectedColumns(draft),
      filters: reading.filters,
      order: { measure, direction: cue.direction },
      limit: count,
      isDistinct: false,
    }
  return {
    kind: 'numbers',
    numbers: [{ aggregate: cue.direction === 'highest' ? 'max' : 'min', measure }],
    groups: [],
    filters: reading.filters,
    pick,
  }
}

type Superlative = {
  readonly cue: Cue & { readonly kind: 'superlative' }
  readonly measure: Measure
  readonly pick: { readonly direction: 'highest' | 'lowest'; readonly count: number; readonly isOrdinal?: boolean }
}

/** The number of each group, or the group with the highest or lowest one. Undefined: there are no groups. */
function groupedSuperlative(
  draft: QuestionDraft,
  numbers: readonly Aggregated[],
  { cue, measure, pick }: Superlative,
): TableQuery | undefined {
  const { reading, groups, subject } = draft
  const given = numbers[0]?.aggregate ?? 'usual'
  const group = subject ?? groups[0]
  if (group && isOfEachGroup(draft, cue, given) && measure.kind === 'column')
    return {
      kind: 'numbers',
      numbers: [{ aggregate: cue.direction === 'highest' ? 'max' : 'min', measure }, ...numbers.slice(1)],
      groups,
      filters: reading.filters,
    }
  if (group) {
    const extreme = usualAggregate(measure) === 'average' || isSingleRow(reading)
    const aggregate: Aggregate =
      given === 'usual' && measure.kind === 'column' && extreme ? (cue.direction === 'highest' ? 'max' : 'min') : given
    const others = subject ? groups.filter((one) => one.column !== subject.column) : groups.slice(1)
    return {
      kind: 'numbers',
      numbers: [{ aggregate, measure }, ...numbers.slice(1)],
      groups: [group, ...others],
      filters: reading.filters,
      pick,
    }
  }
  return undefined
}

/** "The lowest time per form" is one number for each form, where nothing asks which form it is. */
function isOfEachGroup(
  { reading, subject, groups }: QuestionDraft,
  cue: Cue & { readonly kind: 'superlative' },
  given: Aggregate,
): boolean {
  const repeats = groups.some(({ column, part }) => part === undefined && new Set(column.cells).size < column.cells.length)
  const isAsked = reading.words.some(({ lower }) => /^(?:which|who|whose|when|where|top|best|worst)$/.test(lower))
  return (
    subject === undefined &&
    given === 'usual' &&
    repeats &&
    !isAsked &&
    cue.count === 1 &&
    !cue.isOrdinal &&
    /^(?:high|low|larg|small|bigg|great|long|short|fast|slow|cheap|expens|dear)/.test(cue.word)
  )
}

/** "top 2 orders by total": the column after "by" decides. */
function orderedBy(reading: QuestionReading): Measure | undefined {
  const mention = reading.mentions.find(({ column, start }) => column.kind === 'number' && previousWord(reading, start).lower === 'by')
  return mention && { kind: 'column', column: mention.column }
}

type TimeMeasure = { readonly kind: 'time'; readonly by: Measure; readonly direction: 'highest' | 'lowest' }

/** The oldest person has the earliest date of birth. */
function birthOrder({ table }: QuestionReading, { word }: Cue & { readonly kind: 'superlative' }): TimeMeasure | undefined {
  const column = /^(?:oldest|youngest)$/.test(word) ? birthColumn(table) : undefined
  return column && { kind: 'time', by: { kind: 'column', column }, direction: word === 'oldest' ? 'lowest' : 'highest' }
}

/** "which 2 products", "the three customers": the number right before the noun counts the winners. */
function countOfNoun(reading: QuestionReading, cue: Cue & { readonly kind: 'superlative' }): number | undefined {
  if (cue.count !== 1 || cue.isOrdinal) return undefined
  const at = reading.words.findIndex(({ lower, kind, value }, index) => {
    if (reading.used[index] || !['which', 'what', 'the', 'whose', 'show', 'list', 'name', 'me'].includes(lowerAt(reading, index - 1)))
      return false
    const number = kind === 'number' ? value : smallNumberOf(lower)
    return number !== undefined && Number.isInteger(number) && number >= 1 && number <= 1_000
  })
  const word = reading.words[at]
  if (!word) return undefined
  markUsed(reading, at, at + 1)
  return word.kind === 'number' ? word.value : smallNumberOf(word.lower)
}

/** "the latest order": rows by time. */
function timeMeasureRows({ reading }: QuestionDraft, { word, direction }: Cue & { readonly kind: 'superlative' }): TimeMeasure | undefined {
  const [column] = timeColumns(reading.table)
  return column && /^(?:latest|newest|earliest)$/.test(word) ? { kind: 'time', by: { kind: 'column', column }, direction } : undefined
}

/** Without a measure, "the best month" is the one with the most of the only number, and "the top customers" likewise. */
function defaultFor({ reading, cues }: QuestionDraft): Measure | undefined {
  const isCount = cues.some((cue) => cue.kind === 'count')
  const measure = isCount ? undefined : defaultMeasure(reading)
  // "sold the most" speaks of pieces where the table has no amounts of money.
  const quantity =
    measure?.kind === 'column' && !reading.table.columns.includes(measure.column) && reading.words.some(({ lower }) => saleVerb.test(lower))
      ? quantityColumn(reading.table)
      : undefined
  if (quantity) return { kind: 'column', column: quantity }
  return isCount ? { kind: 'rows', noun: 'rows' } : measure
}

function markNouns({ reading, fileNoun }: QuestionDraft, { end }: Cue): void {
  for (let at = end; at < Math.min(end + 4, reading.words.length); at++)
    if (!reading.used[at] && rowNounOf(lowerAt(reading, at), fileNoun) !== undefined) markUsed(reading, at, at + 1)
}

/** The columns that are asked for by name. */
export const selectedColumns = ({ reading, subject }: QuestionDraft): TableColumn[] => [
  ...new Set([...(subject ? [subject.column] : []), ...reading.mentions.map(({ column }) => column)]),
]
