/** Finds columns that a question names and its query does not use. Their part of the question would be ignored. */
import type { Measure, TableFilter, TableQuery } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import type { ColumnMention } from '../words/find-columns.ts'
import { lowerAt, type QuestionReading } from './question-reading.ts'

/** The names of the ignored columns. */
export function findIgnoredColumns(reading: QuestionReading, query: TableQuery): string[] {
  const { mentions, table } = reading
  const used = columnsOf(query)
  const counted = query.kind === 'numbers' ? query.numbers.flatMap(({ measure }) => (measure.kind === 'rows' ? [measure.noun] : [])) : []
  // “Over time” is the axis of a chart.
  const isAxis = ({ start }: ColumnMention) => lowerAt(reading, start - 1) === 'over'
  const isUsed = (column: TableColumn): boolean =>
    counted.includes(column.name) ||
    [...used].some((one) => one === column || one.name === column.name || (!table.columns.includes(one) && one.name.includes(column.name)))
  // Columns that were computed for the question have no place in the file.
  return [
    ...new Set(
      mentions
        .filter((one) => !isAxis(one))
        .flatMap(({ column }) => (table.columns.includes(column) && !isUsed(column) ? [column.name] : [])),
    ),
  ]
}

function columnsOf(query: TableQuery): Set<TableColumn> {
  switch (query.kind) {
    case 'check':
      return new Set(query.check.columns)
    case 'numbers':
      return new Set([
        ...query.numbers.flatMap(({ measure }) => columnsOfMeasure(measure)),
        ...query.groups.map(({ column }) => column),
        ...ofFilters(query.filters),
      ])
    case 'share':
      return new Set([...columnsOfMeasure(query.number.measure), ...ofFilters([...query.filters, ...query.base])])
    case 'comparison':
      return new Set([...columnsOfMeasure(query.number.measure), ...ofFilters([query.first, query.second, ...query.filters])])
    case 'regression':
      return new Set([query.outcome, query.cause, ...ofFilters(query.filters)])
    case 'correlation':
      return new Set([query.left, query.right, ...ofFilters(query.filters)])
    case 'rows':
      return new Set([...query.columns, ...(query.order ? columnsOfMeasure(query.order.measure) : []), ...ofFilters(query.filters)])
    default:
      return query satisfies never
  }
}

const ofFilters = (filters: readonly TableFilter[]): TableColumn[] => filters.map(({ column }) => column)

function columnsOfMeasure(measure: Measure): TableColumn[] {
  if (measure.kind === 'combined') return [measure.left, measure.right]
  return measure.kind === 'rows' ? [] : [measure.column]
}
