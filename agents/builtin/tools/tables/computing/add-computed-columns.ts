/** Reads the formulas and the names of amounts in a question as computed columns. */

import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'
import { type ColumnMention, findColumns, findColumnsCached } from '../reading/words/find-columns.ts'
import { type QuestionWord, readWordsWithBrackets } from '../reading/words/read-question-words.ts'
import {
  columnOfFormula,
  columnsOfFormula,
  readTableFormula,
  splitJoinedNames,
  type TableFormula,
  writeTableFormula,
} from './table-formula.ts'

/** The question with its computed columns as quoted names, and the table that has them. */
export type ComputedQuestion = { readonly words: readonly QuestionWord[]; readonly table: DataTable; readonly notes: readonly string[] }

const quantityName =
  /^(?:qty|quantity|quantities|units?|pieces|pcs|count|units sold|quantity sold|sold|items sold|menge|anzahl|stück|cantidad|unidades|quantité|数量|件数)\.?$/i
const priceName =
  /^(?:(?:unit|item|single|sales?|selling|net|gross|retail|list) ?)?price(?: (?:per|each|a) ?(?:unit|piece|item)?| each| ?(?:eur|usd|gbp|chf))?$|^(?:unit cost|cost per unit|price per (?:unit|piece|item)|stückpreis|einzelpreis|preis|precio|precio unitario|prix|prix unitaire|单价|价格)$/i
const totalName =
  /amount|revenue|sales|total|turnover|income|proceeds|betrag|umsatz|summe|gesamt|erlös|importe|monto|montant|金额|总额|销售额/i

