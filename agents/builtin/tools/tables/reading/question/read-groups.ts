/** Reads by what a question groups, and which group a superlative picks. */

import type { Grouping } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import type { ColumnMention } from '../words/find-columns.ts'
import { isStopWord } from '../words/stop-words.ts'
import type { MeasureMention } from './find-derived-measures.ts'
import type { Cue } from './find-question-cues.ts'
import { timePartAt } from './find-times.ts'
import { hasPhrase, lowerAt, markUsed, previousWord, type QuestionReading, textColumns, timeColumns } from './question-reading.ts'

/** What is read of a question so far. */
export type QuestionDraft = {
  readonly reading: QuestionReading
  readonly cues: readonly Cue[]
  readonly derived: readonly MeasureMention[]
  readonly groups: Grouping[]
  /** The group that a superlative picks. */
  subject: Grouping | undefined
  readonly fileNoun: string
}

const groupWords = new Set(['by', 'per', 'each', 'every', 'across', 'among', 'within', 'various', 'different', 'individual'])
const askWords = new Set(['which', 'what', 'whose'])

/** Decides for each column and part of a date whether it groups, and which group a superlative picks. */
export function readGroups(draft: QuestionDraft): void {
  const { reading } = draft
  readTimeParts(draft)
  const superlative = draft.cues.find((cue) => cue.kind === 'superlative' || cue.kind === 'mode' || cue.kind === 'change')
  let lastGroup = -1
  for (const mention of [...reading.mentions]) {
    const previous = cueBefore(draft, mention.start)
    const isJoined =
      lastGroup >= 0 &&
      ['and', ','].includes(lowerAt(reading, mention.start - 1)) &&
      mention.start - 1 === lastGroup &&
      mention.column.kind !== 'number'
    const isNumberGroup =
      mention.column.kind === 'number' &&
      (previous === 'each' || previous === 'every' || (previous === 'by' && !superlative && hasOtherMeasure(draft, mention)))
    if (isOrdered(draft, mention)) continue
    if (isJoined || (groupWords.has(previous) && (mention.column.kind !== 'number' || isNumberGroup) && !(previous === 'different'))) {
      takeGroup(draft, mention, true)
      lastGroup = mention.end
    } else if (superlative && !draft.subject && isSubject(draft, mention, superlative)) takeGroup(draft, mention, false)
  }
  readPronouns(draft, superlative)
}

/** "sorted by date" orders, and does not group. */
function isOrdered({ reading, cues }: QuestionDraft, { start, column }: ColumnMention): boolean {
  const order = cues.find(({ kind }) => kind === 'order')
  return order !== undefined && order.end === start && column.kind === 'time' && lowerAt(reading, start - 1) === 'by'
}

/** The word before a mention, without articles and totals: "by total revenue" gives "by". */
function cueBefore({ reading }: QuestionDraft, at: number): string {
  let place = previousWord(reading, at)
  while (
    ['total', 'average', 'number', 'of', 'sum', 'mean', 'single', 'month', 'different'].includes(place.lower) &&
    place.at > 0 &&
    place.lower !== 'different'
  ) {
    const before = previousWord(reading, place.at)
    if (before.at < 0) break
    place = before
  }
  return place.lower
}

const hasOtherMeasure = ({ reading, derived, cues }: QuestionDraft, mention: ColumnMention): boolean =>
  derived.length > 0 ||
  reading.mentions.some((other) => other !== mention && other.column.kind === 'number') ||
  cues.some((cue) => cue.kind === 'count')

function takeGroup(draft: QuestionDraft, mention: ColumnMention, isGroup: boolean): void {
  const { mentions } = draft.reading
  mentions.splice(mentions.indexOf(mention), 1)
  const grouping: Grouping = { column: mention.column, part: undefined }
  if (isGroup) draft.groups.push(grouping)
  else draft.subject = grouping
}

