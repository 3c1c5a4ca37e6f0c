/** What the slots of templates hold, and how it is written in a language. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import { countingRules } from './date-sentences.ts'
import { formatToolSlots } from './format-tool-slots.ts'
import { fragment, listWriter, semicolons, withMore } from './list-writer.ts'
import { priceSlots } from './price-slots.ts'
import type { SentenceTemplate, SlotKind, SlotWriter } from './sentence-template.ts'
import { statisticsSlots } from './statistics-slots.ts'
import { tableAndQuotationSlots } from './table-and-quotation-slots.ts'
import { tableFragments } from './table-fragments.ts'
import { durations, foundValues, readabilityLevels } from './text-sentences.ts'
import { unitNotes } from './unit-notes.ts'
import { writeColumnName } from './write-column-name.ts'
import { writeCountedNoun } from './write-counted-noun.ts'
import { englishDate, englishWeekday, writeLocalDate, writeLocalTime, writeLocalWeekday } from './write-local-date.ts'
import { writeLocalFormula } from './write-local-formula.ts'
import { englishNumber, writeLocalNumber, writeLocalNumbers } from './write-local-number.ts'
import { writeLocalValue } from './write-local-value.ts'
import { writeQuantity } from './write-quantity.ts'

/** A cell stays. What the tool names, such as a month, is written in the language. */
const cell: SlotWriter = (text, context) => (context.isInFile(text) ? text : writeLocalTime(text, context.language))

/** A number in the notation of the file would change its meaning: 2.500 is 2500 in some files. */
const isInOpenNotation = (text: string): boolean => /\d[.,]\d/.test(text)

/** Cells of the file, and whole numbers that were computed. */
const cellOrNumber: SlotWriter = (text, context) => (/^\d{1,3}$/.test(text) ? text : cell(text, context))
const cellsOfRow: SlotWriter = (text, context) =>
  cell(text, context) ?? (listWriter(cellOrNumber, { isGreedy: true, separators: /, /g })(text, context) === undefined ? undefined : text)

/** The only row of an answer, which has a table with the same cells. */
const shownCell: SlotWriter = (text, context) =>
  context.shownTables === 'all' || (context.shownTables === 'some' && !isInOpenNotation(text)) ? cellsOfRow(text, context) : undefined

/** A computed number of an answer without a table. */
const ownValue: SlotWriter = (text, context) =>
  context.shownTables === 'none' || !context.isInFile(text) || !isInOpenNotation(text) ? writeLocalValue(text, context) : undefined

const others: InEachLanguage<string> = { de: '{n} andere', fr: '{n} autres', es: '{n} más', zh: '其他 {n} 项' }

/** `5 others`: the smallest slices of a pie. */
const otherItems: SlotWriter = (text, { isInFile, language }) => {
  const number = /^(\d+) others$/.exec(text)?.[1]
  return number === undefined || isInFile(text) ? undefined : others[language].replace('{n}', number)
}

/** `Kettle 11` or `York 343 (35.1%)`: a cell with a number. */
const item: SlotWriter = (text, context) => {
  const [, named = '', share] = /^(.+?)(?: \((–|[\d.,]+%)\))?$/s.exec(text) ?? []
  const [, name = '', number = ''] = /^(.+?) ((?:(?:≈ )?[-−]?\d[\d.,]*(?:%| [^\s\d]{1,12})?)|no value)$/s.exec(named) ?? []
  const label = otherItems(name, context) ?? listWriter(cell, { isGreedy: true, separators: /, /g })(name, context)
  const [left, right] = [label, writeLocalValue(number, context)]
  if (left === undefined || right === undefined) return undefined
  return `${left} ${right}${share === undefined ? '' : ` (${share === '–' ? share : writeLocalValue(share, context)})`}`
}

const unchanged: SlotWriter = (text) => text

/** A heading, a formula, a usual name, or two headings such as `signups per visits`. */
const measureName: SlotWriter = (text, context) => {
  const own = writeColumnName(text, context) ?? fragment(tableFragments.derivedNames)(text, context)
  const [, left, right] = /^(.+) per (.+)$/.exec(text) ?? []
  if (own !== undefined || left === undefined || right === undefined) return own
  const [a, b] = [writeColumnName(left, context), writeColumnName(right, context)]
  return a === undefined || b === undefined ? undefined : `${a} ÷ ${b}`
}

const measureValue: SlotWriter = (text, context) => {
  const [, name = '', number = ''] = /^(.+?) ((?:≈ )?[-−]?\d[\d.,]*(?:%| [^\s\d]{1,12})?|no value)$/.exec(text) ?? []
  const [left, right] = [fragment(tableFragments.measures)(name, context), writeLocalValue(number, context)]
  return left === undefined || right === undefined ? undefined : `${left} ${right}`
}

/** Remarks with a semicolon between them. */
const remarksBy =
  (templates: readonly SentenceTemplate[]): SlotWriter =>
  (text, context) => {
    const parts = text.split('; ').map((part) => fragment(templates)(part, context))
    return parts.every((part) => part !== undefined) ? parts.join(semicolons[context.language]) : undefined
  }

/** `°C = (°F − 32) × 5 ÷ 9`. */
const temperatureRule: SlotWriter = (text, { language }) =>
  /^(?:°C|°F|K) = [°CFK\d.() +−×÷]+$/.test(text) ? writeLocalNumbers(text, language) : undefined

