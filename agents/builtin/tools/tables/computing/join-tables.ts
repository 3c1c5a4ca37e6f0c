/** Joins two tables on the columns whose cells match. */
import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'

/** Each cell of `other.key` stands once, so that a row of `table` has at most one match. */
export type TableJoin = {
  readonly table: DataTable
  readonly other: DataTable
  readonly key: TableColumn
  readonly otherKey: TableColumn
}

export type JoinedTable = {
  /** The columns of both tables. Only the rows of the first one, in their order. */
  readonly table: DataTable
  /** Rows of the first table without a match. */
  readonly unmatched: readonly number[]
  /** Rows of the other table without a match. */
  readonly unused: readonly number[]
}

const keyOf = (cell: string | undefined): string => (cell ?? '').trim().toLowerCase()
const distinct = (column: TableColumn): ReadonlySet<string> => new Set(column.cells.map(keyOf).filter((cell) => cell !== ''))

/** Every cell of the column is another one. */
const isUnique = (column: TableColumn, cells: ReadonlySet<string>): boolean =>
  cells.size === column.cells.filter((cell) => keyOf(cell) !== '').length

type Pair = { readonly join: TableJoin; readonly share: number; readonly names: number }
const minShare = 0.3

/** The joins that are possible, the best first. @param named columns that the words name; empty: any */
export function findJoins(first: DataTable, second: DataTable, named: ReadonlySet<TableColumn>): TableJoin[] {
  const pairs: Pair[] = []
  for (const left of first.columns)
    for (const right of second.columns) {
      if (!isNamedPair(left, right, named, [first, second])) continue
      const [a, b] = [distinct(left), distinct(right)]
      const common = [...a].filter((cell) => b.has(cell)).length
      const share = common / Math.max(Math.min(a.size, b.size), 1)
      const names = likeness(left.name, right.name, second.name) + likeness(right.name, left.name, first.name)
      // Small numbers such as quantities match at random.
      const isChance = (left.kind === 'number' || right.kind === 'number') && names === 0
      if (common === 0 || share < minShare || isChance) continue
      if (isUnique(right, b)) pairs.push({ join: { table: first, other: second, key: left, otherKey: right }, share, names })
      else if (isUnique(left, a)) pairs.push({ join: { table: second, other: first, key: right, otherKey: left }, share, names })
    }
  return pairs.sort((a, b) => b.names - a.names || b.share - a.share).map(({ join }) => join)
}

/** Of each table, only the columns that the words name, if they name any. */
function isNamedPair(
  left: TableColumn,
  right: TableColumn,
  named: ReadonlySet<TableColumn>,
  tables: readonly [DataTable, DataTable],
): boolean {
  const [hasLeft, hasRight] = tables.map(({ columns }) => columns.some((column) => named.has(column)))
  return (!hasLeft || named.has(left)) && (!hasRight || named.has(right))
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** 2: the same name. 1: `customer_id` for the column `id` of the file `customers.csv`. */
function likeness(name: string, other: string, file: string): number {
  if (plain(name) === plain(other)) return 2
  const stem = plain(file.replace(/\.[a-z]{2,5}$/i, '')).replace(/s$/, '')
  return stem !== '' && [stem + plain(other), `${stem}s${plain(other)}`].includes(plain(name)) ? 2 : 0
}

/** Every row of the first table, with the cells of its match. @param isInner true: without the rows that have no match */
export function joinTables({ table, other, key, otherKey }: TableJoin, isInner = false): JoinedTable {
  const places = new Map<string, number>()
  otherKey.cells.forEach((cell, row) => {
    if (keyOf(cell) !== '' && !places.has(keyOf(cell))) places.set(keyOf(cell), row)
  })
  const all = key.cells.map((cell, row) => ({ row, match: keyOf(cell) === '' ? undefined : places.get(keyOf(cell)) }))
  const unmatched = all.filter(({ match }) => match === undefined).map(({ row }) => row)
  const used = new Set(all.map(({ match }) => match))
  const rows = isInner ? all.filter(({ match }) => match !== undefined) : all
  const own = table.columns.map(
    (column): TableColumn =>
      pick(
        column,
        rows.map(({ row }) => row),
      ),
  )
  const names = new Set(own.map(({ name }) => name.toLowerCase()))
  const stem = other.name.replace(/\.[a-z]{2,5}$/i, '')
  const added = other.columns
    .filter((column) => column !== otherKey)
    .map((column): TableColumn => {
      const name = names.has(column.name.toLowerCase()) ? `${stem}.${column.name}` : column.name
      return {
        ...pick(
          column,
          rows.map(({ match }) => match),
        ),
        name,
      }
    })
  const columns = [...own, ...added].map((column, index) => ({ ...column, index }))
  return {
    table: { name: table.name, columns, rows: rows.length, notes: [...table.notes, ...other.notes] },
    unmatched,
    unused: Array.from({ length: other.rows }, (_, row) => row).filter((row) => !used.has(row)),
  }
}

/** The cells of some rows; an empty cell where there is none. */
const pick = (column: TableColumn, rows: readonly (number | undefined)[]): TableColumn => ({
  ...column,
  cells: rows.map((row) => (row === undefined ? '' : (column.cells[row] ?? ''))),
  numbers: column.kind === 'number' ? rows.map((row) => (row === undefined ? null : (column.numbers[row] ?? null))) : [],
  times: column.kind === 'time' ? rows.map((row) => (row === undefined ? null : (column.times[row] ?? null))) : [],
})
