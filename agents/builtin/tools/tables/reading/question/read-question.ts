/** Reads a question over a table as queries, part by part. */

import { stemWord } from '../../../../stem-word.ts'
import { addAgeColumn } from '../../computing/add-age-column.ts'
import { addComputedColumns, readDefinition } from '../../computing/add-computed-columns.ts'
import type { Aggregated, Comparison, Grouping, Measure, TableQuery } from '../../computing/table-query.ts'
import { asksForRows } from '../asks-for-rows.ts'
import { countBlanksAsZero } from '../table/count-blanks-as-zero.ts'
import { type DataTable, listColumns } from '../table/read-attached-table.ts'
import { readQuestionWords, readWordsWithBrackets, wordsOfName } from '../words/read-question-words.ts'
import { isStopWord, rowNounOf } from '../words/stop-words.ts'
import { comparisonQuery, numberOrDefault, shareQuery } from './comparison-and-share-query.ts'
import { completeFollowUpQuery, meanOfGroups } from './complete-follow-up-query.ts'
import { correctQuestionTypos } from './correct-question-typos.ts'
import { correlationQuery, regressionQuery } from './correlation-and-regression-query.ts'
import { findDerivedMeasures, missingCosts } from './find-derived-measures.ts'
import { findIgnoredColumns } from './find-ignored-columns.ts'
import { type Cue, findQuestionCues } from './find-question-cues.ts'
import {
  hasPhrase,
  lowerAt,
  markUsed,
  previousWord,
  type QuestionReading,
  type ReadTableContext,
  startReading,
  textColumns,
} from './question-reading.ts'
import { withLimits } from './read-exclusion-or-limit.ts'
import { limitBehind, readFilters } from './read-filters.ts'
import { type QuestionDraft, readGroups } from './read-groups.ts'
import { defaultMeasure, readMeasures } from './read-measures.ts'
import { type GoalRemarks, readRemarks } from './read-remarks.ts'
import { readTableCheck } from './read-table-check.ts'
import { type QuestionPart, splitQuestionParts } from './split-question-parts.ts'
import { selectedColumns, superlativeQuery } from './superlative-query.ts'

/** `reason`: a sentence that states what is not understood. */
export type ReadPart =
  | { readonly text: string; readonly query: TableQuery; readonly notes: readonly string[] }
  | {
      readonly text: string
      readonly reason: string
      readonly unknown: readonly string[]
      /** True: the client can say it. */
      readonly isOpen?: boolean
    }

const asksSomething =
  /\b(?:how|which|what|who|whose|when|where|total|sum|average|mean|median|highest|lowest|most|least|top|count|number|list|show|give|find|compare|share|percentage|per|by|calculate|compute|sort|rank)\b/i