const plainName = (column: TableColumn): string =>
  column.name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[([].*$/, '')
    .replace(/[_,.-]+/g, ' ')
    .trim()
const numbersLike = (table: DataTable, pattern: RegExp): readonly TableColumn[] =>
  table.columns.filter((column) => column.kind === 'number' && pattern.test(plainName(column)))

/** The only column of quantities. */
export function quantityColumn(table: DataTable): TableColumn | undefined {
  const [first, ...others] = numbersLike(table, quantityName)
  return others.length === 0 ? first : undefined
}

/** The only column of amounts of money that are no prices, taxes or fees. */
function totalColumn(table: DataTable): TableColumn | undefined {
  const [first, ...others] = numbersLike(table, totalName).filter(
    (column) => !/price|tax|discount|shipping|fee|rate/i.test(column.name) && !quantityName.test(plainName(column)),
  )
  return others.length === 0 ? first : undefined
}

/** Quantity times unit price, if the table has one column of each and none of totals. */
export function orderValue(table: DataTable): TableFormula | undefined {
  const quantity = quantityColumn(table)
  const [price, ...others] = numbersLike(table, priceName)
  if (!quantity || !price || others.length > 0 || numbersLike(table, totalName).some((column) => column !== price && column !== quantity))
    return undefined
  return {
    kind: 'operation',
    operator: '*',
    left: { kind: 'column', column: quantity },
    right: { kind: 'column', column: price },
  }
}

/** A computed column of the order value, with its formula as the name. */
export function orderValueColumn(table: DataTable): TableColumn | undefined {
  const formula = orderValue(table)
  return formula && columnOfFormula(table, writeTableFormula(formula), formula)
}

/** Words that name an amount before its formula. */
const labels = new Set(
  'revenue revenues spend spending spent turnover sales value amount income cost costs price profit profits margin worth money expenditure subtotal earnings takings proceeds payment bill fee gross net line order item'.split(
    ' ',
  ),
)
const connectors = new Set(
  '= is as meaning means being i.e ie e.g which calculated computed defined given that equals equal to by , : from'.split(' '),
)

/** Different formulas of one question. Each is computed for every row. */
const maxFormulas = 4

/** Replaces formulas, then names of amounts without a column. */
export function addComputedColumns(question: readonly QuestionWord[], table: DataTable): ComputedQuestion {
  const state: State = { words: splitJoinedNames(withWholeNames(question, table), table), table, notes: [] }
  for (let at = 0; at < state.words.length && state.table.columns.length < table.columns.length + maxFormulas; at++)
    at = replaceFormula(state, at) ?? at
  replaceAmounts(state)
  return { ...state, words: state.words.filter(({ text, kind }) => kind !== 'mark' || !'()'.includes(text)) }
}

/** A heading such as `Mark /100` is a name and no formula, where it stands in full. */
function withWholeNames(question: readonly QuestionWord[], table: DataTable): readonly QuestionWord[] {
  const headings = table.columns
    .map(({ name }) => ({ name, words: readWordsWithBrackets(name) }))
    .filter(({ words }) => words.length > 1 && words.some(({ kind, text }) => kind === 'mark' && '/*+×÷−-'.includes(text)))
  return headings.reduce((words, { name, words: heading }) => {
    let named = words
    for (let at = 0; at + heading.length <= named.length; at++)
      if (heading.every(({ lower }, index) => named[at + index]?.lower === lower))
        named = named.toSpliced(at, heading.length, nameWord(name))
    return named
  }, question)
}

type State = { words: QuestionWord[]; table: DataTable; readonly notes: string[] }

const nameWord = (name: string): QuestionWord => ({ text: name, lower: name.toLowerCase(), stem: '', kind: 'quoted', value: Number.NaN })

function addColumn(state: State, name: string, formula: TableFormula): QuestionWord {
  const found = state.table.columns.find((column) => column.name === name)
  if (!found) state.table = { ...state.table, columns: [...state.table.columns, columnOfFormula(state.table, name, formula)] }
  return nameWord(name)
}

/** The place of the last replaced word, or undefined where no formula starts. */
function replaceFormula(state: State, at: number): number | undefined {
  const isOpen = state.words[at]?.text === '('
  const inner = isOpen ? innerStart(state, at + 1) : { start: at, label: undefined }
  const found = readTableFormula(state.words, inner.start, state.table)
  const isBracketed = isOpen && found !== undefined && state.words[found.end]?.text === ')'
  const read = isBracketed ? { ...found, end: found.end + 1 } : isOpen ? undefined : found
  if (!read || !isClear(read.formula, isBracketed)) return undefined
  const named = labelBefore(state, at, isBracketed)
  const label = inner.label ?? named.label
  const formulaText = writeTableFormula(read.formula)
  const word = addColumn(state, label === undefined ? formulaText : `${label} (${formulaText})`, read.formula)
  const isElsewhere = label !== undefined && named.isDefinition && renameLabel(state, label, { before: named.start, word })
  state.words = state.words.toSpliced(named.start, read.end - named.start, ...(isElsewhere ? [] : [word]))
  return isElsewhere ? named.start - 1 : named.start
}

/** "(revenue = qty x price)" has its label inside. */
function innerStart(state: State, at: number): { readonly start: number; readonly label: string | undefined } {
  const label = state.words[at]?.lower ?? ''
  let start = at + 1
  while (connectors.has(state.words[start]?.lower ?? '')) start++
  return labels.has(label) && start > at + 1 ? { start, label } : { start: at, label: undefined }
}

/** A product, a constant or three operands are a formula. A difference or ratio of two columns has readers of its own. */
function isClear(formula: TableFormula, isBracketed: boolean): boolean {
  if (formula.kind !== 'operation' || columnsOfFormula(formula).length === 0) return false
  const isPair = formula.left.kind === 'column' && formula.right.kind === 'column'
  return formula.operator === '*' || !isPair || (isBracketed && formula.operator !== '/')
}

type FoundLabel = { readonly start: number; readonly label: string | undefined; readonly isDefinition: boolean }

/** The label right before a formula: "spend (…)", "where revenue is …". */
function labelBefore({ words, table }: State, at: number, isBracketed: boolean): FoundLabel {
  let place = at - 1
  while (place >= 0 && connectors.has(words[place]?.lower ?? '')) place--
  const isConnected = place < at - 1
  const lower = words[place]?.lower ?? ''
  const isColumn = findColumnsCached(words, table).some(({ start, end, how }) => how === 'name' && place >= start && place < end)
  if (!labels.has(lower) || (!isConnected && !isBracketed && !isColumn)) return { start: at, label: undefined, isDefinition: false }
  if (!isConnected && !isBracketed) return { start: at, label: undefined, isDefinition: false }
  const isPair = ['line', 'order', 'item', 'net', 'gross'].includes(words[place - 1]?.lower ?? '')
  const start = isPair ? place - 1 : place
  const label = words
    .slice(start, place + 1)
    .map((word) => word.lower)
    .join(' ')
  const isClause = isConnected && ['where', 'with', 'when', 'whereby', 'and', ','].includes(words[start - 1]?.lower ?? '')
  return { start: isClause ? start - 1 : start, label, isDefinition: isConnected }
}

/** Puts the computed column where its label stands before the definition. */
function renameLabel(state: State, label: string, { before, word }: { readonly before: number; readonly word: QuestionWord }): boolean {
  const at = state.words.findIndex(({ lower }, index) => index < before && lower === label)
  if (at < 0) return false
  state.words = state.words.with(at, word)
  return true
}

const amountWords = new Set(
  'revenue revenues turnover money income earnings takings proceeds expenditure expenses expense spend spends spending spent'.split(' '),
)
/** Amounts only where no other number is asked for. */
const weakAmountWords = new Set('sales value amount worth cost costs'.split(' '))

/** True where a column of texts or times is named: "cost per customer". */
const isNamedAt = (mentions: readonly ColumnMention[], at: number): boolean =>
  mentions.some(({ start, end, column }) => at >= start && at < end && column.kind !== 'number')

/** "revenue" in a table of quantities and prices is their product; in a table with a total, it is that. */
function replaceAmounts(state: State): void {
  const mentions = findColumns(state.words, state.table)
  const isNumberNamed = mentions.some(({ column, how }) => column.kind === 'number' && how !== 'synonym')
  const formula = orderValue(state.table)
  const total = formula ? undefined : totalColumn(state.table)
  state.words.forEach(({ lower }, at) => {
    const isAmount = amountWords.has(lower) || (weakAmountWords.has(lower) && !isNumberNamed)
    const mention = mentions.find(({ start, end }) => at >= start && at < end)
    const isCounted = /^(?:many|number|most|fewest|fewer|count)$/.test(state.words[at - 1]?.lower ?? '') && lower === 'sales'
    const isUnitCost = lower.startsWith('cost') && /^(?:per|each)$/.test(state.words[at + 1]?.lower ?? '') && !isNamedAt(mentions, at + 2)
    const isNamed = mention && !(mention.how === 'synonym' && formula && columnsOfFormula(formula).includes(mention.column))
    // "total amount spent" names one amount.
    const isVerb =
      /^sp/.test(lower) &&
      state.words[at - 1] !== undefined &&
      (state.words[at - 1]?.kind === 'quoted' || amountWords.has(state.words[at - 1]?.lower ?? ''))
    if (!isAmount || isNamed || isCounted || isUnitCost || isVerb) return
    if (formula) {
      const name = `${lower.startsWith('sp') ? 'spend' : lower} (${writeTableFormula(formula)})`
      state.words[at] = addColumn(state, name, formula)
      state.notes.push(`The table has no column “${lower}”; it is computed as ${writeTableFormula(formula)}.`)
    } else if (total && amountWords.has(lower) && !/^sp/.test(lower)) {
      state.words[at] = nameWord(total.name)
      state.notes.push(`“${lower}” is read as the column “${total.name}”.`)
    }
  })
}

/** "Revenue is qty * price." as a part of its own: its label, and its formula as written. */
export function readDefinition(part: string, table: DataTable): { readonly label: string; readonly formula: string } | undefined {
  const [, label = '', formula = ''] =
    /^(?:(?:where|with|and|the|note|by) )*([A-Za-z]{3,20})\s*(?:=|\bis\b|\bmeans\b|\bequals\b|:)\s*(.{3,200})$/i.exec(part.trim()) ?? []
  const words = splitJoinedNames(readWordsWithBrackets(formula), table)
  const found = labels.has(label.toLowerCase()) ? readTableFormula(words, 0, table) : undefined
  return found && found.end === words.length && columnsOfFormula(found.formula).length > 0
    ? { label: label.toLowerCase(), formula }
    : undefined
}
