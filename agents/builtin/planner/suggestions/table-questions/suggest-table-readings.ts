/** Candidates over an attached table: counts, totals, extremes, lists, checks, correlations and charts. */
import type { ReadTableContext } from '../../../tools/tables/reading/question/question-reading.ts'
import type { TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'
import type { RequestedOperation } from '../find-requested-operations.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { combineClauseReadings, exclusionsOf, type Inherited } from './combine-clause-readings.ts'
import { type DerivedMeasure, findDerivedAmounts, needsZeros, zeroSentence } from './find-derived-amounts.ts'
import { matchWordsToTable, namedPeriod, plainName, type TableMatches } from './match-words-to-table.ts'
import { hasFilters, queriesMatchIntent, topQueryMatchesIntent } from './queries-match-intent.ts'
import { suggestDerivedAmountReadings } from './suggest-derived-amount-readings.ts'
import { isMeterColumn, suggestCheckReadings, suggestRowReadings } from './suggest-row-and-check-readings.ts'
import type { TableMeasure, TableSuggestionContext } from './table-suggestion-context.ts'
import {
  type AggregateName,
  type ChartKind,
  type TableQuestion,
  writeBest,
  writeChart,
  writeQuestionIn,
  writeTableQuestion,
} from './write-table-question.ts'

const skillId = 'table.question'

/** What one table answers of the whole goal, and what several sentences answer of its clauses. */
export function suggestTableReadings(
  goal: GoalParts,
  operations: ReadonlyMap<RequestedOperation, string>,
  context: ReadTableContext,
): ReadingCandidate[] {
  const { about } = readTableGoal(goal, operations, context, { exclusions: [] })
  const { group, measures, words } = about
  const inherited: Inherited = { exclusions: exclusionsOf(words.filters), measures, group, isClause: true }
  return [
    ...readCandidates(goal, operations, context, { exclusions: [] }),
    ...combineClauseReadings(goal, context, inherited, readCandidates),
  ]
}

const ranking: readonly RequestedOperation[] = ['maximum', 'minimum', 'order']

type ReadGoal = { readonly about: TableSuggestionContext; readonly derived: readonly DerivedMeasure[]; readonly texts: readonly string[] }

/** What a clause does not name, it takes from the whole goal. */
function readTableGoal(
  goal: GoalParts,
  operations: ReadonlyMap<RequestedOperation, string>,
  context: ReadTableContext,
  { exclusions, measures: others = [], group: common, isClause = false }: Inherited,
): ReadGoal {
  const texts = goal.english === goal.request ? [goal.request] : [goal.request, goal.english]
  const words = matchWordsToTable(texts, context)
  const period = namedPeriod(texts, context.table)
  const time = words.table.columns.find(({ kind }) => kind === 'time')
  const named = words.group
    ? { name: plainName(words.group.column), column: words.group.column, words: words.group.words }
    : period && time
      ? { name: period.period, column: time, words: period.words }
      : undefined
  const derived = findDerivedAmounts(texts, context.table, words.numbers)
  // “Who” asks for no number of each, where each row is another person.
  const isPointless =
    isClause &&
    named?.column !== undefined &&
    new Set(named.column.cells).size === named.column.cells.length &&
    !ranking.some((operation) => operations.has(operation))
  const group = (isPointless ? undefined : named) ?? (operations.has('share') && derived.length === 0 ? common : undefined)
  const own = words.filters.filter(({ column }) => column !== group?.column)
  const filters = [...own, ...exclusions.filter(({ column }) => !own.some((one) => one.column === column))]
  const found = derived.length > 0 ? derived : findMeasures(words, texts)
  // The amount of the whole goal may be one that no column has.
  const [first] = others
  const isCommon =
    first !== undefined &&
    derived.length === 0 &&
    (found.length === 0 || (first.columns.length > 1 && found.every(({ words: wording }) => wording === '')))
  return { about: { goal, operations, words, group, filters, measures: isCommon ? others.slice(0, 1) : found }, derived, texts }
}

function readCandidates(
  goal: GoalParts,
  operations: ReadonlyMap<RequestedOperation, string>,
  context: ReadTableContext,
  inherited: Inherited,
): ReadingCandidate[] {
  const { about, derived, texts } = readTableGoal(goal, operations, context, inherited)
  const found = [...suggestDerivedAmountReadings(about, derived), ...candidatesOf(about)]
  const first = about.measures.find((measure): measure is DerivedMeasure => 'kind' in measure)
  return first && needsZeros(first, texts) ? found.map((candidate) => withZeros(candidate, first)) : found
}

/** Empty amounts are nothing in a difference or a sum of columns. */
const withZeros = (candidate: ReadingCandidate, { name }: TableMeasure): ReadingCandidate =>
  candidate.skillId === skillId && candidate.texts.every((text) => text.includes(name) && !text.includes(zeroSentence))
    ? { ...candidate, texts: candidate.texts.map((text) => `${text.replace(/([^.?])$/, '$1.')} ${zeroSentence}`) }
    : candidate

function candidatesOf(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, words, group, filters } = about
  // A group that no column is would change every number.
  if (words.openGroup !== undefined && group === undefined) return suggestCheckReadings(about)
  // A condition may belong to another part of the request.
  const stated = filters.filter(({ isYes }) => isYes)
  const choices = [filters, ...(stated.length > 0 && stated.length < filters.length ? [stated] : []), ...(filters.length > 0 ? [[]] : [])]
  // One row for each group: an average “per hive” is the average of all rows.
  const isSingle = group?.column !== undefined && new Set(group.column.cells).size === group.column.cells.length
  const wholes = isSingle && operations.has('average') ? [{ ...about, group: undefined }] : []
  const all = [...wholes, ...choices.map((some): TableSuggestionContext => ({ ...about, filters: some }))]
  const charts = chartCandidates(about)
  const numbers = [...mixedCandidates(about), ...all.flatMap(questionCandidates), ...suggestCheckReadings(about)]
  // A sentence without a chart does not answer a request for one.
  const matchedWords = charts.length > 0 ? numbers.flatMap((one) => one.matchedWords) : []
  return [...charts.map((chart) => ({ ...chart, matchedWords: [...chart.matchedWords, ...matchedWords] })), ...numbers]
}