/** In the words of the reader, from the code in brackets after it. */
const languageName: SlotWriter = (text, { language }) => {
  const code = /\(([a-z]{2,3})\)$/.exec(text)?.[1]
  const name = code === undefined ? undefined : new Intl.DisplayNames([language], { type: 'language' }).of(code)
  return name === undefined ? undefined : language === 'zh' ? `${name}（${code}）` : `${name} (${code})`
}

const change: SlotWriter = (text, context) => (/^[+−]/.test(text) ? writeLocalValue(text, context) : undefined)
const counted: SlotWriter = (text, { language }) => writeCountedNoun(text, language)

/** `1 year, 2 months and 3 days`; Chinese puts a space only between the parts. */
const writeSpan: SlotWriter = (text, context) => {
  const written = listWriter(counted)(text, context)
  return context.language === 'zh' ? written?.replace(/、| 和 /g, ' ') : written
}
/** `1004 (C9)`: the first cell of a row with its key, or the key alone. */
const keyedRow: SlotWriter = (text, context) => {
  const [, label, key = ''] = /^(.*) \((.+)\)$/s.exec(text) ?? []
  const hasLabel = label !== undefined && (label === '' || context.isInFile(label))
  return context.isInFile(text) || (hasLabel && (key === 'empty' || context.isInFile(key))) ? text : undefined
}

/** `3 : 5`. */
const ratio: SlotWriter = (text, { language }) => {
  const parts = text.split(' : ')
  const isRatio = parts.length > 1 && parts.every((part) => new RegExp(`^${englishNumber}$`).test(part))
  return isRatio ? parts.map((part) => writeLocalNumber(part, language)).join(' : ') : undefined
}

const plainList = (write: SlotWriter): SlotKind => ({ write: listWriter(write) })

export const slotKinds: { readonly [kind: string]: SlotKind } = {
  number: { pattern: new RegExp(`[-−]?${englishNumber}`, 'y'), write: (text, { language }) => writeLocalNumber(text, language) },
  ratio: { write: ratio },
  year: { pattern: /\d{1,4}/y, write: unchanged },
  iso: { pattern: /\d{4}-\d{2}-\d{2}/y, write: unchanged },
  isoDate: { pattern: /\d{4}-\d{2}-\d{2}/y, write: (text, { language }) => writeIsoDate(text, language) },
  date: { pattern: new RegExp(englishDate, 'y'), write: (text, { language }) => writeLocalDate(text, language) },
  clock: { pattern: /\d{2}:\d{2}(?::\d{2})?/y, write: unchanged },
  weekday: { pattern: new RegExp(englishWeekday, 'y'), write: (text, { language }) => writeLocalWeekday(text, language) },
  code: { pattern: /[\p{L}\d]+/uy, write: unchanged },
  writtenDate: { pattern: /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/y, write: unchanged },
  comparison: { pattern: />=|<=|!=|[><=≥≤≠]/y, write: unchanged },
  time: { write: (text, { language }) => writeLocalTime(text, language) },
  text: { write: unchanged },
  noun: { write: unchanged },
  formula: { write: (text, { language }) => writeLocalFormula(text, language) },
  quantity: { write: (text, { language }) => writeQuantity(text, language) },
  factors: { write: remarksBy(unitNotes) },
  temperatureRule: { write: temperatureRule },
  span: { write: writeSpan },
  textCount: { write: counted },
  entityCounts: plainList(counted),
  rules: { write: remarksBy(countingRules) },
  duration: { write: fragment(durations) },
  readability: { write: fragment(readabilityLevels) },
  values: { write: fragment(foundValues) },
  languageName: { write: languageName },
  value: { write: writeLocalValue },
  change: { write: change },
  column: { write: writeColumnName },
  columnList: { write: listWriter(writeColumnName, { separators: /, /g, comma: ', ' }) },
  cell: { write: cell },
  shownCell: { write: shownCell },
  ownValue: { write: ownValue },
  cells: { write: withMore(unchanged) },
  cellList: { write: listWriter(cell, { isGreedy: true }) },
  cellValues: { write: listWriter(item, { comma: '; ' }) },
  items: { write: withMore(listWriter(item, { separators: /, /g, comma: '; ' })) },
  choice: { write: listWriter(cell, { separators: / or /g, isGreedy: true }) },
  period: { write: fragment(tableFragments.periods) },
  filters: plainList(fragment(tableFragments.filterNames)),
  groupName: { write: fragment(tableFragments.groupNames) },
  measureName: { write: measureName },
  measure: { write: fragment(tableFragments.measures) },
  measures: plainList(fragment(tableFragments.measures)),
  measureValues: plainList(measureValue),
  parts: { write: fragment(tableFragments.computedParts) },
  how: { write: fragment(tableFragments.howComputed) },
  extreme: { write: fragment(tableFragments.extremeNames) },
  strength: { write: fragment(tableFragments.strengths) },
  rows: { write: fragment(tableFragments.rowCounts) },
  tableSize: { write: fragment(tableFragments.tableSizes) },
  keyedRows: { write: withMore(listWriter(keyedRow, { isGreedy: true })) },
  ...statisticsSlots,
  ...tableAndQuotationSlots,
  ...priceSlots,
  ...formatToolSlots,
}

const isoMonths = 'January February March April May June July August September October November December'.split(' ')

function writeIsoDate(text: string, language: AnswerLanguage): string | undefined {
  const [year = '', month = '', day = ''] = text.split('-')
  return writeLocalDate(`${Number(day)} ${isoMonths[Number(month) - 1] ?? ''} ${year}`, language)
}
