/** Whether a question asks for the rows themselves, and not for a number over them. */
import type { Aggregated } from '../computing/table-query.ts'
import type { QuestionDraft } from './question/read-groups.ts'
import type { TableColumn } from './table/read-attached-table.ts'

/** "Show name and revenue of customers in Berlin" lists rows; "show the total revenue" does not. The numbers of the rows have no sum. */
export function asksForRows({ cues, groups, reading, subject }: QuestionDraft, numbers: readonly Aggregated[]): boolean {
  const isPlain = numbers.every(({ aggregate, measure }) => aggregate === 'usual' && measure.kind === 'column')
  const isNumbered = reading.filters.length > 0 && numbers.every(({ measure }) => measure.kind === 'column' && numbersRows(measure.column))
  const isList = isNumbered || cues.some((cue) => cue.kind === 'list')
  // “List bed, pressure where …” names what each row shows.
  const isNamed = reading.words[0]?.lower === 'list' && reading.filters.length > 0
  const isText = isNumbered || isNamed || reading.mentions.some(({ column }) => column.kind !== 'number')
  return (
    isPlain &&
    isList &&
    isText &&
    groups.length === 0 &&
    subject === undefined &&
    !cues.some((cue) => cue.kind === 'count' || cue.kind === 'how much')
  )
}

/** 1, 2, 3 and so on. */
const numbersRows = ({ numbers }: TableColumn): boolean =>
  numbers.length > 2 && numbers.every((value, row) => value === (numbers[0] ?? 0) + row)
