/** Reads a condition on rows, such as "city is Berlin and qty is over 3", as filters. */
import { addComputedColumns } from '../../computing/add-computed-columns.ts'
import type { TableFilter } from '../../computing/table-query.ts'
import { readWordsWithBrackets } from '../words/read-question-words.ts'
import { isStopWord, rowNounOf } from '../words/stop-words.ts'
import { type ReadTableContext, startReading } from './question-reading.ts'
import { readFilters } from './read-filters.ts'

/** Stop words that change a condition if no filter takes them. */
const meaningful = new Set(
  'not no without less more most least highest lowest first last same other higher lower before after until since except'.split(' '),
)

/** The filters that all rows must fulfil. Undefined if a word of the condition is in none of them. */
export function readCondition(condition: string, context: ReadTableContext): readonly TableFilter[] | undefined {
  const computed = addComputedColumns(readWordsWithBrackets(condition), context.table)
  const reading = startReading(computed.words, { ...context, table: computed.table })
  readFilters(reading)
  const open = computed.words.filter(
    ({ lower, kind }, at) =>
      !reading.used[at] &&
      (kind === 'mark'
        ? !',;:'.includes(lower)
        : kind !== 'word' || meaningful.has(lower) || (!isStopWord(lower) && rowNounOf(lower, context.table.name) === undefined)),
  )
  const hasOpenOr = computed.words.some(({ lower }, at) => lower === 'or' && !reading.used[at]) && reading.filters.length > 1
  return open.length > 0 || reading.mentions.length > 0 || hasOpenOr || reading.filters.length === 0 ? undefined : reading.filters
}
