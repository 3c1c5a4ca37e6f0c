/** Completes a question from the one before it in the same sentence. */
import { groupRows, selectRows } from '../../computing/aggregate-rows.ts'
import type { Aggregated, TableFilter, TableQuery } from '../../computing/table-query.ts'
import type { DataTable } from '../table/read-attached-table.ts'
import { lowerAt, markUsed } from './question-reading.ts'
import type { QuestionDraft } from './read-groups.ts'

const ranking = /^(?:best|worst|highest|lowest|top|bottom|most|least|biggest|largest|smallest|strongest|weakest)$/
const referring = /^(?:they|them|their|there|those|these|it|its|that)$/

/** "How much did each stall take in March, and which did best?" gives the period and the number of the first question to the second. */
export function completeFollowUpQuery(
  draft: QuestionDraft,
  own: readonly Aggregated[],
  query: TableQuery | undefined,
): readonly Aggregated[] {
  const { reading, cues } = draft
  if (query?.kind !== 'numbers') return own
  const refers = reading.words.some(({ lower }) => referring.test(lower))
  const isOwn = (filter: TableFilter): boolean => reading.filters.some(({ column }) => column === filter.column)
  const inherited = query.filters.filter(
    (filter) =>
      !isOwn(filter) && (refers || filter.kind === 'time' || filter.kind === 'period' || (filter.kind === 'values' && filter.isNot)),
  )
  reading.filters.push(...inherited)
  const [measured] = query.numbers
  const isUnnamed = draft.derived.length === 0 && !reading.mentions.some(({ column }) => column.kind === 'number')
  const hasAggregate = cues.some(({ kind }) => kind === 'aggregate') && !cues.some(({ kind }) => kind === 'count' || kind === 'how much')
  if (measured && (measured.measure.kind === 'column' || measured.measure.kind === 'combined') && isUnnamed && hasAggregate)
    return cues.flatMap((one) => (one.kind === 'aggregate' ? [{ aggregate: one.aggregate, measure: measured.measure }] : []))
  const cue = cues.find(({ kind }) => kind === 'superlative')
  if (cue?.kind !== 'superlative' || !ranking.test(cue.word)) return own
  takeOne(draft, query.groups[0])
  const hasVerb = reading.words.some(({ lower }) => /^(?:spent|spend|sold|sell|bought|earned|cost)$/.test(lower))
  const isCount = measured?.measure.kind === 'rows'
  const isPlain = own.length === 0 && draft.derived.length === 0 && !cues.some(({ kind }) => kind === 'count' || kind === 'aggregate')
  return measured && isPlain && !(isCount && hasVerb) ? [measured] : own
}

/** "which one" is one of the groups of the question before. */
function takeOne(draft: QuestionDraft, group: QuestionDraft['groups'][number] | undefined): void {
  const { reading } = draft
  const at = reading.words.findIndex(
    ({ lower }, index) => /^(?:one|ones|of)$/.test(lower) && /^(?:which|what)$/.test(lowerAt(reading, index - 1)),
  )
  const isBare =
    reading.mentions.length === 0 && /^(?:which|what)$/.test(lowerAt(reading, 0) === 'and' ? lowerAt(reading, 1) : lowerAt(reading, 0))
  if (draft.subject || !group || (at < 0 && !isBare)) return
  if (at >= 0) markUsed(reading, at, at + 1)
  draft.subject = group
}

/** "The average per month" where each month has one row is the average of all rows. Averages of totals are not computed. */
export function meanOfGroups(
  query: TableQuery,
  before: TableQuery | undefined,
  table: DataTable,
): { readonly query: TableQuery; readonly reason?: undefined } | { readonly reason: string } | undefined {
  if (query.kind !== 'numbers' || query.pick || query.having || query.numbers.some(({ aggregate }) => aggregate !== 'average'))
    return undefined
  const [group, ...others] = query.groups
  if (!group || others.length > 0) return undefined
  const groups = groupRows([group], selectRows(table, query.filters))
  if (groups.length > 0 && groups.every(({ rows }) => rows.length === 1)) return { query: { ...query, groups: [] } }
  const last = before?.kind === 'numbers' ? before : undefined
  const isSame = last?.groups.some(({ column, part }) => column === group.column && part === group.part) === true
  return isSame && last?.numbers.some(({ aggregate }) => aggregate === 'usual' || aggregate === 'sum') && group.column.kind === 'time'
    ? { reason: `Say whether the average of the rows or of the totals per ${group.part ?? group.column.name} is wanted.` }
    : undefined
}
