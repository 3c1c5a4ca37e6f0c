/** Candidates that list or check rows: missing cells, duplicates, changes between rows, and how two columns hang together. */

import type { TableQuery } from '../../../tools/tables/computing/table-query.ts'
import type { TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'
import type { RequestedOperation } from '../find-requested-operations.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { plainName } from './match-words-to-table.ts'
import type { TableSuggestionContext } from './table-suggestion-context.ts'

const skillId = 'table.question'

export function suggestCheckReadings(about: TableSuggestionContext): ReadingCandidate[] {
  return [
    ...suggestRowReadings(about),
    ...belowCandidates(about),
    ...missingCandidates(about),
    ...duplicateCandidates(about),
    ...changeCandidates(about),
    ...relationCandidates(about),
    ...shareCandidates(about),
    ...sortCandidates(about),
    ...overviewCandidates(about),
  ]
}

const wordsOfOperations = ({ operations }: TableSuggestionContext, ...names: readonly RequestedOperation[]): string[] =>
  names.flatMap((operation) => plainWords(operations.get(operation) ?? ''))
const namesOf = (...columns: readonly (TableColumn | undefined)[]): string =>
  [...new Set(columns.flatMap((column) => (column ? [plainName(column)] : [])))].join(', ')

/** The rows of a condition, with a label. */
export function suggestRowReadings(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, filters, words } = about
  if (!operations.has('list') || filters.length === 0) return []
  const label =
    about.group?.column ?? words.labels.find(({ column }) => !filters.some((one) => one.column === column))?.column ?? firstLabel(about)
  // “Which beds”: the numbers of the rows.
  const numbered = words.numbers
    .filter(({ column }) => isRowNumber(column) && !filters.some((one) => one.column === column))
    .map(({ column }) => column)
  const shown = namesOf(...numbered, label, ...filters.filter(({ column }) => column.kind === 'number').map(({ column }) => column))
  if (shown === '') return []
  const matchedWords = [
    ...wordsOfOperations(about, 'list'),
    ...filters.flatMap((one) => plainWords(one.words)),
    ...plainWords(about.group?.words ?? ''),
  ]
  return [{ texts: [`List ${shown} where ${filters.map(({ phrase }) => phrase).join(' and ')}`], skillId, matchedWords }]
}

const isRowNumber = ({ numbers }: TableColumn): boolean =>
  numbers.length > 2 && new Set(numbers).size === numbers.length && numbers.every((value) => value !== null && Number.isInteger(value))

/** “Below the minimum”: two columns of numbers are compared in each row. */
function belowCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { goal, words } = about
  const found = beneath.exec(goal.request)
  const limit =
    found &&
    words.numbers.find(({ column }) =>
      /min|limit|target|level|threshold|max|capacity|allow|quota|soll|ziel|budget|objetivo|objectif|最低|目标/iu.test(column.name),
    )?.column
  const other =
    words.numbers.find(({ column }) => column !== limit)?.column ??
    words.table.columns.find((column) => column.kind === 'number' && column !== limit)
  const label = words.labels.find(({ column }) => column.kind === 'text')?.column ?? firstLabel(about)
  if (!found || !limit || !other) return []
  const isAbove = /over|above|exceed|über|dessus|encima|超/iu.test(found[0])
  const difference = isAbove ? `(${plainName(other)} - ${plainName(limit)})` : `(${plainName(limit)} - ${plainName(other)})`
  const matchedWords = [
    ...wordsOfOperations(about, 'list', 'count', 'minimum'),
    ...plainWords(found[0]),
    ...words.numbers.flatMap((one) => plainWords(one.words)),
    ...words.labels.flatMap((one) => plainWords(one.words)),
  ]
  return [
    { texts: [`List ${label ? `${plainName(label)}, ` : ''}${difference} where ${difference} is more than 0`], skillId, matchedWords },
  ]
}
const beneath =
  /(?:under|below|less than|short of|over|above|exceed(?:s|ing)?|unter(?:halb)?|über|en dessous|au[- ]dessus|por debajo|por encima|低于|超过)/iu

const firstLabel = ({ words: { table } }: TableSuggestionContext): TableColumn | undefined =>
  table.columns.find(({ kind }) => kind === 'text')

function missingCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, words } = about
  if (!operations.has('missing')) return []
  const holed = words.table.columns.filter(({ cells }) => cells.some((cell) => cell === ''))
  const named = [...words.numbers, ...words.labels].filter(({ column }) => holed.includes(column) && column !== about.group?.column)
  const label = about.group?.column ?? firstLabel(about)
  return named.slice(0, 2).flatMap(({ column, words: named }): ReadingCandidate[] => {
    const matchedWords = [...wordsOfOperations(about, 'missing', 'list'), ...plainWords(named), ...plainWords(about.group?.words ?? '')]
    const name = plainName(column)
    const count: ReadingCandidate = {
      texts: [`How many rows have missing ${name}?`],
      skillId,
      matchedWords: [...matchedWords, ...wordsOfOperations(about, 'count')],
    }
    const list: ReadingCandidate = {
      texts: [label && label !== column ? `List ${plainName(label)} where ${name} is missing` : `List the rows where ${name} is missing`],
      skillId,
      matchedWords,
    }
    // “Who has not paid, and how much is there?”
    const sum: ReadingCandidate = {
      texts: [`${list.texts[0]}${list.texts[0]?.endsWith('?') ? '' : '.'} What is the total of ${name}?`],
      ...{ skillId, matchedWords: [...matchedWords, ...wordsOfOperations(about, 'total', 'count')] },
    }
    const isSummed = column.kind === 'number' && operations.has('total')
    return [...(isSummed ? [sum] : []), ...(operations.has('count') ? [count] : []), list]
  })
}

function duplicateCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, words } = about
  if (!operations.has('duplicates')) return []
  const matchedWords = wordsOfOperations(about, 'duplicates', 'list')
  const column = words.labels.find(({ column }) => column.kind === 'text')
  return [
    ...distinctCandidates(about),
    ...(column
      ? [
          {
            texts: [`Which ${plainName(column.column)} occurs more than once?`],
            skillId,
            matchedWords: [...matchedWords, ...plainWords(column.words)],
          },
        ]
      : []),
    { texts: ['Which rows are duplicates?'], skillId, matchedWords },
    ...(operations.has('hide')
      ? [
          {
            texts: ['Remove duplicate rows'],
            skillId: 'table.convert',
            matchedWords: [...matchedWords, ...wordsOfOperations(about, 'hide')],
          },
        ]
      : []),
  ]
}

/** “The same number is the same person”: repeated values of a column, and how many different ones there are. */
function distinctCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, words } = about
  if (!operations.has('count')) return []
  const named = [...words.numbers, ...words.labels].filter(({ column: { cells } }) => new Set(cells).size < cells.length)
  return named.slice(0, 2).map(({ column, words: named }): ReadingCandidate => {
    const name = plainName(column)
    return {
      texts: [`Which ${name} occurs more than once? How many different ${name} are there?`],
      ...{ skillId, matchedWords: [...wordsOfOperations(about, 'duplicates', 'list', 'count', 'total'), ...plainWords(named)] },
    }
  })
}

/** A column of readings that only grow, such as of a meter: what was used between them. */
function changeCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, words } = about
  const { table } = words
  const time = table.columns.find(({ kind }) => kind === 'time')
  const grown = words.numbers.map(({ column }) => column).find(isGrowing) ?? table.columns.find(isGrowing)
  const isMeter = grown !== undefined && meterHeading.test(grown.name)
  if (!time || !grown || !(operations.has('consumption') || (isMeter && (about.group !== undefined || operations.has('total'))))) return []
  const change = `change of ${plainName(grown)}`
  const date = plainName(time)
  const matchedWords = [...wordsOfOperations(about, 'consumption'), ...plainWords(grown.name), 'month', 'each', 'monat', 'mois', 'mes']
  const [asked, drawn] = [`What is the ${change} per ${date}?`, `Draw a bar chart of the ${change} per ${date}`]
  const highest = `Which ${date} had the highest ${change}?`
  const matchesIntent = (queries: readonly TableQuery[]): boolean =>
    queries.length > 0 && queries.every((query) => query.kind === 'numbers' && query.isChange === true)
  return [
    ...(operations.has('chart')
      ? [
          {
            texts: [operations.has('maximum') ? `${drawn}. ${highest}` : drawn],
            skillId: 'table.chart',
            matchedWords: [...matchedWords, ...wordsOfOperations(about, 'chart', 'maximum')],
          },
        ]
      : []),
    ...(operations.has('maximum')
      ? [
          {
            texts: [`${asked} ${highest}`],
            skillId,
            matchedWords: [...matchedWords, ...wordsOfOperations(about, 'maximum')],
            matchesIntent,
          },
        ]
      : []),
    { texts: [asked], skillId, matchedWords, matchesIntent },
  ]
}

