/** Writes the tables of an answer in a language: what the tool computed, and not what the file has. */
import type { InEachLanguage } from './answer-languages.ts'
import { fragment } from './list-writer.ts'
import type { AnswerContext } from './sentence-template.ts'
import { tableFragments } from './table-fragments.ts'
import { writeLocalTime } from './write-local-date.ts'
import { writeLocalValue } from './write-local-value.ts'

/** Words of the tools: `English = German; French; Spanish; Chinese`. */
const wordLines = `
Number = Zahl; Nombre; Número; 数值
Value = Wert; Valeur; Valor; 值
Share = Anteil; Part; Proporción; 占比
Column = Spalte; Colonne; Columna; 列
Row = Zeile; Ligne; Fila; 行
Rows = Zeilen; Lignes; Filas; 行
Outlier = Ausreißer; Valeur aberrante; Valor atípico; 离群值
Where = Wo; Où; Dónde; 位置
Missing = Fehlend; Manquantes; Faltan; 缺失
Repeated = Mehrfach; Répété; Repetido; 重复项
Times = Anzahl; Fois; Veces; 次数
Kind = Art; Type; Tipo; 类型
Filled = Gefüllt; Remplies; Rellenas; 已填
Minimum = Minimum; Minimum; Mínimo; 最小值
25 % = 25 %; 25 %; 25 %; 25%
Median = Median; Médiane; Mediana; 中位数
Mean = Mittelwert; Moyenne; Media; 平均值
75 % = 75 %; 75 %; 75 %; 75%
Maximum = Maximum; Maximum; Máximo; 最大值
Standard deviation = Standardabweichung; Écart type; Desviación estándar; 标准差
Different = Verschieden; Différentes; Distintas; 不同值
Most frequent = Am häufigsten; Plus fréquent; Más frecuente; 最常见
number = Zahl; nombre; número; 数字
`
const words = new Map<string, InEachLanguage>(
  wordLines.split('\n').flatMap((line) => {
    const [english = '', others] = line.split(' = ')
    const [de = '', fr = '', es = '', zh = ''] = (others ?? '').split(';').map((one) => one.trim())
    return others === undefined ? [] : [[english, { de, fr, es, zh }] as const]
  }),
)

/** A table of these columns lists nothing of the file, regardless of the names that the file has. */
const ownTables = [
  ['Number', 'Value'],
  ['Column', 'Row', 'Outlier', 'Where'],
  ['Column', 'Missing', 'Rows'],
  ['Repeated', 'Times', 'Rows'],
  ['Column', 'Kind', 'Filled'],
  ['Column', 'Filled', 'Missing', 'Different'],
]

const cellsOf = (line: string): string[] => line.slice(2, -2).split(/ (?<!\\)\| /)
const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const changes: InEachLanguage<(what: string) => string> = {
  de: (what) => `Änderung: ${what}`,
  fr: (what) => `variation : ${what}`,
  es: (what) => `variación: ${what}`,
  zh: (what) => `${what}的变化`,
}

/** A measure, such as `Sum of Umsatz`; undefined if it is a name of the file. */
function writeMeasure(text: string, context: AnswerContext): string | undefined {
  const change = /^Change of (.+)$/.exec(text)?.[1]
  const written = fragment(tableFragments.measures)(change ?? text, context)
  return change === undefined || written === undefined ? written : changes[context.language](written)
}

const isMeasure = (head: string): boolean =>
  /^(?:(?:Sum|Average|Median|Lowest|Highest|Range|Standard deviation|Number|Different cells|Change) of |Number of rows$)/.test(head)

type Column = { readonly head: string; readonly write: (cell: string) => string }
const keep = (cell: string): string => cell

const moreRows: InEachLanguage<(count: string) => string> = {
  de: (count) => `… und ${count} weitere`,
  fr: (count) => `… et ${count} de plus`,
  es: (count) => `… y ${count} más`,
  zh: (count) => `… 另有 ${count} 行`,
}

/** `isOwn`: no heading is a name of the file. */
function columnOf(head: string, isOwn: boolean, context: AnswerContext): Column {
  const { language, isInFile } = context
  const word = words.get(head)?.[language]
  const value = (cell: string): string => writeLocalValue(cell, context) ?? words.get(cell)?.[language] ?? cell
  if (isOwn && head === 'Number') return { head: word ?? head, write: (cell) => writeMeasure(cell, context) ?? cell }
  // Cells of the file, and lists of row numbers.
  if (isOwn && /^(?:Column|Outlier|Where|Repeated|Rows|Most frequent)$/.test(head)) return { head: word ?? head, write: keep }
  if (isOwn || (word !== undefined && !isInFile(head))) return { head: word ?? head, write: value }
  if (isMeasure(head)) return { head: writeMeasure(head, context) ?? head, write: value }
  const time = (cell: string): string => {
    const more = /^… and (\d+) more$/.exec(cell)?.[1]
    if (more !== undefined) return moreRows[language](more)
    return isInFile(cell) ? cell : (writeLocalTime(cell, language) ?? cell)
  }
  if (isInFile(head)) return { head, write: time }
  const group = fragment(tableFragments.groupNames)(head, context)
  return group === undefined ? { head: writeMeasure(head, context) ?? head, write: value } : { head: group, write: time }
}

/** All lines of a table in Markdown. What the file has stays as it is. */
export function translateTable(lines: readonly string[], context: () => AnswerContext): string[] {
  const [head = '', rule = '', ...rows] = lines
  const heads = cellsOf(head)
  const isOwn = ownTables.some((own) => own.every((name, index) => heads[index] === name))
  // “Share” beside a computed measure is computed.
  const isComputed = heads.some(isMeasure)
  const columns = heads.map((one) => columnOf(one, isOwn || (isComputed && one === 'Share'), context()))
  return [
    lineOf(columns.map((column) => column.head)),
    rule,
    ...rows.map((row) => lineOf(cellsOf(row).map((cell, index) => columns[index]?.write(cell) ?? cell))),
  ]
}