/** Sentences on the client or the file, such as "I have this file from our till." */
const remark =
  /^(?:(?:ok|okay|so|well|hi|hello|hey)[, ]+)*(?:(?:i|we)(?:'ve| have| had|'m| am|'re| are| run| own| work| got| get| attached| uploaded| made| exported| downloaded| use| sell| keep)\b|(?:here|attached|this|these|it|my name|the (?:file|table|csv|data|attachment|numbers|attached \w+)) (?:is|are|has|have|contains?|comes?|was|were|holds?)\b)/i

/** All parts of a question. */
export function readQuestion(goal: string, context: ReadTableContext): ReadPart[] {
  const remarks = readRemarks(correctQuestionTypos(withContactColumns(goal, context.table), context), context)
  const parts = readUnderRemarks(remarks.question, remarks, { context, before: undefined })
  return [...parts, ...remarks.unclear.map(({ text, reason }): ReadPart => ({ text, reason, unknown: [], isOpen: true }))]
}

/** “E-mail addresses” are the cells of “email”, unless another column has addresses. */
function withContactColumns(question: string, { columns }: DataTable): string {
  const names = columns.map(({ name }) => name.toLowerCase())
  const mail = names.find((name) => /^e-?mails?$/.test(name))
  return mail === undefined || names.some((name) => /address/.test(name)) ? question : question.replace(/\be-?mail addresses?\b/gi, mail)
}

/** Questions under the remarks of their goal. @param before a question that all of them continue */
export function readUnderRemarks(
  question: string,
  remarks: GoalRemarks,
  { context, before }: { readonly context: ReadTableContext; readonly before: ReadPart | undefined },
): ReadPart[] {
  const parts = readQuestions(question, context, before)
  const first = parts.findIndex((part) => 'query' in part)
  return parts.map((part, index) => limitPart(part, remarks, index === first))
}

/** A part under the limits of the whole goal. */
function limitPart(part: ReadPart, { limits, notes, ignoresBlanks }: GoalRemarks, isFirst: boolean): ReadPart {
  if (!('query' in part)) return part
  const query = withLimits(part.query, limits)
  const { text } = part
  if (!query) return { text, reason: `I cannot answer “${text.slice(0, 80)}” for a part of the rows only.`, unknown: [], isOpen: true }
  if (ignoresBlanks && countsBlanks(query))
    return { text, reason: 'State which column is blank in the rows that are not to be counted.', unknown: [], isOpen: true }
  return { text, query, notes: [...part.notes, ...(isFirst ? notes : [])] }
}

/** Numbers leave blanks out of themselves; a count of rows does not. */
const countsBlanks = (query: TableQuery): boolean =>
  query.kind === 'numbers' &&
  query.numbers.some(({ measure, aggregate }) => measure.kind === 'rows' || aggregate === 'count') &&
  !query.filters.some(({ kind }) => kind === 'missing' || kind === 'number')

function readQuestions(question: string, context: ReadTableContext, before: ReadPart | undefined): ReadPart[] {
  const aged = addAgeColumn(question, context.table)
  const about: ReadTableContext = { ...context, table: aged.table }
  const parts: ReadPart[] = []
  let words = 0
  for (const { text, isFollowUp } of applyDefinitions(splitQuestionParts(aged.question), aged.table)) {
    words += readWordsWithBrackets(text).length
    const part =
      words > maxWordsOfAll
        ? tooLong(text)
        : readPart(text, about, { part: parts.at(-1) ?? before, isFollowUp: isFollowUp || before !== undefined })
    const isUndated = aged.isDateMissing && 'reason' in part && /\b(?:old|older|younger|ages?|aged)\b/i.test(text)
    parts.push(isUndated ? { text, reason: undatedReason, unknown: [], isOpen: true } : part)
  }
  const asking = parts.filter((part) => 'query' in part || asksSomething.test(part.text) || !remark.test(part.text))
  return asking.some((part) => 'query' in part) ? asking : parts
}

/** Whether words name a list inside the rows, so that only a deeper table has what they ask for. */
export const namesInnerList = (question: string, { inner = [] }: DataTable): boolean =>
  inner.length > 0 && readQuestionWords(question).some(({ stem }) => inner.some((key) => wordsOfName(key).map(stemWord).includes(stem)))

/** The question over the outermost table that has all of what it names; else the parts over the deepest one. */
export function readQuestionOverTables(text: string, given: readonly ReadTableContext[]): ReadOverTables | undefined {
  const { question, contexts, isStated } = countBlanksAsZero(text, given)
  const read = readOverTables(question, contexts)
  if (!read || !isStated) return read
  const note = (part: ReadPart): ReadPart => ('query' in part ? { ...part, notes: [...part.notes, zeroNote] } : part)
  return { ...read, parts: read.parts.map((part, index) => (index === 0 ? note(part) : part)) }
}

type ReadOverTables = { readonly parts: readonly ReadPart[]; readonly context: ReadTableContext }
const zeroNote = 'Empty cells of numbers count as 0.'

function readOverTables(question: string, contexts: readonly ReadTableContext[]): ReadOverTables | undefined {
  const last = contexts.at(-1)
  if (contexts.length < 2) return last && { parts: readQuestion(question, last), context: last }
  for (const context of contexts) {
    if (namesInnerList(question, context.table)) continue
    const parts = readQuestion(question, context)
    if (parts.length > 0 && parts.every((part) => 'query' in part)) return { parts, context }
  }
  return last && { parts: readQuestion(question, last), context: last }
}

/** A definition goes into brackets behind its label in the other parts, and is no part itself. */
function applyDefinitions(all: readonly QuestionPart[], table: DataTable): readonly QuestionPart[] {
  let parts = all
  for (const one of all) {
    const definition = readDefinition(one.text, table)
    const label = definition && new RegExp(`\\b${definition.label}s?\\b`, 'gi')
    const others = parts.filter((part) => part !== one)
    if (!definition || !label || !others.some(({ text }) => text.search(label) >= 0)) continue
    parts = others.map((part) => ({ ...part, text: part.text.replace(label, (name) => `${name} (${definition.formula})`) }))
  }
  return parts
}

const undatedReason = 'State the date at which the ages are wanted, such as “on 28 November 2026”.'

/** The part before, and whether this one continues it. */
type Before = { readonly part: ReadPart | undefined; readonly isFollowUp: boolean }

/** In one part of a question, a formula as one word; and in all parts together. */
const maxWords = 120
const maxWordsOfAll = 360
const tooLong = (text: string): ReadPart => ({
  text,
  reason: `The question has more than ${maxWords} words. Ask in shorter sentences.`,
  unknown: [],
})

function readPart(text: string, context: ReadTableContext, { part: before, isFollowUp }: Before): ReadPart {
  const all = readWordsWithBrackets(text)
  if (all.length > 2 * maxWords) return tooLong(text)
  const check = readTableCheck(text, context, before && 'query' in before && before.query.kind === 'check' ? before.query.check : undefined)
  if (check) return { text, query: { kind: 'check', check }, notes: [] }
  const computed = addComputedColumns(all, context.table)
  const { words } = computed
  if (words.length > maxWords) return tooLong(text)
  const reading = startReading(words, { ...context, table: computed.table })
  reading.notes.push(...computed.notes)
  readFilters(reading)
  const derived = findDerivedMeasures(reading)
  const cues = findQuestionCues(reading)
  joinNames(reading)
  const named = [...reading.mentions]
  nameOrders(reading)
  const costs = missingCosts(reading)
  if (costs) return { text, reason: costs.reason, unknown: [costs.word], isOpen: true }
  const adjusted = takeAdjustments(reading) ?? sumOfTexts(reading) ?? openReference(text)
  if (adjusted !== undefined) return { text, reason: adjusted, unknown: [], isOpen: true }
  const draft: QuestionDraft = { reading, cues, derived, groups: [], subject: undefined, fileNoun: context.table.name }
  readGroups(draft)
  const own = readMeasures(draft)
  const measures = isFollowUp ? completeFollowUpQuery(draft, own, queryOf(before)) : own
  const query = ageQuery(reading) ?? buildQuery(draft, measures) ?? inherit(draft, before)
  const unknown = [...unknownWords(reading), ...openConditions(reading), ...openGroups(reading), ...openNames(reading, named)]
  if (hasOpenFormula(reading))
    return { text, reason: `I cannot read the formula in “${text.slice(0, 120)}”. ${listOfColumns(context.table)}`, unknown: [] }
  if (unknown.length > 0) return { text, reason: unknownReason(unknown, context.table), unknown }
  const mean = query && meanOfGroups(query, queryOf(before), context.table)
  if (mean?.reason !== undefined) return { text, reason: mean.reason, unknown: [], isOpen: true }
  if (mean) return { text, query: mean.query, notes: [...new Set(reading.notes)] }
  if (!query)
    return {
      text,
      reason: `I do not see what to compute in “${text.slice(0, 120)}”. ${listOfColumns(context.table)}`,
      unknown: [],
    }
  const ignored = findIgnoredColumns(reading, query)
  if (ignored.length > 0) return { text, reason: ignoredReason(ignored, text), unknown: ignored, isOpen: true }
  return { text, query, notes: [...new Set(reading.notes)] }
}

const ignoredReason = (columns: readonly string[], text: string): string =>
  `I cannot use ${columns.map((name) => `“${name}”`).join(', ')} in “${text.slice(0, 120)}”. Ask for one thing in each sentence.`

const queryOf = (part: ReadPart | undefined): TableQuery | undefined => (part && 'query' in part ? part.query : undefined)

function unknownReason(unknown: readonly string[], table: DataTable): string {
  const words = unknown
    .slice(0, 4)
    .map((word) => `“${word}”`)
    .join(', ')
  return `No column or cell has the name ${words}. ${listOfColumns(table)}`
}

const listOfColumns = (table: DataTable): string => `The columns are ${listColumns(table)}.`

const groupStarts = new Set(['per', 'each', 'every', 'by'])
const isAverage = ({ words }: QuestionReading): boolean => words.some(({ lower }) => ['average', 'mean', 'median', 'avg'].includes(lower))

/** "per order" means the column of orders. The average per order, where each row is one, is that of the rows. */
function nameOrders(reading: QuestionReading): void {
  const column = reading.table.columns.find(({ name, kind }) => kind === 'text' && wordsOfName(name).some((word) => /^orders?$/.test(word)))
  reading.words.forEach(({ lower }, at) => {
    if (!column || !/^orders?$/.test(lower) || reading.used[at] || !groupStarts.has(lowerAt(reading, at - 1))) return
    if (isAverage(reading) && new Set(column.cells).size === reading.table.rows) return
    markUsed(reading, at, at + 1)
    reading.mentions.push({ start: at, end: at + 1, column, how: 'part' })
    reading.mentions.sort((a, b) => a.start - b.start)
  })
}

const groupNouns = new Set(
  'people person someone anyone company business team year month day week quarter date order orders hour minute weekday time period'.split(
    ' ',
  ),
)

/** "per month" in a table without dates: the group that no column is. */
function openGroups(reading: QuestionReading): string[] {
  return reading.words
    .filter(({ lower }, at) => {
      const isGroup = groupStarts.has(previousWord(reading, at).lower) && groupNouns.has(lower) && !reading.used[at]
      return isGroup && !(isAverage(reading) && rowNounOf(lower, reading.table.name) !== undefined)
    })
    .map(({ text }) => text)
}

/** "and which customer was it?" */
const openReference = (text: string): string | undefined =>
  /\b(?:which|what|who|when|where)\b.{0,60}\b(?:is|was|are|were) (?:it|that|this|they|those|these)$/i.test(text.trim())
    ? `State in one question what “${text.slice(0, 80)}” is about, such as “which customer has the highest amount”.`
    : undefined

const isIdName = (name: string): boolean => /(?:^|[^a-z])id$/i.test(name.replace(/([a-z])([A-Z])/g, '$1 $2'))

/** "customer name" in a table with both columns means the names, and not the ids. */
function joinNames({ mentions }: QuestionReading): void {
  mentions.forEach((mention, index) => {
    const before = mentions[index - 1]
    const isPair = before?.end === mention.start && isIdName(before.column.name) && /\bname$/i.test(mention.column.name.replace(/_/g, ' '))
    if (isPair && before) mentions.splice(index - 1, 2, { ...mention, start: before.start })
  })
}

/** "customer name" in a table that has the ids of customers only. */
const openNames = ({ words, mentions }: QuestionReading, taken = mentions): string[] =>
  words.flatMap(({ lower, text }, at) => {
    const id = /^names?$/.test(lower) && !taken.some(({ start, end }) => at >= start && at < end) ? words[at - 1] : undefined
    const column = id && taken.find(({ end }) => end === at)?.column
    return column && isIdName(column.name) ? [`${id.text} ${text}`] : []
  })

/** A total or an average of a column without numbers. */
function sumOfTexts(reading: QuestionReading): string | undefined {
  const mention = reading.mentions.find(
    ({ start, column }) =>
      column.kind === 'text' && ['total', 'sum', 'average', 'mean', 'median', 'avg'].includes(lowerAt(reading, start - 1)),
  )
  return mention && `“${mention.column.name}” holds no numbers that can be summed over these rows. ${listOfColumns(reading.table)}`
}

const adjustments = new Set('after before excluding excl including incl ignoring less deducting'.split(' '))

/** "after discount": the formula that has the column states how. Without one, the reason why it is not read. */
function takeAdjustments(reading: QuestionReading): string | undefined {
  for (const mention of [...reading.mentions]) {
    const previous = previousWord(reading, mention.start)
    if (mention.column.kind !== 'number' || !adjustments.has(previous.lower)) continue
    const isInFormula = reading.mentions.some(({ column }) => column !== mention.column && column.name.includes(mention.column.name))
    if (!isInFormula) return `State “${previous.lower} ${mention.column.name}” as a formula, such as “price * (1 - discount)”.`
    reading.mentions.splice(reading.mentions.indexOf(mention), 1)
  }
  return undefined
}

/** An operator that no formula took. */
const hasOpenFormula = ({ words, used }: QuestionReading): boolean =>
  words.some(({ kind, text }, at) => kind === 'mark' && '*×·÷+'.includes(text) && !used[at])

/** "How old is everyone?" lists names and ages. */
function ageQuery(reading: QuestionReading): TableQuery | undefined {
  const at = reading.words.findIndex((_, index) => hasPhrase(reading, index, 'how old'))
  const age = at < 0 ? undefined : reading.table.columns.find(({ name }) => /^age on \d/.test(name))
  if (!age) return undefined
  const [label] = textColumns(reading.table)
  return { kind: 'rows', columns: [...(label ? [label] : []), age], filters: reading.filters, isDistinct: false }
}

/** A condition of which no part was read: what stands behind “where” would be ignored. */
function openConditions({ words, filters }: QuestionReading): string[] {
  const at = words.findLastIndex(({ lower }, index) => lower === 'where' && index > 0)
  if (at < 0 || filters.length > 0) return []
  const rest = words.slice(at + 1).filter(({ kind, text }) => kind !== 'mark' || text === '=')
  return rest.length > 0 ? [rest.map(({ text }) => text).join(' ')] : []
}

function unknownWords({ words, used }: QuestionReading): string[] {
  const open = words.filter((word, at) => !used[at] && word.kind !== 'mark' && !(word.kind === 'word' && isStopWord(word.lower)))
  return [...new Set(open.map((word) => word.text))]
}

function buildQuery(draft: QuestionDraft, numbers: readonly Aggregated[]): TableQuery | undefined {
  const { reading, cues, groups } = draft
  const has = (kind: Cue['kind']): boolean => cues.some((cue) => cue.kind === kind)
  if (has('correlation')) return correlationQuery(draft)
  const regression = regressionQuery(reading)
  if (regression) return regression
  const comparison = comparisonQuery(draft, numbers)
  if (comparison) return comparison
  // A list of rows would be no share.
  if (has('share')) return shareQuery(draft, numbers)
  const superlative = cues.find((cue) => cue.kind === 'superlative')
  const mode = cues.find((cue) => cue.kind === 'mode')
  const change = cues.find((cue) => cue.kind === 'change')
  if (mode?.kind === 'mode') return modeQuery(draft, mode)
  if (change && draft.subject) return changeQuery(draft, numbers, change)
  const changes = change && !superlative ? changesQuery(draft, numbers) : undefined
  if (changes) return changes
  if (superlative?.kind === 'superlative') return superlativeQuery(draft, numbers, superlative)
  const order = cues.find((cue) => cue.kind === 'order')
  const having = numbers.length > 0 ? readHaving(reading) : undefined
  if (order && groups.length === 0) return rowsQuery(draft, orderOf(draft, numbers))
  if (numbers.length > 0 && asksForRows(draft, numbers)) return rowsQuery(draft, undefined)
  if (numbers.length > 0) {
    const sorted = order ? { pick: { direction: isAscending(reading) ? ('lowest' as const) : ('highest' as const), count: 10_000 } } : {}
    const all =
      having && groups.length === 0 && draft.subject ? [draft.subject] : groups.length > 0 ? groups : having ? listedGroups(draft) : groups
    return { kind: 'numbers', numbers, groups: all, filters: reading.filters, ...sorted, ...(having && { having }) }
  }
  return countQuery(draft) ?? rowsQuery(draft, undefined)
}

/** "Which customers have more than 3 orders?" groups by the customers. */
function listedGroups({ reading }: QuestionDraft): Grouping[] {
  const mention = reading.mentions.find(({ column }) => column.kind === 'text')
  if (!mention) return []
  reading.mentions.splice(reading.mentions.indexOf(mention), 1)
  return [{ column: mention.column, part: undefined }]
}

/** A comparison that no column takes is one of the group's number. */
function readHaving(reading: QuestionReading): { readonly comparison: Comparison; readonly value: number } | undefined {
  const phrases: readonly (readonly [string, Comparison])[] = [
    ['more than', '>'],
    ['over', '>'],
    ['above', '>'],
    ['at least', '>='],
    ['less than', '<'],
    ['fewer than', '<'],
    ['at most', '<='],
    ['exactly', '='],
  ]
  for (let at = 0; at < reading.words.length; at++) {
    const limit = reading.used[at] ? undefined : limitBehind(reading, at)
    if (limit) {
      markUsed(reading, at, limit.end)
      return { comparison: limit.comparison, value: limit.value }
    }
    const found = reading.used[at] ? undefined : phrases.find(([phrase]) => hasPhrase(reading, at, phrase))
    const number = found && reading.words[at + found[0].split(' ').length]
    if (!found || number?.kind !== 'number') continue
    markUsed(reading, at, at + found[0].split(' ').length + 1)
    return { comparison: found[1], value: number.value }
  }
  return undefined
}

function countQuery({ reading, cues, groups, fileNoun }: QuestionDraft): TableQuery | undefined {
  if (!cues.some((cue) => cue.kind === 'count' || cue.kind === 'how much' || cue.kind === 'distinct')) return undefined
  const isHowMuch = cues.some((cue) => cue.kind === 'how much')
  const measure = isHowMuch ? defaultMeasure(reading) : ({ kind: 'rows', noun: rowNounOf('rows', fileNoun) ?? 'rows' } as const)
  const isOfRows = reading.words.some((word) => /^(?:rows|records|entries|lines)$/.test(word.lower))
  if (!measure || (!isHowMuch && !isOfRows && reading.filters.length === 0 && groups.length === 0)) return undefined
  return { kind: 'numbers', numbers: [{ aggregate: 'usual', measure }], groups, filters: reading.filters }
}

function modeQuery(draft: QuestionDraft, mode: Cue & { readonly kind: 'mode' }): TableQuery | undefined {
  const { reading } = draft
  const mention = reading.mentions.find(({ column }) => column.kind !== 'number') ?? reading.mentions[0]
  const group = draft.subject ?? draft.groups[0] ?? (mention && { column: mention.column, part: undefined })
  if (!group) return undefined
  return {
    kind: 'numbers',
    numbers: [{ aggregate: 'count', measure: { kind: 'rows', noun: 'rows' } }],
    groups: [group],
    filters: reading.filters,
    pick: { direction: mode.direction, count: mode.count },
  }
}

/** "Which month had the biggest increase in signups?", "When did revenue grow most?" */
function changeQuery(draft: QuestionDraft, numbers: readonly Aggregated[], change: Cue): TableQuery | undefined {
  const { reading, cues, subject } = draft
  const number = numberOrDefault(draft, numbers)
  if (!number || !subject || subject.column.kind !== 'time') return undefined
  const superlative = cues.find((cue) => cue.kind === 'superlative')
  const direction =
    change.kind === 'change' && change.direction === 'lowest'
      ? 'lowest'
      : superlative?.kind === 'superlative' && superlative.direction === 'lowest'
        ? 'lowest'
        : 'highest'
  const count = superlative?.kind === 'superlative' ? superlative.count : 1
  return { kind: 'numbers', numbers: [number], groups: [subject], filters: reading.filters, isChange: true, pick: { direction, count } }
}

/** “The change of the meter per reading date”: the difference of each group to the one before. */
function changesQuery({ reading, groups }: QuestionDraft, numbers: readonly Aggregated[]): TableQuery | undefined {
  const [group, ...others] = groups
  const [number] = numbers
  const isAsked = reading.words.some(({ lower }) => lower === 'change' || lower === 'changes')
  if (!isAsked || !number || numbers.length > 1 || group?.column.kind !== 'time' || others.length > 0) return undefined
  return { kind: 'numbers', numbers: [number], groups: [group], filters: reading.filters, isChange: true }
}

const isAscending = ({ words }: QuestionReading): boolean =>
  words.some(({ lower }) => ['ascending', 'asc', 'increasing', 'lowest', 'alphabetically', 'alphabetical', 'oldest'].includes(lower))

function orderOf(
  { reading }: QuestionDraft,
  numbers: readonly Aggregated[],
): { readonly measure: Measure; readonly direction: 'highest' | 'lowest' } | undefined {
  const by = numbers.at(-1)?.measure ?? reading.mentions.at(-1)
  const measure: Measure | undefined =
    by && 'column' in by && !('kind' in by) ? { kind: 'column', column: by.column } : (by as Measure | undefined)
  const isText = measure?.kind === 'column' && measure.column.kind !== 'number'
  return (
    measure && {
      measure,
      direction: isAscending(reading) || (isText && !reading.words.some(({ lower }) => /^desc/.test(lower))) ? 'lowest' : 'highest',
    }
  )
}

function rowsQuery(
  draft: QuestionDraft,
  order: { readonly measure: Measure; readonly direction: 'highest' | 'lowest' } | undefined,
): TableQuery | undefined {
  const { reading, cues, fileNoun } = draft
  const isList =
    cues.some((cue) => cue.kind === 'list' || cue.kind === 'who' || cue.kind === 'distinct') ||
    reading.words.some(({ lower }) => ['what', "what's"].includes(lower))
  reading.words.forEach(({ lower }, at) => {
    if (!reading.used[at] && rowNounOf(lower, fileNoun) !== undefined) markUsed(reading, at, at + 1)
  })
  const columns = selectedColumns(draft)
  if (!order && reading.filters.length === 0 && (columns.length === 0 || !isList)) return undefined
  if (!order && !isList && columns.length === 0) return undefined
  const isDistinct = columns.length === 1 && columns[0]?.kind === 'text'
  return { kind: 'rows', columns, filters: reading.filters, isDistinct, ...(order && { order }) }
}

/** "And in 2023?": the question before with other conditions. */
function inherit({ reading, cues, derived }: QuestionDraft, before: ReadPart | undefined): TableQuery | undefined {
  const query = before && 'query' in before ? before.query : undefined
  if (query?.kind !== 'numbers' || reading.filters.length === 0 || reading.mentions.length > 0 || derived.length > 0) return undefined
  if (cues.some((cue) => cue.kind !== 'list')) return undefined
  const kept = query.filters.filter((filter) => !reading.filters.some((one) => one.column === filter.column))
  return { ...query, filters: [...kept, ...reading.filters] }
}
