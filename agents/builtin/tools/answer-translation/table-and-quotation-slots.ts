/** Slots for rows that a table tool names: where a value stands, repeats or is missing. */
import type { InEachLanguage } from './answer-languages.ts'
import { fragment, listWriter, withMore } from './list-writer.ts'
import type { SlotKind, SlotWriter } from './sentence-template.ts'
import { tableFragments } from './table-fragments.ts'
import { translateLineReport, writeLineNeed } from './translate-line-report.ts'
import { writeColumnName } from './write-column-name.ts'
import { writeLocalNumber } from './write-local-number.ts'
import { writeLocalValue } from './write-local-value.ts'

const rowWords: InEachLanguage<(n: string) => string> = {
  de: (n) => `Zeile ${n}`,
  fr: (n) => `ligne ${n}`,
  es: (n) => `fila ${n}`,
  zh: (n) => `第 ${n} 行`,
}
const inWords: InEachLanguage<(what: string, where: string) => string> = {
  de: (what, where) => `${what} in ${where}`,
  fr: (what, where) => `${what} à la ${where}`,
  es: (what, where) => `${what} en la ${where}`,
  zh: (what, where) => `${what}（${where}）`,
}
const rowsWords: InEachLanguage<(what: string, numbers: string) => string> = {
  de: (what, numbers) => `${what} in den Zeilen ${numbers}`,
  fr: (what, numbers) => `${what} aux lignes ${numbers}`,
  es: (what, numbers) => `${what} en las filas ${numbers}`,
  zh: (what, numbers) => `${what}（第 ${numbers} 行）`,
}

/** `row 3 (02.02.2026, Meier GmbH)` with cells of the row. */
const rowName: SlotWriter = (text, { language }) => {
  const [, number, cells] = /^row ([\d,]+)( \(.+\))?$/s.exec(text) ?? []
  return number === undefined ? undefined : `${rowWords[language](writeLocalNumber(number, language))}${cells ?? ''}`
}

const betweenRows = /(?:, | and )(?=row )/g
const rowNames = withMore(listWriter(rowName, { separators: betweenRows }))

const missingCells: SlotWriter = (text, context) => {
  const [, name = '', rows = ''] = /^(.+?) in (row .+)$/s.exec(text) ?? []
  const [column, places] = [writeColumnName(name, context), rowNames(rows, context)]
  return column === undefined || places === undefined ? undefined : inWords[context.language](column, places)
}

const outlier: SlotWriter = (text, context) => {
  const [, number = '', row = ''] = /^(.+?) in (row .+)$/s.exec(text) ?? []
  const [value, place] = [writeLocalValue(number, context), rowName(row, context)]
  return value === undefined || place === undefined ? undefined : inWords[context.language](value, place)
}

const numberInWords: SlotWriter = (text) => (/^\d+$/.test(text) ? text : undefined)

/** `Ana in rows 1 and 5`. */
const repeatedCells: SlotWriter = (text, context) => {
  const [, cells, numbers = ''] = /^(.+) in rows ([\d, and]+)$/s.exec(text) ?? []
  const written = listWriter(numberInWords)(numbers, context)
  return cells === undefined || written === undefined ? undefined : rowsWords[context.language](cells, written)
}

const withAll: InEachLanguage = { de: 'mit allen Werten', fr: 'avec toutes les valeurs', es: 'con todos los valores', zh: '含全部值' }
const withoutOne: InEachLanguage<readonly [one: string, many: string]> = {
  de: ['ohne 1 Ausreißer', 'ohne {n} Ausreißer'],
  fr: ['sans 1 valeur aberrante', 'sans {n} valeurs aberrantes'],
  es: ['sin 1 valor atípico', 'sin {n} valores atípicos'],
  zh: ['去除 1 个离群值', '去除 {n} 个离群值'],
}

/** `with all values 31.03 (6 rows)`, `without 1 outlier 20.24 (5 rows)`, or either with `no value`. */
const average: SlotWriter = (text, context) => {
  const { language } = context
  const [, all, count, number = '', rows] =
    /^(?:(with all values)|without ([\d,]+) outliers?) (no value|\S+(?: \S+)?)(?: \(([^()]+)\))?$/.exec(text) ?? []
  if (all === undefined && count === undefined) return undefined
  const how =
    all === undefined
      ? withoutOne[language][count === '1' ? 0 : 1].replace('{n}', writeLocalNumber(count ?? '', language))
      : withAll[language]
  const [value, size] = [writeLocalValue(number, context), rows === undefined ? '' : fragment(tableFragments.rowCounts)(rows, context)]
  return value === undefined || size === undefined ? undefined : `${how} ${value}${size === '' ? '' : ` (${size})`}`
}