const money =
  /money|revenue|value of|total value|la valeur|gesamtwert|warenwert|el valor|价值|turnover|takings|brought in|bring in|came in|took|take|reingekommen|eingegangen|eingenommen|sales|sold|worth|earn|income|encaiss|umsatz|einnahm|erlös|geld|verkauf|chiffre|recette|argent|vendu|rapport|ingres|ventas|vendid|dinero|钱|销售额|收入|营业额/giu
const priceHeading = /price|unit cost|rate|each|preis|prix|precio|单价|价格/iu
const pieceHeading =
  /sold|qty|qté|quantity|units|pieces|count|number|stock|hours|menge|anzahl|stück|stunden|vendus?|quantité|unités|heures|unidades|cantidad|vendid|existencias|horas|bestand|数量|库存|件数|小时/iu
const amountHeading =
  /amount|total|revenue|sales|turnover|takings|betrag|umsatz|summe|gesamt|montant|recette|importe|ventas|ingreso|金额|销售额|总/iu
/** “quantité fois prix”. */
const product = /\b(?:times|multiplied by|fois|mal|multiplicado por)\b|[×*]|乘/iu
/** Hours of a clock, telephone numbers and postal codes are no amounts. */
const labelHeading =
  /(?:start|end|begin|from|until|arrival|departure)[ _-]?(?:hour|time)|^(?:from|to|until|von|bis)$|phone|mobile|^tel|telefon|handy|téléphone|teléfono|móvil|电话|手机|postal|postcode|zip|plz|code postal|邮编|geburt|birth|building|room|日期|时间|楼|栋|房号|室/iu
