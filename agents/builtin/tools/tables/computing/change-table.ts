/** Applies changes to a table: computed columns, rows, order, names and columns. */
import { refuse } from '../../../skill.ts'
import { readCondition } from '../reading/question/read-condition.ts'
import type { TableChange } from '../reading/question/read-table-change.ts'
import { type DataTable, listColumns, type TableColumn } from '../reading/table/read-attached-table.ts'
import { indexCells } from '../reading/words/find-cell-values.ts'
import { readWordsWithBrackets } from '../reading/words/read-question-words.ts'
import { selectRows } from './aggregate-rows.ts'
import {
  columnOfFormula,
  columnsOfFormula,
  readTableFormula,
  splitJoinedNames,
  type TableFormula,
  writeTableFormula,
} from './table-formula.ts'

export type ChangedTable = { readonly columns: readonly TableColumn[]; readonly rows: readonly number[]; readonly duplicates: number }

/** @throws {SkillRefused} if a name, a formula or a condition does not fit the table */
export function changeTable(original: DataTable, change: TableChange): ChangedTable {
  const table = (change.computed ?? []).reduce(withComputed, original)
  let rows: readonly number[] = Array.from({ length: table.rows }, (_, row) => row)
  if (change.is_unique) rows = withoutDuplicates(original, rows)
  const duplicates = table.rows - rows.length
  if (change.where !== undefined) rows = filterRows(table, rows, change)
  if (change.sort !== undefined) rows = sortRows(needColumn(table, sortName(change)), rows, change.is_descending === true)
  if (change.limit !== undefined) rows = rows.slice(0, change.limit)
  const removed = (change.dropped ?? []).map((name) => needColumn(table, name))
  const chosen = change.columns && change.columns.length > 0 ? change.columns.map((name) => needColumn(table, name)) : table.columns
  const columns = chosen.filter((column) => !removed.includes(column))
  if (columns.length === 0) refuse('No column is left. Keep at least one.')
  const names = new Map((change.renamed ?? []).map(({ from, to }) => [needColumn(table, from), to]))
  const named = columns.map((column) => ({ ...column, name: names.get(column) ?? column.name }))
  if (new Set(named.map(({ name }) => name.toLowerCase())).size < named.length)
    refuse('Two columns would have the same name. Choose another name.')
  return { columns: named, rows, duplicates }
}

/** "sort by it" means the column that is added. */
const sortName = ({ sort = '', computed = [], renamed = [] }: TableChange): string => {
  const isPronoun = /^(?:it|that|this|the result|(?:that|this|the|the new|new) ?(?:column)?)$/i.test(sort)
  const last = computed.at(-1)
  if (isPronoun && last) return last.name === '' ? last.formula : last.name
  return renamed.find(({ to }) => to.toLowerCase() === sort.toLowerCase())?.from ?? sort
}

/** The column of a name or of a formula that was added without a name. */
function findColumn(table: DataTable, name: string): TableColumn | undefined {
  const lower = name.trim().toLowerCase()
  const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ')
  return (
    table.columns.find((column) => column.name.toLowerCase() === lower) ??
    table.columns.find((column) => plain(column.name) === plain(lower)) ??
    table.columns.find((column) => column.name === formulaName(table, name))
  )
}

const formulaName = (table: DataTable, text: string): string | undefined => {
  const formula = wholeFormula(table, text)
  return formula && writeTableFormula(formula)
}

const needColumn = (table: DataTable, name: string): TableColumn =>
  findColumn(table, name) ?? refuse(`The table has no column “${name.slice(0, 80)}”. Its columns are ${listColumns(table)}.`)

function wholeFormula(table: DataTable, text: string): TableFormula | undefined {
  const words = splitJoinedNames(readWordsWithBrackets(text.replace(/^(?:the |value of |result of )+/i, '')), table)
  const isBracketed = words[0]?.text === '(' && words.at(-1)?.text === ')'
  const found = readTableFormula(words, 0, table) ?? (isBracketed ? readTableFormula(words, 1, table) : undefined)
  return found && (found.end === words.length || (isBracketed && found.end === words.length - 1)) ? found.formula : undefined
}

function withComputed(table: DataTable, { name, formula: text }: { readonly name: string; readonly formula: string }): DataTable {
  const formula =
    wholeFormula(table, text) ??
    refuse(`I cannot read “${text.slice(0, 80)}” as a formula of columns, such as “qty * price”. The columns are ${listColumns(table)}.`)
  const own = name === '' ? writeTableFormula(formula) : name
  if (table.columns.some((column) => column.name.toLowerCase() === own.toLowerCase()))
    refuse(`The table already has a column “${own}”. Give the new one another name.`)
  const column = columnOfFormula(table, own, formula)
  const hasCents = columnsOfFormula(formula).some(({ decimals }) => decimals === 2)
  const numbers = column.numbers.map((value) => (value === null ? null : Number(value.toFixed(column.decimals))))
  const cells = numbers.map((value) => (value === null ? '' : fixedText(value, column.decimals, hasCents)))
  return { ...table, columns: [...table.columns, { ...column, numbers, cells }] }
}

/** As many digits as the formula can have, without zeros at the end. Amounts with cents keep two. */
function fixedText(value: number, decimals: number, hasCents: boolean): string {
  const text = String(value)
  const isShort = (text.split('.')[1]?.length ?? 0) <= 2
  return decimals <= 2 ? value.toFixed(decimals) : hasCents && isShort ? value.toFixed(2) : text
}

function filterRows(table: DataTable, rows: readonly number[], { where = '', is_excluded: isExcluded }: TableChange): readonly number[] {
  const filters =
    readCondition(where.replace(/^(?:where|when|that|by|to|on)\s+/i, ''), { table, cells: indexCells(table) }) ??
    refuse(`I cannot read the condition “${where.slice(0, 80)}”. Use columns and cells of the table, such as “where city is Berlin”.`)
  const selected = new Set(selectRows(table, filters))
  return rows.filter((row) => selected.has(row) !== (isExcluded === true))
}

function withoutDuplicates(table: DataTable, rows: readonly number[]): number[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const key = JSON.stringify(table.columns.map((column) => column.cells[row]))
    return seen.size < seen.add(key).size
  })
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Missing cells come last in both directions. */
function sortRows(column: TableColumn, rows: readonly number[], isDescending: boolean): number[] {
  const sign = isDescending ? -1 : 1
  const compare = (a: number, b: number): number => {
    if (column.kind === 'text') return collator.compare(column.cells[a] ?? '', column.cells[b] ?? '')
    const [x, y] = [a, b].map((row) => (column.kind === 'number' ? column.numbers[row] : column.times[row]?.order))
    return (x ?? 0) - (y ?? 0)
  }
  const isMissing = (row: number): boolean => (column.cells[row] ?? '') === ''
  return rows.toSorted((a, b) => Number(isMissing(a)) - Number(isMissing(b)) || sign * compare(a, b) || a - b)
}
