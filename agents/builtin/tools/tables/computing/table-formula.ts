/** Formulas over the columns of a table, such as `qty × price`, computed exactly row by row. */
import { add, approximateNumber, divide, multiply, type Rational, rational, rationalOfDecimal, subtract } from '../../numbers/rational.ts'
import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'
import { findColumnsCached, isColumnName } from '../reading/words/find-columns.ts'
import type { QuestionWord } from '../reading/words/read-question-words.ts'
import { isAdditive } from './aggregate-rows.ts'
import type { CombinedOperator } from './table-query.ts'

export type TableFormula =
  | { readonly kind: 'column'; readonly column: TableColumn }
  | { readonly kind: 'constant'; readonly text: string; readonly isPercent: boolean }
  | { readonly kind: 'operation'; readonly operator: CombinedOperator; readonly left: TableFormula; readonly right: TableFormula }

const operatorPhrases: readonly (readonly [phrase: string, operator: CombinedOperator])[] = [
  ['multiplied by', '*'],
  ['multiplied with', '*'],
  ['times', '*'],
  ['x', '*'],
  ['×', '*'],
  ['·', '*'],
  ['*', '*'],
  ['divided by', '/'],
  ['÷', '/'],
  ['/', '/'],
  ['plus', '+'],
  ['+', '+'],
  ['minus', '-'],
  ['−', '-'],
  ['–', '-'],
  ['-', '-'],
]

/** The place of a reader in the words. */
type Place = { at: number; readonly words: readonly QuestionWord[]; readonly columns: ReadonlyMap<number, FoundColumn> }
type FoundColumn = { readonly column: TableColumn; readonly end: number }

const maxOperands = 12

/** The formula that starts at a word, and the place of the word after it. Undefined without an operator. */
export function readTableFormula(
  words: readonly QuestionWord[],
  start: number,
  table: DataTable,
): { readonly formula: TableFormula; readonly end: number } | undefined {
  const columns = new Map<number, FoundColumn>()
  for (const { start: from, end, column } of findColumnsCached(words, table))
    if (column.kind === 'number') columns.set(from, { column, end })
  const place: Place = { at: start, words, columns }
  const formula = readMultiplication(place) ?? readSum(place, 0)
  return formula?.kind === 'operation' ? { formula, end: place.at } : undefined
}

const wordAt = ({ words }: Place, at: number): string => words[at]?.lower ?? ''

/** "multiply A by B", "the product of A and B". */
function readMultiplication(place: Place): TableFormula | undefined {
  const start = place.at
  const isProduct = wordAt(place, start) === 'product' && wordAt(place, start + 1) === 'of'
  if (!isProduct && !['multiply', 'multiplying'].includes(wordAt(place, start))) return undefined
  place.at += isProduct ? 2 : 1
  const left = readOperand(place, 0)
  const isJoined = left && (isProduct ? ['and'] : ['by', 'with', 'and']).includes(wordAt(place, place.at))
  if (isJoined) place.at++
  const right = isJoined ? readOperand(place, 0) : undefined
  if (left && right) return { kind: 'operation', operator: '*', left, right }
  place.at = start
  return undefined
}

function readOperator(place: Place, wanted: readonly CombinedOperator[]): CombinedOperator | undefined {
  for (const [phrase, operator] of operatorPhrases) {
    const parts = phrase.split(' ')
    if (!wanted.includes(operator) || !parts.every((part, index) => wordAt(place, place.at + index) === part)) continue
    place.at += parts.length
    return operator
  }
  return undefined
}

/** Left-associative operators of one rank. An operator without an operand after it is not taken. */
function readChain(place: Place, wanted: readonly CombinedOperator[], readPart: () => TableFormula | undefined): TableFormula | undefined {
  let left = readPart()
  for (let count = 0; left && count < maxOperands; count++) {
    const before = place.at
    const operator = readOperator(place, wanted)
    const right = operator && readPart()
    if (!operator || !right) {
      place.at = before
      return left
    }
    left = { kind: 'operation', operator, left, right }
  }
  return left
}

const readSum = (place: Place, depth: number): TableFormula | undefined =>
  readChain(place, ['+', '-'], () => readChain(place, ['*', '/'], () => readOperand(place, depth)))

function readOperand(place: Place, depth: number): TableFormula | undefined {
  const start = place.at
  while (['the', 'its'].includes(wordAt(place, place.at)) && !place.columns.has(place.at)) place.at++
  const found = place.columns.get(place.at)
  if (found) {
    place.at = found.end
    return { kind: 'column', column: found.column }
  }
  const word = place.words[place.at]
  if (word?.kind === 'number' && Number.isFinite(word.value)) {
    place.at++
    return { kind: 'constant', text: String(word.value), isPercent: word.text.endsWith('%') }
  }
  if (word?.text === '(' && depth < 5) {
    place.at++
    const inner = readSum(place, depth + 1)
    if (inner && wordAt(place, place.at) === ')') {
      place.at++
      return inner
    }
  }
  place.at = start
  return undefined
}