const idHeading = /(?:^|[^\p{L}])(?:id|no|nr|number|code|zip|plz|year|jahr|año|année)\.?$|nummer$|^(?:编号|序号)$/iu

const isAmount = (column: TableColumn): boolean =>
  !isNumbering(column) &&
  !idHeading.test(column.name) &&
  !labelHeading.test(column.name) &&
  !isMeterColumn(column) &&
  !isPhoneColumn(column)

/** 1, 2, 3 and so on: the numbers of the rows. */
const isNumbering = ({ numbers }: TableColumn): boolean =>
  numbers.length > 2 && numbers.every((value, row) => value !== null && value === (numbers[0] ?? 0) + row && Number.isInteger(value))

/** Whole numbers of nine digits or more that are all alike in length. */
const isPhoneColumn = ({ numbers }: TableColumn): boolean =>
  numbers.length > 1 && numbers.every((value) => value !== null && Number.isInteger(value) && value >= 100_000_000)

/** What can be summed: the named columns, the product of a price and a number of pieces, or the only column of numbers. */
function findMeasures({ numbers, table, group }: TableMatches, texts: readonly string[]): TableMeasure[] {
  const usable = table.columns.filter((column) => column.kind === 'number' && isAmount(column))
  const named = numbers.filter(({ column }) => column !== group?.column && usable.includes(column))
  const measures = named.map(({ column, words }): TableMeasure => ({ name: plainName(column), columns: [column], words }))
  const found = texts.flatMap((text) => text.match(money) ?? [])
  const wordsOfOperations = found.length > 0 ? found.join(' ') : undefined
  const price = usable.find(({ name }) => priceHeading.test(name))
  const pieces = usable.find((column) => column !== price && pieceHeading.test(column.name))
  const amount = usable.find(({ name }) => amountHeading.test(name) && !priceHeading.test(name) && !pieceHeading.test(name))
  if ((wordsOfOperations !== undefined || texts.some((text) => product.test(text))) && price && pieces && !amount)
    return [
      {
        name: `${plainName(pieces)} × ${plainName(price)}`,
        columns: [pieces, price],
        words: `${wordsOfOperations ?? ''} ${named.map(({ words }) => words).join(' ')}`,
      },
      ...measures.slice(0, 1),
    ]
  const isAmountMeant = amount !== undefined && wordsOfOperations !== undefined && !measures.some(({ columns }) => columns.includes(amount))
  if (isAmountMeant) measures.push({ name: plainName(amount), columns: [amount], words: wordsOfOperations })
  if (measures.length > 0) return measures.toSorted((a, b) => Number(isNamedExactly(b)) - Number(isNamedExactly(a))).slice(0, 2)
  const [only] = usable
  if (amount && usable.length > 1) return [{ name: plainName(amount), columns: [amount], words: wordsOfOperations ?? '' }]
  return only && usable.length === 1 ? [{ name: plainName(only), columns: [only], words: wordsOfOperations ?? '' }] : []
}

/** The whole heading stands in the words. */
const isNamedExactly = ({ name, words }: TableMeasure): boolean => plainWords(name).every((word) => plainWords(words).includes(word))

const aggregateOfOperation: readonly (readonly [RequestedOperation, AggregateName])[] = [
  ['total', 'total'],
  ['average', 'average'],
  ['median', 'median'],
  ['deviation', 'standard deviation'],
  ['range', 'range'],
]

/** Beside an average, “the best” is the highest value of each group. */
function aggregatesOf({ operations, group }: TableSuggestionContext): (readonly [RequestedOperation, AggregateName])[] {
  const named = aggregateOfOperation.filter(([operation]) => operations.has(operation))
  const isValue = group !== undefined && named.length > 0 && !operations.has('total') && !operations.has('order')
  const extremes: (readonly [RequestedOperation, AggregateName])[] = [
    ...(isValue && operations.has('maximum') ? [['maximum', 'highest'] as const] : []),
    ...(isValue && operations.has('minimum') ? [['minimum', 'lowest'] as const] : []),
  ]
  return [...named, ...extremes]
}