const quotationMarks: InEachLanguage<readonly [string, string]> = {
  de: ['„', '“'],
  fr: ['«\u00A0', '\u00A0»'],
  es: ['«', '»'],
  zh: ['“', '”'],
}

/** `“name”`, of which the name is written by a slot. */
const quoted =
  (write: SlotWriter): SlotWriter =>
  (text, context) => {
    const inside = /^“(.+)”$/s.exec(text)?.[1]
    const written = inside === undefined || inside.includes('”') ? undefined : write(inside, context)
    return written === undefined ? undefined : quotationMarks[context.language].join(written)
  }

const chartKinds: { readonly [kind: string]: InEachLanguage } = {
  'Bar chart': { de: 'Balkendiagramm', fr: 'Diagramme en barres', es: 'Gráfico de barras', zh: '柱状图' },
  'Line chart': { de: 'Liniendiagramm', fr: 'Courbe', es: 'Gráfico de líneas', zh: '折线图' },
  'Pie chart': { de: 'Kreisdiagramm', fr: 'Diagramme circulaire', es: 'Gráfico circular', zh: '饼图' },
}

const statisticsForms: InEachLanguage<(mean: string, median: string, low: string, high: string) => string> = {
  de: (mean, median, low, high) => `Mittelwert ${mean}, Median ${median}, von ${low} bis ${high}`,
  fr: (mean, median, low, high) => `moyenne ${mean}, médiane ${median}, de ${low} à ${high}`,
  es: (mean, median, low, high) => `media ${mean}, mediana ${median}, de ${low} a ${high}`,
  zh: (mean, median, low, high) => `平均值 ${mean}，中位数 ${median}，从 ${low} 到 ${high}`,
}

/** `Visits: mean 1,368.75, median 1,387.5, from 1,200 to 1,500`. */
const columnStatistics: SlotWriter = (text, context) => {
  const [, name = '', ...numbers] = /^(.+): mean (\S+), median (\S+), from (\S+) to (\S+)$/s.exec(text) ?? []
  const [column, ...values] = [writeColumnName(name, context), ...numbers.map((one) => (one === '–' ? one : writeLocalValue(one, context)))]
  const [mean, median, low, high] = values
  if (column === undefined || mean === undefined || median === undefined || low === undefined || high === undefined) return undefined
  return `${column}${context.language === 'fr' ? '\u00A0' : ''}: ${statisticsForms[context.language](mean, median, low, high)}`
}

const timesForms: InEachLanguage<(word: string, count: string) => string> = {
  de: (word, count) => (count === '0' ? `${word} kommt nicht vor` : `${word} ${count === '1' ? 'einmal' : `${count}-mal`}`),
  fr: (word, count) => (count === '0' ? `${word} n'apparaît pas` : `${word} ${count === '1' ? 'une' : count} fois`),
  es: (word, count) => (count === '0' ? `${word} no aparece` : `${word} ${count === '1' ? 'una vez' : `${count} veces`}`),
  zh: (word, count) => (count === '0' ? `${word}没有出现` : `${word}${count === '1' ? '一次' : ` ${count} 次`}`),
}

/** `“Ana” 3 times`. */
const redactedWord: SlotWriter = (text, context) => {
  const [, word = '', how = '', count] = /^(“[^”]+”) (once|does not occur|(\d+) times)$/s.exec(text) ?? []
  const written = quoted((one) => one)(word, context)
  return written === undefined ? undefined : timesForms[context.language](written, count ?? (how === 'once' ? '1' : '0'))
}

export const tableAndQuotationSlots: { readonly [kind: string]: SlotKind } = {
  missingCells: { write: listWriter(missingCells, { separators: /; /g }) },
  outliers: { write: withMore(listWriter(outlier)) },
  averages: { write: listWriter(average) },
  quotedColumns: { write: listWriter(quoted(writeColumnName)) },
  quotedNames: { write: listWriter(quoted((text) => text)) },
  quotedWords: { write: listWriter(quoted((text) => text)) },
  columnNames: { write: withMore(listWriter((text, context) => (context.isInFile(text) ? text : undefined), { isGreedy: true })) },
  chartKind: { pattern: /(?:Bar|Line|Pie) chart/y, write: (text, { language }) => chartKinds[text]?.[language] },
  columnStatistics: { write: listWriter(columnStatistics, { separators: /; /g }) },
  redactedWords: { write: listWriter(redactedWord, { separators: /, (?=“)/g }) },
  lineReport: { write: translateLineReport },
  lineNeed: { write: writeLineNeed },
  repeatedCells: { write: withMore(listWriter(repeatedCells)) },
}