/** True if a superlative asks for one of the column: "which region has the highest …", "top 5 customers". */
function isSubject({ reading, cues }: QuestionDraft, { start, end, column }: ColumnMention, superlative: Cue): boolean {
  if (column.kind === 'number') return false
  const previous = previousWord(reading, start)
  if (cues.some((cue) => (cue.kind === 'count' || cue.kind === 'distinct' ? cue.end === start : false))) return false
  if (askWords.has(previous.lower) || ['in', 'on', 'for', 'from'].includes(previous.lower)) return true
  const isAfter =
    start >= superlative.end &&
    (start === superlative.end ||
      reading.words
        .slice(superlative.end, start)
        .every((_, index) => reading.used[superlative.end + index] || isStopWord(lowerAt(reading, superlative.end + index))))
  const isBefore = end <= superlative.at
  return isBefore || isAfter
}

/** "by month", "each year", "in which month" for a column of dates. */
function readTimeParts(draft: QuestionDraft): void {
  const { reading, groups } = draft
  const [column] = timeColumns(reading.table)
  if (!column) return
  for (let at = 0; at < reading.words.length; at++) {
    const found = reading.used[at] ? undefined : timePartAt(reading.words, at)
    if (!found) continue
    const { part, count } = found
    const previous = previousWord(reading, at).lower
    const isAdverb = /ly$|^annual$/.test(lowerAt(reading, at))
    const named = takeNamedTime(reading, at + count)
    const grouped = named ?? column
    const isWhole = periodsOf(grouped).has(part)
    const grouping: Grouping = { column: grouped, part: isWhole ? undefined : part }
    const isRepeated =
      hasPhrase(reading, at + 1, `by ${lowerAt(reading, at)}`) || hasPhrase(reading, at + 1, `over ${lowerAt(reading, at)}`)
    markUsed(reading, at, at + count + (isRepeated ? 2 : 0))
    const isOpen = draft.cues.some((cue) => cue.kind === 'superlative' || cue.kind === 'mode' || cue.kind === 'change')
    if (groupWords.has(previous) || isAdverb || isRepeated) groups.push(grouping)
    else if (isOpen && !draft.subject) draft.subject = grouping
    else if (draft.cues.some((cue) => cue.kind === 'count' && cue.end === at))
      reading.mentions.push({ start: at, end: at + count, column, how: 'part' })
    else groups.push(grouping)
    at += count
  }
}

/** "Month of delivery": the column of the dates that are meant. It is no group of its own. */
function takeNamedTime(reading: QuestionReading, at: number): TableColumn | undefined {
  if (lowerAt(reading, at) !== 'of') return undefined
  const index = reading.mentions.findIndex(
    ({ start, column }) => column.kind === 'time' && previousWord(reading, start).at < at && start > at,
  )
  return index < 0 ? undefined : reading.mentions.splice(index, 1)[0]?.column
}

/** The parts that the cells of a column are already in. */
function periodsOf(column: TableColumn): ReadonlySet<string> {
  const periods = new Set(column.times.flatMap((time) => (time ? [time.period] : [])))
  return periods.size === 1 ? periods : new Set()
}

/** "who", "when" and "where" ask for the column of names, times or places. */
function readPronouns(draft: QuestionDraft, superlative: Cue | undefined): void {
  if (!superlative || draft.subject) return
  const { table } = draft.reading
  const pronoun = draft.cues.find((cue) => cue.kind === 'who' || cue.kind === 'when' || cue.kind === 'where')
  const names = {
    who: /name|customer|client|employee|person|player|student|user|member|rep|seller|author|staff/i,
    where: /city|country|region|state|location|place|store|branch/i,
    when: /$^/,
  }
  if (!pronoun) return
  const column =
    pronoun.kind === 'when'
      ? timeColumns(table)[0]
      : (textColumns(table).find(({ name }) => names[pronoun.kind as 'who' | 'where'].test(name)) ??
        (pronoun.kind === 'who' ? textColumns(table)[0] : undefined))
  if (column) draft.subject = { column, part: undefined }
}
