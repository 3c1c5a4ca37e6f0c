/** Whether the question tool reads a sentence as intended: the same columns, groups, conditions and counts. */

import type { Measure as QueryMeasure, TableQuery } from '../../../tools/tables/computing/table-query.ts'
import type { TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'
import type { NamedFilter } from './match-words-to-table.ts'
import type { TableMeasure } from './table-suggestion-context.ts'

type QueryIntent = {
  /** Undefined: the rows are counted. */
  readonly measure: TableMeasure | undefined
  /** Undefined: no part has to be grouped. */
  readonly group: TableColumn | undefined
  readonly filters: readonly NamedFilter[]
  /** Sentences. */
  readonly parts: number
}

export const queriesMatchIntent =
  ({ measure, group, filters, parts }: QueryIntent) =>
  (queries: readonly TableQuery[]): boolean => {
    if (queries.length < 1 || queries.length > parts + 1) return false
    return (
      queries.every((query) => hasFilters(query, filters)) && queries.some((query) => hasMeasure(query, measure) && hasGroup(query, group))
    )
  }

export const topQueryMatchesIntent =
  ({ measure, group, filters, count }: Omit<QueryIntent, 'parts'> & { readonly count: number }) =>
  ([query, ...others]: readonly TableQuery[]): boolean => {
    if (!query || others.length > 0 || !hasFilters(query, filters) || !hasMeasure(query, measure)) return false
    if (query.kind === 'numbers') return query.pick?.count === count && hasGroup(query, group)
    return query.kind === 'rows' && query.limit === count && query.columns.some(({ name }) => name === group?.name)
  }

/** True if the query has just these conditions. */
export function hasFilters(query: TableQuery, filters: readonly NamedFilter[]): boolean {
  const given = 'filters' in query ? query.filters : []
  return given.length === filters.length && filters.every(({ column }) => given.some((one) => one.column.name === column.name))
}

function hasGroup(query: TableQuery, group: TableColumn | undefined): boolean {
  if (group === undefined) return true
  return query.kind === 'numbers' && query.groups.length === 1 && query.groups[0]?.column.name === group.name
}

function hasMeasure(query: TableQuery, measure: TableMeasure | undefined): boolean {
  const given =
    query.kind === 'numbers' ? query.numbers.map((one) => one.measure) : query.kind === 'rows' && query.order ? [query.order.measure] : []
  if (given.length === 0) return false
  return measure === undefined ? given.every(({ kind }) => kind === 'rows') : given.some((one) => isSame(one, measure))
}

/** A product becomes a computed column, or is combined of two. */
function isSame(given: QueryMeasure, { columns, name }: TableMeasure): boolean {
  const isPercent = name.startsWith('(')
  if (given.kind === 'combined')
    return columns.length === 2 && columns.every(({ name }) => name === given.left.name || name === given.right.name)
  if (given.kind === 'rows') return false
  return columns.length === 1 && !isPercent
    ? given.column.name === columns[0]?.name
    : columns.every(({ name }) => given.column.name.includes(name))
}