/** Numbers over all rows, and the rows of a condition: “the average, and list anyone under 50”. */
function mixedCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const [measure] = about.measures
  const aggregates = aggregatesOf(about)
  const [list] = suggestRowReadings(about)
  if (!measure || aggregates.length === 0 || !list) return []
  // Aggregates over the filtered rows, or over all rows.
  const subjects: readonly TableSuggestionContext[] = [
    { ...about, group: undefined },
    { ...about, filters: [] },
  ]
  return subjects.flatMap((subject) =>
    numberCandidates(subject, measure, aggregates)
      .slice(-1)
      .map(
        (numbers): ReadingCandidate => ({
          texts: [`${numbers.texts.at(-1)} ${list.texts.at(-1)}`],
          ...{ skillId, matchedWords: [...numbers.matchedWords, ...list.matchedWords] },
          matchesIntent: (queries) =>
            queries.length > 1 &&
            (numbers.matchesIntent?.(queries.slice(0, -1)) ?? true) &&
            hasFilters(queries.at(-1) as (typeof queries)[number], about.filters),
        }),
      ),
  )
}

function questionCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { operations, group, measures } = about
  const aggregates = aggregatesOf(about)
  const isTopOnly = aggregates.length === 0 && (operations.has('maximum') || operations.has('minimum'))
  const found: ReadingCandidate[] = []
  for (const measure of measures) {
    if (aggregates.length > 0) found.push(...numberCandidates(about, measure, aggregates))
    if (isTopOnly && group) found.push(...numberCandidates(about, measure, [[operations.has('maximum') ? 'maximum' : 'minimum', 'total']]))
    if (isTopOnly) found.push(extremeCandidate(about, measure))
    found.push(...topCandidates(about, measure))
  }
  if (operations.has('count')) found.push(...countCandidates(about))
  return found
}

const wordsOfOperations = (about: TableSuggestionContext, ...operations: readonly RequestedOperation[]): string[] =>
  operations.flatMap((operation) => plainWords(about.operations.get(operation) ?? ''))
const groupWords = ({ group }: TableSuggestionContext): string[] => plainWords(group?.words ?? '')
const filterWords = ({ filters }: TableSuggestionContext): string[] => filters.flatMap(({ words }) => plainWords(words))

function numberCandidates(
  about: TableSuggestionContext,
  measure: TableMeasure,
  aggregates: readonly (readonly [RequestedOperation, AggregateName])[],
): ReadingCandidate[] {
  const { goal, operations, group, filters } = about
  const hasExtreme = aggregates.some(([, one]) => one === 'highest' || one === 'lowest')
  const isRanked = group !== undefined && !hasExtreme && (operations.has('maximum') || operations.has('minimum') || operations.has('order'))
  const question: TableQuestion = {
    aggregates: aggregates.map(([, aggregate]) => aggregate),
    measure: measure.name,
    group: group?.name,
    filters: filters.map(({ phrase }) => phrase),
    isOrdered: isRanked,
    isAscending: operations.has('minimum') && !operations.has('maximum'),
  }
  const counted = operations.has('count') && group !== undefined
  const matchedWords = [
    ...wordsOfOperations(about, ...aggregates.map(([operation]) => operation), 'order', 'maximum', 'minimum', 'list'),
    ...plainWords(measure.words),
    ...groupWords(about),
    ...filterWords(about),
  ]
  const matchesIntent = queriesMatchIntent({ measure, group: group?.column, filters, parts: 1 })
  const english = writeTableQuestion(question)
  const local = goal.language === 'en' ? undefined : writeQuestionIn(goal.language, question)
  const found: ReadingCandidate[] = [{ texts: [...(local ? [local] : []), english], skillId, matchedWords, matchesIntent }]
  if (counted)
    found.unshift({
      texts: [
        filters.length === 0
          ? `${english.replace(/\?$/, '')}, and how many rows are there per ${group.name}?`
          : `${english} ${writeTableQuestion({ ...question, aggregates: [], measure: undefined, isOrdered: false })}`,
      ],
      ...{ skillId, matchedWords: [...matchedWords, ...wordsOfOperations(about, 'count')] },
      matchesIntent: queriesMatchIntent({ measure, group: group.column, filters, parts: 2 }),
    })
  // "per stall, and in total"
  if (
    group &&
    aggregates.some(([, one]) => one === 'total') &&
    /\b(?:altogether|overall|in all|grand total|combined|comes to|insgesamt|en tout|en total|总)/i.test(about.operations.get('total') ?? '')
  )
    found.unshift({
      texts: [`${english} ${writeTableQuestion({ ...question, group: undefined, isOrdered: false })}`],
      ...{ skillId, matchedWords: [...matchedWords, 'altogether'] },
      matchesIntent: queriesMatchIntent({ measure, group: undefined, filters, parts: 2 }),
    })
  return found
}

