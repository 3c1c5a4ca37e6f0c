/** Reads questions on outliers, missing cells and duplicate rows. */

import type { Aggregate, TableCheck } from '../../computing/table-query.ts'
import type { TableColumn } from '../table/read-attached-table.ts'
import { readQuestionWords } from '../words/read-question-words.ts'
import { lowerAt, numberColumns, type QuestionReading, type ReadTableContext, startReading } from './question-reading.ts'

/** Words that ask for a check of the table. */
export const tableCheckWords =
  /\b(?:outliers?|anomal(?:y|ies|ous)|missing|incomplete|gaps?|blanks?|empty|nulls?|duplicates?|duplicated|doubles?|more than once|twice|repeated)\b/i

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const asking = wordsOf(
  'are is there any anything something some the a an in of for from at within do does did i we you have has had see contain contains if whether tell me us let know say check look find detect identify list show give get report which what how many and also all please can could my our this that these those it them column columns table file csv json data dataset sheet spreadsheet attached number count them',
)
const kinds = {
  outliers: {
    trigger: wordsOf('outlier outliers anomaly anomalies anomalous'),
    others: wordsOf(
      'values value points point readings reading measurements average averages mean median with without excluding including both and them those these but vs versus before after removing ignoring leaving out ignore exclude remove skip drop leave rows row or numbers numeric compare',
    ),
  },
  missing: {
    trigger: wordsOf('missing incomplete gap gaps blank blanks empty null nulls'),
    others: wordsOf(
      'values value cells cell entries entry rows row records record fields field where each per not filled by lines line or',
    ),
  },
  duplicates: {
    trigger: wordsOf('duplicate duplicates duplicated double doubles repeated twice once'),
    others: wordsOf(
      'values value rows row records record entries entry lines line appear appears appearing occur occurs occurring more than exact exactly same or by',
    ),
  },
} as const

/** The check that a part asks for, if every word is understood. @param before the check of the part before */
export function readTableCheck(text: string, context: ReadTableContext, before: TableCheck | undefined): TableCheck | undefined {
  const reading = startReading(readQuestionWords(text), context)
  const isFollowUp = before?.kind === 'outliers' && reading.words.some(({ lower }) => lower === 'without') && refersBack(reading)
  const kind = isFollowUp
    ? 'outliers'
    : (Object.keys(kinds) as (keyof typeof kinds)[]).find((one) => reading.words.some(({ lower }) => kinds[one].trigger.has(lower)))
  if (!kind || (kind === 'duplicates' && hasOnlyOnce(reading)) || reading.values.length > 0) return undefined
  const { trigger, others } = kinds[kind]
  const isKnown = reading.words.every(
    ({ lower, kind: wordKind }, at) =>
      reading.used[at] || wordKind === 'mark' || asking.has(lower) || others.has(lower) || trigger.has(lower),
  )
  if (!isKnown) return undefined
  const named = reading.mentions.filter(({ how }) => how !== 'typo').map(({ column }) => column)
  if (kind === 'outliers') return outlierCheck(reading, named, isFollowUp ? before : undefined)
  return { kind, columns: [...new Set(named)] }
}

const refersBack = ({ words }: QuestionReading): boolean => words.some(({ lower }) => ['them', 'those', 'these', 'it'].includes(lower))

/** "twice" and "more than once" mean duplicates, "once" alone does not. */
const hasOnlyOnce = (reading: QuestionReading): boolean =>
  reading.words.some(({ lower }, at) => lower === 'once' && !(lowerAt(reading, at - 1) === 'than' && lowerAt(reading, at - 2) === 'more'))

const aggregateWords: { readonly [word: string]: Aggregate } = {
  average: 'average',
  averages: 'average',
  mean: 'average',
  median: 'median',
}

function outlierCheck(
  { words, table }: QuestionReading,
  named: readonly TableColumn[],
  before: (TableCheck & { readonly kind: 'outliers' }) | undefined,
): TableCheck | undefined {
  if (named.some(({ kind }) => kind !== 'number')) return undefined
  const columns = named.length > 0 ? named : (before?.columns ?? numberColumns(table))
  if (columns.length === 0) return undefined
  const has = (...ones: readonly string[]): boolean => words.some(({ lower }) => ones.includes(lower))
  const aggregates = new Set(
    words.flatMap(({ lower }) => (Object.hasOwn(aggregateWords, lower) ? [aggregateWords[lower] as Aggregate] : [])),
  )
  const isWithout = has(...'without excluding removing ignoring leaving after ignore exclude remove skip drop leave'.split(' '))
  const isWith = has('with', 'including', 'before', 'both') || !isWithout
  if (aggregates.size === 0 && (isWithout || before)) return undefined
  return { kind: 'outliers', columns: [...new Set(columns)], aggregates: [...aggregates], isWith, isWithout }
}