/** True for readings that only grow, whose sum means nothing. */
export const isMeterColumn = (column: TableColumn): boolean => meterHeading.test(column.name) && isGrowing(column)

const meterHeading = /meter|odometer|reading|counter|zähler|stand|compteur|contador|读数|表/iu

function isGrowing({ kind, numbers }: TableColumn): boolean {
  const given = numbers.filter((value) => value !== null)
  return (
    kind === 'number' &&
    given.length >= 4 &&
    given.every((value, index) => index === 0 || value >= (given[index - 1] ?? value)) &&
    (given[0] ?? 0) > 0 &&
    (given.at(-1) ?? 0) < (given[0] ?? 0) * 20
  )
}

function relationCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, words } = about
  if (!operations.has('correlation') && !operations.has('slope')) return []
  const all = words.table.columns.filter(({ kind }) => kind === 'number')
  const [first, second] = words.numbers.length >= 2 ? words.numbers.map(({ column }) => column) : all.length === 2 ? all : []
  if (!first || !second) return []
  const matchedWords = [...wordsOfOperations(about, 'correlation', 'slope'), ...words.numbers.flatMap((one) => plainWords(one.words))]
  const [a, b] = [plainName(first), plainName(second)]
  const correlation = `What is the correlation between ${a} and ${b}`
  const slopes = [
    [a, b],
    [b, a],
  ].map(
    ([cause, outcome]): ReadingCandidate => ({
      texts: [`${correlation}, and how much does ${outcome} rise per ${cause}?`],
      skillId,
      matchedWords: [...matchedWords, ...wordsOfOperations(about, 'slope')],
    }),
  )
  return [...(operations.has('slope') ? slopes : []), { texts: [`${correlation}?`], skillId, matchedWords }]
}

function shareCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, group, measures } = about
  const [measure] = measures
  if (!operations.has('share') || !measure || !group) return []
  const matchedWords = [...wordsOfOperations(about, 'share', 'total', 'order'), ...plainWords(measure.words), ...plainWords(group.words)]
  const share = `What is the share of ${measure.name} per ${group.name}?`
  const total = `What is the total of ${measure.name} per ${group.name}, highest first?`
  return [
    ...(operations.has('total') ? [{ texts: [`${total} ${share}`], skillId, matchedWords }] : []),
    { texts: [share], skillId, matchedWords },
  ]
}

function sortCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, words, group } = about
  // “In order by last name”: what stands behind “by” is what to sort by, if nothing is computed.
  const sortedBy = group?.column && { column: group.column, words: group.words }
  const [column] = sortedBy ? [sortedBy] : [...words.numbers, ...words.labels]
  const computing = sortedBy ? (['total', 'average', 'count', 'maximum', 'minimum', 'median'] as const) : (['total', 'average'] as const)
  const isComputing = computing.some((one) => operations.has(one))
  if (!(operations.has('order') || operations.has('alphabet')) || !column || isComputing) return []
  const isText = column.column.kind === 'text'
  const matchedWords = [...wordsOfOperations(about, 'order', 'alphabet'), ...plainWords(column.words)]
  return [
    { texts: [`Sort the table by ${plainName(column.column)}${isText ? '' : ', highest first'}`], skillId: 'table.convert', matchedWords },
  ]
}

const overviewCandidates = (about: TableSuggestionContext): ReadingCandidate[] =>
  about.operations.has('overview')
    ? [{ texts: ['Summary statistics of the table'], skillId: 'table.statistics', matchedWords: wordsOfOperations(about, 'overview') }]
    : []