/** “Which 3 items have the highest …”: the groups or rows with the highest or lowest number. */
function topCandidates(about: TableSuggestionContext, measure: TableMeasure): ReadingCandidate[] {
  const { goal, operations, words, filters } = about
  const isLowest = operations.has('minimum') && !operations.has('maximum')
  if (!operations.has('maximum') && !operations.has('minimum')) return []
  const grouped = about.group?.column
  const column = grouped && grouped.kind !== 'time' ? grouped : labelOf(about)
  if (!column) return []
  const name = plainName(column)
  const matchedWords = [
    ...wordsOfOperations(about, isLowest ? 'minimum' : 'maximum', 'list'),
    ...plainWords(measure.words),
    ...(about.group ? groupWords(about) : plainWords(words.labels.find((one) => one.column === column)?.words ?? '')),
    ...(words.top === undefined ? [] : [String(words.top), 'two', 'three', 'four', 'five', 'ten', 'top']),
    ...filterWords(about),
  ]
  const count = words.top === undefined ? '' : `${words.top} `
  const where = filters.length === 0 ? '' : ` where ${filters.map(({ phrase }) => phrase).join(' and ')}`
  const english =
    words.top === undefined
      ? `Which ${name} has the ${isLowest ? 'lowest' : 'highest'} total of ${measure.name}${where}?`
      : `Which ${count}${name} have the ${isLowest ? 'lowest' : 'highest'} total of ${measure.name}${where}?`
  const best = words.top !== undefined || where !== '' ? undefined : writeBest(goal.language, name, measure.name, isLowest)
  const local = best === undefined ? [] : [best]
  const matchesIntent = topQueryMatchesIntent({ measure, group: column, filters, count: words.top ?? 1 })
  const one: ReadingCandidate = { texts: [...local, english], skillId, matchedWords, matchesIntent }
  if (!operations.has('total')) return [one]
  return [
    {
      texts: [`${english} What is the total of ${measure.name}${where}?`],
      ...{
        skillId,
        matchedWords: [...matchedWords, ...wordsOfOperations(about, 'total')],
        matchesIntent: queriesMatchIntent({ measure, group: column, filters, parts: 2 }),
      },
    },
    one,
  ]
}

/** The named column of texts, or the first one whose cells differ. */
function labelOf({ words: { labels, table } }: TableSuggestionContext): TableColumn | undefined {
  const named = labels.find(({ column }) => column.kind === 'text')?.column
  return named ?? table.columns.find(({ kind, cells }) => kind === 'text' && new Set(cells).size > cells.length / 2)
}

/** The highest or lowest value itself. */
function extremeCandidate(about: TableSuggestionContext, measure: TableMeasure): ReadingCandidate {
  const { operations, group, filters } = about
  const aggregate = operations.has('maximum') ? ('highest' as const) : ('lowest' as const)
  const question: TableQuestion = {
    ...{ aggregates: [aggregate], measure: measure.name, group: group?.name, isOrdered: false },
    filters: filters.map(({ phrase }) => phrase),
  }
  return {
    texts: [writeTableQuestion(question)],
    skillId,
    matchedWords: [
      ...wordsOfOperations(about, 'maximum', 'minimum'),
      ...plainWords(measure.words),
      ...groupWords(about),
      ...filterWords(about),
    ],
    matchesIntent: queriesMatchIntent({ measure, group: group?.column, filters, parts: 1 }),
  }
}

function countCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { goal, group, filters, words, measures, operations } = about
  const base = {
    aggregates: [],
    measure: undefined,
    isOrdered: group !== undefined && (operations.has('maximum') || operations.has('order')),
  }
  const phrases = filters.map(({ phrase }) => phrase)
  const matchedWords = [...wordsOfOperations(about, 'count'), ...filterWords(about)]
  const found: ReadingCandidate[] = []
  const label =
    group === undefined
      ? words.labels.find(({ column }) => column.kind === 'text' && !filters.some((one) => one.column === column))
      : undefined
  const by = group ?? (label && { name: plainName(label.column), column: label.column, words: label.words })
  if (by) {
    const question: TableQuestion = { ...base, group: by.name, filters: phrases }
    const local = goal.language === 'en' ? undefined : writeQuestionIn(goal.language, question)
    found.push({
      texts: [...(local ? [local] : []), writeTableQuestion(question)],
      ...{ skillId, matchedWords: [...matchedWords, ...plainWords(by.words), ...wordsOfOperations(about, 'maximum', 'order')] },
      matchesIntent: queriesMatchIntent({ measure: undefined, group: by.column, filters, parts: 1 }),
    })
  }
  if (filters.length > 0 && group === undefined) {
    const one = writeTableQuestion({ ...base, group: undefined, filters: phrases, isOrdered: false })
    found.push({
      texts: [one],
      skillId,
      matchedWords,
      matchesIntent: queriesMatchIntent({ measure: undefined, group: undefined, filters, parts: 1 }),
    })
    const [measure] = measures
    if (measure && measure.words !== '')
      found.unshift({
        texts: [
          `${one} ${writeTableQuestion({ ...base, aggregates: ['total'], measure: measure.name, group: undefined, filters: phrases, isOrdered: false })}`,
        ],
        ...{ skillId, matchedWords: [...matchedWords, ...plainWords(measure.words)] },
        matchesIntent: queriesMatchIntent({ measure, group: undefined, filters, parts: 2 }),
      })
  }
  return found
}

function chartCandidates(about: TableSuggestionContext): ReadingCandidate[] {
  const { goal, operations, group, words, measures } = about
  const [measure] = measures
  const column = group ?? chartGroup(words)
  if (!(operations.has('chart') || operations.has('line_chart') || operations.has('pie_chart')) || !measure || !column) return []
  const kind: ChartKind = operations.has('line_chart') ? 'line' : operations.has('pie_chart') ? 'pie' : 'bar'
  const matchedWords = [
    ...wordsOfOperations(about, 'chart', 'line_chart', 'pie_chart'),
    ...plainWords(measure.words),
    ...plainWords(column.words),
  ]
  const texts = writeChart(goal.language, kind, measure.name, column.name)
  const chart: ReadingCandidate = { texts, skillId: 'table.chart', matchedWords }
  const aggregates = aggregatesOf(about)
  if (aggregates.length === 0 || !group) return [chart]
  const [numbers] = numberCandidates({ ...about, filters: [] }, measure, aggregates).slice(-1)
  // The answer beside the chart.
  return numbers
    ? [
        {
          texts: [`${texts.at(-1)}. ${numbers.texts.at(-1)}`],
          skillId: 'table.chart',
          matchedWords: [...matchedWords, ...numbers.matchedWords],
        },
        chart,
      ]
    : [chart]
}

function chartGroup({ labels, table }: TableMatches): { readonly name: string; readonly words: string } | undefined {
  const named = labels[0]
  const first = named?.column ?? table.columns.find(({ kind }) => kind !== 'number')
  return first && { name: plainName(first), words: named?.words ?? '' }
}