/** Words such as `price/qty` that join two columns, divided into their parts. */
export function splitJoinedNames(words: readonly QuestionWord[], table: DataTable): QuestionWord[] {
  return words.flatMap((word): QuestionWord[] => {
    const parts = word.kind === 'word' ? word.text.split(/([-/])/) : []
    if (parts.length < 3 || isColumnName(word.text, table)) return [word]
    if (!parts.every((part, index) => index % 2 === 1 || isColumnName(part, table))) return [word]
    return parts.map((part, index) =>
      index % 2 === 1
        ? { text: part, lower: part, stem: part, kind: 'mark', value: Number.NaN }
        : { ...word, text: part, lower: part.toLowerCase(), stem: part.toLowerCase() },
    )
  })
}

/** All columns of a formula. */
export const columnsOfFormula = (formula: TableFormula): readonly TableColumn[] =>
  formula.kind === 'operation'
    ? [...columnsOfFormula(formula.left), ...columnsOfFormula(formula.right)]
    : formula.kind === 'column'
      ? [formula.column]
      : []

const signs: { readonly [operator in CombinedOperator]: string } = { '-': '−', '+': '+', '*': '×', '/': '÷' }
const rankOf = (operator: CombinedOperator): number => (operator === '*' || operator === '/' ? 2 : 1)

/** `qty × (price − discount)`. */
export function writeTableFormula(formula: TableFormula): string {
  if (formula.kind === 'column') return formula.column.name
  if (formula.kind === 'constant') return formula.isPercent ? `${formula.text}%` : formula.text
  const { operator, left, right } = formula
  const side = (one: TableFormula, isRight: boolean): string => {
    const isLower =
      one.kind === 'operation' &&
      (rankOf(one.operator) < rankOf(operator) ||
        (isRight && rankOf(one.operator) === rankOf(operator) && (operator === '-' || operator === '/')))
    return isLower ? `(${writeTableFormula(one)})` : writeTableFormula(one)
  }
  return `${side(left, false)} ${signs[operator]} ${side(right, true)}`
}

const hundred = rational(100n)

/** The value in a row: null where a cell is missing or a division has no result. */
export function evaluateTableFormula(formula: TableFormula, row: number): Rational | null {
  if (formula.kind === 'constant')
    return formula.isPercent ? divide(rationalOfDecimal(formula.text), hundred) : rationalOfDecimal(formula.text)
  if (formula.kind === 'column') {
    const value = formula.column.numbers[row] ?? null
    if (value === null) return null
    return formula.column.unit === '%' ? divide(rationalOfDecimal(String(value)), hundred) : rationalOfDecimal(String(value))
  }
  const left = evaluateTableFormula(formula.left, row)
  const right = evaluateTableFormula(formula.right, row)
  if (left === null || right === null) return null
  // "price + 20%" raises the price by 20 percent of it.
  const isRelative = formula.right.kind === 'constant' && formula.right.isPercent && rankOf(formula.operator) === 1
  const amount = isRelative ? multiply(left, right) : right
  switch (formula.operator) {
    case '+':
      return add(left, amount)
    case '-':
      return subtract(left, amount)
    case '*':
      return multiply(left, amount)
    case '/':
      return amount.n === 0n ? null : divide(left, amount)
  }
}

function decimalsOf(formula: TableFormula): number {
  if (formula.kind === 'column') return formula.column.decimals + (formula.column.unit === '%' ? 2 : 0)
  if (formula.kind === 'constant') return (formula.text.split('.')[1]?.length ?? 0) + (formula.isPercent ? 2 : 0)
  const [left, right] = [decimalsOf(formula.left), decimalsOf(formula.right)]
  const isRelative = formula.right.kind === 'constant' && formula.right.isPercent
  if (formula.operator === '/') return Math.max(left, 4)
  return formula.operator === '*' || isRelative ? left + right : Math.max(left, right)
}

/** True if the sum of the formula over rows is an amount itself. */
function isAmountFormula(formula: TableFormula): boolean {
  if (formula.kind === 'column') return isAdditive(formula.column)
  if (formula.kind === 'constant') return false
  const [left, right] = [isAmountFormula(formula.left), isAmountFormula(formula.right)]
  if (formula.operator === '*') return left || right
  if (formula.operator === '/') return left && formula.right.kind === 'constant'
  return left && (right || (formula.right.kind === 'constant' && formula.right.isPercent))
}

function unitOf(formula: TableFormula): string {
  const units = new Set(
    columnsOfFormula(formula)
      .map(({ unit }) => unit)
      .filter((unit) => unit !== '' && unit !== '%'),
  )
  const isDivision = formula.kind === 'operation' && formula.operator === '/'
  return units.size === 1 && !isDivision ? ([...units][0] ?? '') : ''
}

/** A column of the values of a formula. */
export function columnOfFormula(table: DataTable, name: string, formula: TableFormula): TableColumn {
  const values = Array.from({ length: table.rows }, (_, row) => evaluateTableFormula(formula, row))
  const decimals = Math.min(decimalsOf(formula), 10)
  const numbers = values.map((value) => (value === null ? null : approximateNumber(value)))
  return {
    name,
    index: table.columns.length,
    kind: 'number',
    cells: numbers.map((value) => (value === null ? '' : String(Number(value.toFixed(decimals))))),
    numbers,
    times: [],
    unit: unitOf(formula),
    decimals,
    isAmount: isAmountFormula(formula),
  }
}
