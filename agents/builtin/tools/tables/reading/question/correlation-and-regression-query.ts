/** Reads questions on how two columns of numbers go together. */

import type { TableQuery } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import { markUsed, type QuestionReading } from './question-reading.ts'
import type { QuestionDraft } from './read-groups.ts'

/** The columns of numbers in the order in which they are named. */
const namedNumbers = ({ mentions }: QuestionReading): readonly TableColumn[] => [
  ...new Set(mentions.filter(({ column }) => column.kind === 'number').map(({ column }) => column)),
]

export function correlationQuery({ reading }: QuestionDraft): TableQuery | undefined {
  const [left, right, ...others] = namedNumbers(reading)
  return left && right && others.length === 0 ? { kind: 'correlation', left, right, filters: reading.filters } : undefined
}

const step = new Set('extra additional further added more slope regression'.split(' '))

/** "How many ms per extra hour of sleep?" asks for the slope of a line. The column after the step explains the other one. */
export function regressionQuery(reading: QuestionReading): TableQuery | undefined {
  const { words, mentions } = reading
  const at = words.findIndex(({ lower }, index) => step.has(lower) && (lower !== 'more' || isStepBefore(reading, index)))
  const isNamed = words.some(({ lower }) => lower === 'slope' || lower === 'regression')
  if (at < 0 || (!isNamed && !isStepBefore(reading, at))) return undefined
  const [first, second, ...others] = namedNumbers(reading)
  if (!first || !second || others.length > 0) return undefined
  const after = mentions.find(({ start, column }) => start > at && column.kind === 'number')?.column
  const cause = isStepBefore(reading, at) ? after : second
  if (!cause) return undefined
  words.forEach(({ lower }, index) => {
    if (/^(?:extra|additional|further|added|more|slope|regression|line|change|changes|effect|linear)$/.test(lower))
      markUsed(reading, index, index + 1)
  })
  return { kind: 'regression', outcome: cause === first ? second : first, cause, filters: reading.filters }
}

/** "per extra", "for each additional", "with every further". */
const isStepBefore = ({ words }: QuestionReading, at: number): boolean =>
  ['per', 'each', 'every', 'one', 'an', 'a', '1'].includes(words[at - 1]?.lower ?? '')
