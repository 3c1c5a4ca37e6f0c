/** What the words of a goal name in one attached table: columns, values, groups and numbers. */
import type { ReadTableContext } from '../../../tools/tables/reading/question/question-reading.ts'
import type { DataTable, TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'
import { findCellValues, type ValueMention } from '../../../tools/tables/reading/words/find-cell-values.ts'
import { type ColumnMention, findColumns } from '../../../tools/tables/reading/words/find-columns.ts'
import { type QuestionWord, readQuestionWords, wordsOfName } from '../../../tools/tables/reading/words/read-question-words.ts'
import { numberWordsToDigits } from '../number-questions/number-words-to-digits.ts'
import { plainWords } from '../reading-candidate.ts'
import { readCellCodeDefinitions } from './read-cell-code-definitions.ts'

export type NamedColumn = { readonly column: TableColumn; readonly words: string }
/** A condition as in a sentence, such as `shift is N`. */
export type NamedFilter = {
  readonly column: TableColumn
  readonly phrase: string
  readonly words: string
  /** True for the rows with a yes in a column of yes and no. */
  readonly isYes?: true
}

export type TableMatches = {
  readonly table: DataTable
  /** Columns of numbers that are named, in the order of the text. */
  readonly numbers: readonly NamedColumn[]
  /** Columns of texts and times that are named. */
  readonly labels: readonly NamedColumn[]
  /** The named column behind “per”, “each” or “which”. */
  readonly group: NamedColumn | undefined
  /** Words behind “per” or “each” that name no column. */
  readonly openGroup: string | undefined
  readonly filters: readonly NamedFilter[]
  /** The number of “top three”. */
  readonly top: number | undefined
}

const each = new Set('per each every by je jede jeder jedem jeden pro nach par chaque por cada según 每个 每 各 按'.split(' '))
/** Words behind which a noun that no column is would be a group. */
const strictly = new Set('per each every je jede jeder jedem jeden pro chaque cada 每个 每'.split(' '))
const asking = new Set('which what whose welche welcher welches quel quelle quels quelles qué que cuál 哪个 哪'.split(' '))
const articles = new Set(
  'the of our my their a an single der die das den dem unserer unseren le la les de l el los las del us them you'.split(' '),
)
const persons =
  /^(?:us|you|them|persons?|people|one|everyone|everybody|each|members?|individuals?|kids?|child|children|pupils?|students?|players?|colleagues?|workers?|guests?|volunteers?|drivers?|who|whom|wer|jeder|kind(?:er)?|leute|mitarbeiter(?:in)?|personne|chacun|enfants?|quién|quien|personas?|uno|niños?|人|谁)$/
export const personHeading =
  /^(?:name|names?|full name|who|person|people|employee|staff|member|pupil|student|player|customer|client|tenant|patient|donor|driver|volunteer|guest|borrower|buyer|owner|author|player|runner|rider|singer|artist|worker|teacher|child|kid|mitarbeiter(?:in)?|schüler(?:\/?in)?|mitglied|kunde|mieter|spieler|gast|nom|prénom|élève|employé|salarié|membre|adhérent|client|locataire|nombre|empleado|alumno|socio|cliente|inquilino|jugador|姓名|名字|员工|学生|会员|客户)$/i
/** Periods that a column of times can be grouped by. */
const periods: { readonly [word: string]: string } = {
  ...{ month: 'month', months: 'month', monthly: 'month', monat: 'month', mois: 'month', mes: 'month' },
  ...{ week: 'week', weekly: 'week', woche: 'week', semaine: 'week', semana: 'week', year: 'year', yearly: 'year', jahr: 'year' },
  ...{ weekday: 'weekday', wochentag: 'weekday', quarter: 'quarter', quartal: 'quarter', 月: 'month', 每月: 'month' },
}

/** “Day of the week” has one word. */
const withPlainPeriods = (text: string): string => text.replace(/\bdays? of the week\b/gi, 'weekday')

/** @param texts the request as it was written, and in English */
export function matchWordsToTable(texts: readonly string[], { table, cells }: ReadTableContext): TableMatches {
  const numbers = new Map<TableColumn, string>()
  const labels = new Map<TableColumn, string>()
  const filters = new Map<string, NamedFilter>()
  let group: NamedColumn | undefined
  let openGroup: string | undefined
  for (const text of texts.flatMap((wording) => sentencesOf(withPlainPeriods(wording), table))) {
    const words = readQuestionWords(text)
    const mentions = findColumns(words, table).filter((mention) => isNaming(words, mention))
    for (const { column, start, end } of mentions) {
      const wording = textOf(words, start, end)
      const kind = column.kind === 'number' ? numbers : labels
      kind.set(column, `${kind.get(column) ?? ''} ${wording}`.trim())
    }
    const found = findGroup(words, mentions, table)
    group ??= found.group
    openGroup ??= found.open
    const used = words.map((_, at) => mentions.some(({ start, end }) => at >= start && at < end))
    const values = [...findCellValues(words, used, cells), ...codeValues(words, used, table)].filter(
      ({ value }) => /[\p{L}\p{N}]{2}/u.test(value) || /\p{Script=Han}/u.test(value),
    )
    const compared = comparedColumn(values)
    if (compared) group ??= compared
    for (const { value, columns, start, end } of values) {
      const [column] = columns
      if (column && column !== compared?.column)
        addFilter(filters, { column, value, isNot: isExcluded(words, start, end), words: textOf(words, start, end) })
    }
    for (const { column, value, words: stated } of statedCells(mentions, words))
      addFilter(filters, { column, value, isNot: false, words: stated })
    for (const filter of [
      ...numberedExclusions(words, mentions),
      ...numberFilters(words, mentions, table),
      ...halfFilters(text, table),
      ...yesFilters(mentions, words),
    ])
      filters.set(filter.phrase, filter)
  }
  for (const { value, column, words } of texts.flatMap((text) => readCellCodeDefinitions(text, table)))
    addFilter(filters, { column, value, isNot: false, words })
  if (group) openGroup = undefined
  return {
    table,
    numbers: listed(numbers),
    labels: listed(labels),
    group,
    openGroup,
    filters: oneForEach(filters),
    top: topOf(texts.at(-1) ?? ''),
  }
}

/** The sentences, with digits and whole compounds. In Chinese, headings and cells stand apart. */
const sentencesOf = (text: string, table: DataTable): string[] =>
  withWholeCompounds(withSpacedNames(numberWordsToDigits(text), table), table)
    .split(/(?<=[.?!;])\s+|\n|(?<=[。？！；])/)
    .filter((sentence) => sentence.trim() !== '')

const maxSpacedNames = 300

function withSpacedNames(text: string, { columns }: DataTable): string {
  if (!/\p{Script=Han}/u.test(text)) return text
  const headings = columns.flatMap(({ name }) => [name, name.replace(/[(（].*$/, '').trim()])
  const cells = columns.flatMap(({ kind, cells: all }) => {
    const different = kind === 'text' ? [...new Set(all.map((cell) => cell.trim()))] : []
    return different.filter((cell) => /\p{Script=Han}/u.test(cell) && (cell.length > 1 || different.length <= 5))
  })
  const names = [...new Set([...headings, ...cells])]
    .filter((name) => /^[\p{L}\p{N}()（）]+$/u.test(name) && /\p{Script=Han}/u.test(name) && text.includes(name))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxSpacedNames)
  if (names.length === 0) return text
  const pattern = new RegExp(names.map((name) => name.replace(/[()]/g, '\\$&')).join('|'), 'gu')
  return text.replace(pattern, (name) => ` ${name} `)
}

const maxCodes = 50
/** Codes such as `9R`, which are neither a word nor a number. */
function codeValues(words: readonly QuestionWord[], used: readonly boolean[], { columns }: DataTable): ValueMention[] {
  const codes = new Map<string, { readonly value: string; readonly column: TableColumn }>()
  for (const column of columns) {
    const different = column.kind === 'text' ? [...new Set(column.cells)] : []
    if (different.length > maxCodes) continue
    const isHan = different.length <= 5
    for (const value of different)
      if (/^(?=.*\d)(?=.*\p{L})[\p{L}\d]{2,8}$/u.test(value) || (isHan && /^\p{Script=Han}{1,6}$/u.test(value)))
        codes.set(value.toLowerCase(), { value, column })
  }
  // `9R` is read as a number and a word.
  return words.flatMap(({ text, kind }, at): ValueMention[] => {
    const joined = kind === 'number' ? codes.get(`${text}${words[at + 1]?.text ?? ''}`.toLowerCase()) : undefined
    const found = used[at] ? undefined : (joined ?? codes.get(text.toLowerCase()))
    return found ? [{ start: at, end: at + (joined ? 2 : 1), value: found.value, columns: [found.column] }] : []
  })
}

const numberedHeading = /(?:^|[^\p{L}])(?:id|no|nr|number|nummer|code|num|número|numéro|编号|号)\.?$/iu
/** “Hive 7 not”: a number of a column that numbers its rows. */
function numberedExclusions(words: readonly QuestionWord[], mentions: readonly ColumnMention[]): NamedFilter[] {
  return mentions.flatMap(({ column, start, end }): NamedFilter[] => {
    const number = words[end]
    const isNumbered = column.kind === 'number' && numberedHeading.test(column.name.trim()) && number?.kind === 'number'
    if (
      !isNumbered ||
      !column.numbers.includes(number.value) ||
      !(isExcluded(words, start, end + 1) || /^(?:nicht|not|no|pas)$/.test(words[end + 1]?.lower ?? ''))
    )
      return []
    return [{ column, phrase: `${plainName(column)} is not ${number.value}`, words: textOf(words, start, end + 1) }]
  })
}

/** “Früh- und Sommertracht” as “Frühtracht und Sommertracht”, where the table has such a heading. */
function withWholeCompounds(text: string, table: DataTable): string {
  return text.replace(/(\p{L}{2,20})- (und|oder|bzw\.?) (\p{L}{5,40})/gu, (whole, start: string, and: string, second: string) => {
    const full = table.columns
      .flatMap(({ name }) => name.match(/\p{L}+/gu) ?? [])
      .find((word) => word.toLowerCase().startsWith(start.toLowerCase()) && word.slice(-4).toLowerCase() === second.slice(-4).toLowerCase())
    return full === undefined ? whole : `${full} ${and} ${second}`
  })
}

/** Two different cells of one column are compared: “at the gate and at the hall”. */
function comparedColumn(values: readonly ValueMention[]): NamedColumn | undefined {
  for (const {
    columns: [column],
  } of values) {
    const same = values.filter(({ columns }) => columns[0] === column)
    if (column && new Set(same.map(({ value }) => value)).size > 1) return { column, words: same.map(({ value }) => value).join(' ') }
  }
  return undefined
}

const listed = (columns: ReadonlyMap<TableColumn, string>): NamedColumn[] => [...columns].map(([column, words]) => ({ column, words }))

const textOf = (words: readonly QuestionWord[], start: number, end: number): string =>
  words
    .slice(start, end)
    .map(({ lower }) => lower)
    .join(' ')

/** Common words name a column only if the whole heading is that word. */
function isNaming(words: readonly QuestionWord[], { start, end, column, how }: ColumnMention): boolean {
  const phrase = textOf(words, start, end)
  if (how === 'name') return phrase.length > 1
  return (
    (phrase.length > 2 &&
      !/^(?:number|total|amount|value|name|date|time|list|order|note|notes|line|row|file|table|data)s?$/.test(phrase)) ||
    wordsOfName(column.name).includes(phrase)
  )
}

function findGroup(
  words: readonly QuestionWord[],
  mentions: readonly ColumnMention[],
  table: DataTable,
): { group?: NamedColumn; open?: string } {
  let open: string | undefined
  let asked: NamedColumn | undefined
  let single: NamedColumn | undefined
  for (const [at, { lower }] of words.entries()) {
    const isEach = each.has(lower)
    const isPerson = /^(?:who|everybody|everyone|chacun|todos)$/.test(lower)
    if (!isEach && !asking.has(lower) && !isPerson) continue
    let next = at + 1
    while (articles.has(words[next]?.lower ?? '') && !mentions.some(({ start }) => start === next)) next++
    const mention = mentions.find(
      ({ start, column }) =>
        (start === next || start === next + 1) && (column.kind !== 'number' || numberedHeading.test(column.name.trim())),
    )
    const noun = words[next]?.lower ?? ''
    const phrase = `${lower} ${noun}`
    if (mention && isEach) {
      const group = { column: mention.column, words: `${lower} ${textOf(words, next, mention.end)}` }
      // “The average per hive and per place”: each row is a hive, so that the places are the groups.
      if (new Set(mention.column.cells).size < mention.column.cells.length) return { group }
      single ??= group
    }
    if (mention && !isEach) asked ??= { column: mention.column, words: phrase }
    else if (!mention && (isEach || isPerson)) {
      const person =
        persons.test(noun) || (articles.has(words[next - 1]?.lower ?? '') && persons.test(words[next - 1]?.lower ?? '')) || isPerson
          ? personColumn(table)
          : undefined
      if (person) asked ??= { column: person, words: phrase }
      else if (strictly.has(lower) && words[next]?.kind === 'word' && !isPlainNoun(noun)) open ??= noun
    }
  }
  const group = single ?? asked
  return { ...(group && { group }), ...(open !== undefined && { open }) }
}

/** Periods, and what stands for a row or a price. */
const isPlainNoun = (noun: string): boolean =>
  Object.hasOwn(periods, noun) ||
  /^(?:day|of|one|row|line|thing|item|them|time|piece|unit|person|people|year|hour|week|other|and|in|is|was|for|uno|una|eins|einen?|tag|jour|día)s?$/.test(
    noun,
  )

const personColumn = (table: DataTable): TableColumn | undefined =>
  table.columns.find(({ kind, name }) => kind === 'text' && personHeading.test(name.trim())) ?? columnOfNames(table)

/** The only column of texts, if its cells look like names of people that come more than once. */
function columnOfNames({ columns }: DataTable): TableColumn | undefined {
  const [only, ...others] = columns.filter(({ kind }) => kind === 'text')
  const cells = only?.cells.filter((cell) => cell !== '') ?? []
  const isOfNames = cells.length > 0 && cells.every((cell) => /^\p{Lu}\p{Ll}+(?: \p{Lu}[\p{Ll}.]*)?$/u.test(cell))
  return others.length === 0 && isOfNames && new Set(cells).size < cells.length ? only : undefined
}

/** The period that the words name, for a table with times. */
export function namedPeriod(texts: readonly string[], table: DataTable): { readonly period: string; readonly words: string } | undefined {
  if (!table.columns.some(({ kind }) => kind === 'time')) return undefined
  for (const word of texts.flatMap(plainWords)) {
    const period = Object.hasOwn(periods, word) ? periods[word] : undefined
    if (period) return { period, words: word }
  }
  return undefined
}

const exclusion =
  /(?:^|\s)(?:not|no|without|except|excluding|exclude|ignore|ignoring|skip|leave out|leaving out|isn['’]?t|aren['’]?t|don['’]?t count|ohne|außer|nicht|keine?|sans|sauf|hors|sin|excepto|salvo|menos|不算|不含|不包括|除了|除去|扣除|排除)(?:\s+\S+){0,3}\s*$/i
const excludedAfter =
  /^(?:\s+\S+){0,4}\s+(?:nicht (?:mit)?(?:zähl|rechn)\S*|weglassen|nicht dabei|no (?:la |lo |los |las )?(?:cuent|cont)\S*|(?:ne )?compte\S* pas|不算|不要算)|^\s*(?:的)?\s*(?:都)?(?:不要?算|不计|除外|不要)|^(?:\s+\S+){0,4}\s+(?:(?:do|does|should|must|shall)(?: not|n['’]?t)|don['’]?t|doesn['’]?t|not to be|left out|excluded|not count)/i

function isExcluded(words: readonly QuestionWord[], start: number, end: number): boolean {
  const before = textOf(words, Math.max(0, start - 4), start)
  const after = textOf(words, end, end + 6)
  return exclusion.test(` ${before}`) || excludedAfter.test(` ${after}`)
}

type ValueFilter = { readonly column: TableColumn; readonly value: string; readonly isNot: boolean; readonly words: string }

function addFilter(filters: Map<string, NamedFilter>, { column, value, isNot, words }: ValueFilter): void {
  const short = isNot ? undefined : column.cells.find((cell) => cell.endsWith('.') && isShortFor(cell, value))
  const phrase = `${plainName(column)} is ${isNot ? 'not ' : ''}${quotedValue(value)}${short === undefined ? '' : ` or ${quotedValue(short)}`}`
  if (!filters.has(phrase)) filters.set(phrase, { column, phrase, words })
}

/** `bus.` for `business`. */
const isShortFor = (cell: string, value: string): boolean =>
  cell.length >= 3 && cell.length <= value.length && value.toLowerCase().startsWith(cell.slice(0, -1).toLowerCase())

const quotedValue = (value: string): string => (/^[\p{L}\p{N}_-]+$/u.test(value) ? value : `"${value.replace(/["“”]/g, '')}"`)

/** A heading without marks that would end a sentence. */
export const plainName = ({ name }: Pick<TableColumn, 'name'>): string => name.replace(/(?<![?!.;:])[?!.;:]+$/, '').trim()

const comparisons: readonly (readonly [RegExp, string])[] = [
  [
    /(?:more than|over|above|greater than|higher than|exceed\p{L}*|longer than|older than|mehr als|über|plus de|más de|超过|大于)\s*$/iu,
    'more than',
  ],
  [/(?:at least|no less than|mindestens|au moins|al menos|至少)\s*$/iu, 'at least'],
  [
    /(?:less than|under|below|fewer than|lower than|shorter than|younger than|weniger als|unter|moins de|menos de|低于|少于)\s*$/iu,
    'less than',
  ],
  [/(?:at most|no more than|up to|höchstens|au plus|como máximo|最多)\s*$/iu, 'at most'],
]

const behind: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:or|and) (?:more|over|above|higher|up|older)|^oder (?:mehr|drüber|höher|älter)|^ou (?:plus|davantage)|^o (?:más|mas)|^(?:及)?以上/iu,
    'at least',
  ],
  [
    /^(?:or|and) (?:less|fewer|under|below|lower|younger)|^oder (?:weniger|drunter|niedriger|jünger)|^ou moins|^o menos|^(?:及)?以下/iu,
    'at most',
  ],
]

/** “over 500 ms”, “140 or over”: of the column that is named nearby, or the only column of numbers. */
function numberFilters(words: readonly QuestionWord[], mentions: readonly ColumnMention[], table: DataTable): NamedFilter[] {
  const all = table.columns.filter(({ kind }) => kind === 'number')
  return words.flatMap((word, at): NamedFilter[] => {
    if (word.kind !== 'number' || !Number.isFinite(word.value)) return []
    const before = textOf(words, Math.max(0, at - 3), at)
    const after = textOf(words, at + 1, at + 4)
    const found = comparisons.find(([pattern]) => pattern.test(before)) ?? behind.find(([pattern]) => pattern.test(after))
    const near = mentions.findLast(({ column, start }) => column.kind === 'number' && start < at && at - start <= 6)?.column
    const later = mentions.find(({ column, start }) => column.kind === 'number' && start > at && start - at <= 3)?.column
    const pieces = all.filter(({ name }) =>
      /stock|quantity|qty|units?|pieces|bestand|menge|anzahl|quantité|existencias|cantidad|库存|数量/iu.test(name),
    )
    const isPieces =
      pieces.length === 1 &&
      /^(?:units?|pieces?|copies|items?|stück|exemplare?n?|exemplaires?|unités?|unidades|ejemplares|piezas|件|个|本)/iu.test(after)
    const column = near ?? later ?? (all.length === 1 ? all[0] : isPieces ? pieces[0] : undefined)
    if (!found || !column) return []
    return [{ column, phrase: `${plainName(column)} is ${found[1]} ${word.value}`, words: `${before} ${word.lower} ${after}` }]
  })
}

/** “Less than half” of a mark out of 40, which its heading says. */
function halfFilters(text: string, table: DataTable): NamedFilter[] {
  const found =
    /(?:less than|under|below|weniger als|unter|moins de|menos de|不到)\s*(?:the |die |der |la )?(?:half|hälfte|moitié|mitad|一半)/iu.exec(
      text,
    )
  const [column, ...others] = table.columns.filter((one) => one.kind === 'number' && maxOf(one) !== undefined)
  const max = column && maxOf(column)
  return found && column && max !== undefined && others.length === 0
    ? [{ column, phrase: `${plainName(column)} is less than ${max / 2}`, words: found[0] }]
    : []
}

/** `mark /40` has at most 40. */
export function maxOf({ name, numbers }: TableColumn): number | undefined {
  const wording = /(?:\/|out of|von|sur|sobre)\s*(\d{1,4})\)?\s*$/iu.exec(name)?.[1]
  return wording !== undefined && numbers.every((value) => value === null || value <= Number(wording)) ? Number(wording) : undefined
}

/** “returned = no”: a cell beside the name of its column, which may be any word. */
function statedCells(mentions: readonly ColumnMention[], words: readonly QuestionWord[]) {
  return mentions.flatMap(({ column, start, end }) => {
    const next = /^(?:is|are|=|:|was)$/.test(words[end]?.lower ?? '') ? words[end + 1]?.lower : undefined
    const value = next === undefined || column.kind !== 'text' ? undefined : column.cells.find((cell) => cell.toLowerCase() === next)
    return value === undefined ? [] : [{ column, value, words: textOf(words, start, end + 2) }]
  })
}

/** If the cells of a named column are yes or no, the rows with a yes are meant. All spellings count. */
function yesFilters(mentions: readonly ColumnMention[], words: readonly QuestionWord[]): NamedFilter[] {
  return mentions.flatMap(({ column, start, end }): NamedFilter[] => {
    const cells = [...new Set(column.cells.map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== ''))]
    const isNot = denial.test(` ${textOf(words, Math.max(0, start - 3), start)} `)
    const yes = cells.filter((cell) => (isNot ? noWords : yesWords).has(cell))
    if (column.kind !== 'text' || yes.length === 0 || cells.length > 8 || !cells.some((cell) => (isNot ? yesWords : noWords).has(cell)))
      return []
    return [{ column, phrase: `${plainName(column)} is ${yes.join(' or ')}`, words: textOf(words, start, end), isYes: true }]
  })
}
/** “have not paid”, beside the column of those who paid. */
const denial = / (?:not|no|never|without|nicht|kein\p{L}*|pas|sin|没|未) | \p{L}+n['’]?t /iu
const yesWords = new Set('yes y true x ja j oui o si sí s 是 1'.split(' '))
const noWords = new Set('no n false nein non 否 0'.split(' '))

/** Two values of one column cannot both hold, so the first one counts. */
function oneForEach(filters: ReadonlyMap<string, NamedFilter>): NamedFilter[] {
  const seen = new Map<TableColumn, NamedFilter>()
  const all = [...filters.values()]
  const isStated = (filter: NamedFilter): boolean => / is (?:no|nein|non|n|false)$/i.test(filter.phrase)
  for (const filter of [...all.filter(isStated), ...all.filter(({ isYes }) => isYes), ...all])
    if (!seen.has(filter.column)) seen.set(filter.column, filter)
  return [...seen.values()].slice(0, 3)
}

const numberWords: { readonly [word: string]: number } = {
  ...{ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ zwei: 2, drei: 3, vier: 4, fünf: 5, zehn: 10, deux: 2, trois: 3, quatre: 4, cinq: 5, dix: 10 },
  ...{ dos: 2, tres: 3, cuatro: 4, cinco: 5, diez: 10, 两: 2, 三: 3, 五: 5, 十: 10 },
}

function topOf(text: string): number | undefined {
  const count = `\\d{1,3}|${Object.keys(numberWords).join('|')}`
  const superlatives = 'best|biggest|largest|highest|most|top|lowest|worst|cheapest|slowest|fastest|busiest|least|smallest'
  const found =
    new RegExp(`\\btop (${count})\\b`, 'iu').exec(text) ??
    new RegExp(`\\b(${count})\\s+(?:\\p{L}+\\s+){0,4}(?:${superlatives})\\b`, 'iu').exec(text) ??
    new RegExp(`\\b(?:which|what|the)\\s+(${count})\\s+\\p{L}+`, 'iu').exec(text)
  const phrase = found?.[1]?.toLowerCase()
  const value = phrase === undefined ? undefined : (numberWords[phrase] ?? Number(phrase))
  return value !== undefined && value > 1 && value <= 100 ? value : undefined
}
