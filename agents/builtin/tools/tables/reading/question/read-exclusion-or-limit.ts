/** Limits on all rows that a goal states beside its questions, such as "ignore the cancelled ones". */

import type { Comparison, TableFilter, TableQuery } from '../../computing/table-query.ts'
import { rowNounOf } from '../words/stop-words.ts'
import type { ReadTableContext } from './question-reading.ts'
import { readCondition } from './read-condition.ts'

const opposite: { readonly [comparison in Comparison]: Comparison } = { '>': '<=', '>=': '<', '<': '>=', '<=': '>', '=': '!=', '!=': '=' }
const signs: { readonly [comparison in Comparison]: string } = { '>': '>', '>=': '≥', '<': '<', '<=': '≤', '=': '=', '!=': '≠' }

/** The filter that keeps the other rows. */
function negated(filter: TableFilter): TableFilter | undefined {
  if (filter.kind === 'values' || filter.kind === 'missing') return { ...filter, isNot: !filter.isNot }
  if (filter.kind === 'time') return { ...filter, isNot: !filter.isNot, text: filter.isNot ? filter.text : `not ${filter.text}` }
  if (filter.kind !== 'number') return undefined
  const comparison = opposite[filter.comparison]
  return { ...filter, comparison, text: `${filter.column.name} ${signs[comparison]} ${filter.value.toLocaleString('en-US')}` }
}

const refunds =
  /^(?:(?:the|any|all|my) )*(?:refunds?|refunded (?:ones|orders|rows|amounts)|returns|negative (?:ones|amounts|numbers|values|rows)|credits?)$/i

/** Rows with amounts below zero are refunds where no cell marks it. */
function withoutNegatives({ table }: ReadTableContext): readonly TableFilter[] | undefined {
  const [column, ...others] = table.columns.filter(({ numbers }) => numbers.some((value) => value !== null && value < 0))
  if (!column || others.length > 0) return undefined
  return [{ kind: 'number', column, comparison: '>=', value: 0, at: 0, text: `${column.name} ≥ 0` }]
}

const trimmed = (text: string): string =>
  text.trim().replace(/^(?:(?:the|all|any|those|these|of|for|from|in|anything|everything|amounts|values|numbers) )+/i, '')

/** "cancelled orders" without the noun for the rows. */
function withoutNoun(words: string, { table }: ReadTableContext): string {
  const all = words.split(' ')
  const last = all.at(-1)?.toLowerCase() ?? ''
  return all.length > 1 && (/^(?:ones|one)$/.test(last) || rowNounOf(last, table.name) !== undefined) ? all.slice(0, -1).join(' ') : words
}

/** The filters that leave out what the words name. Undefined if they name no rows. */
export function readExclusion(words: string, context: ReadTableContext): readonly TableFilter[] | undefined {
  const filters = readCondition(withoutNoun(trimmed(words), context), context)
  const [only, ...more] = filters ?? []
  if (!only) return refunds.test(words.trim()) ? withoutNegatives(context) : undefined
  const found = more.length === 0 ? negated(only) : undefined
  return found && [found]
}

/** The filters that keep only what the words name. */
export const readOnlyLimit = (words: string, context: ReadTableContext): readonly TableFilter[] | undefined =>
  readCondition(withoutNoun(trimmed(words), context), context)

/** The query under the limits. Undefined if it cannot have any. */
export function withLimits(query: TableQuery, limits: readonly TableFilter[]): TableQuery | undefined {
  if (limits.length === 0) return query
  if (query.kind === 'check') return undefined
  if (query.kind === 'share') return { ...query, base: [...query.base, ...limits] }
  return { ...query, filters: [...query.filters, ...limits] }
}
