/** The cues of a question: totals, superlatives, groups, counts and lists, each with its place. */
import { smallNumberOf } from '../../../numbers/read-number-words.ts'
import type { Aggregate, Direction } from '../../computing/table-query.ts'
import { hasPhrase, lowerAt, markUsed, mentionAt, type QuestionReading } from './question-reading.ts'

export type Cue =
  | { readonly kind: 'aggregate'; readonly at: number; readonly end: number; readonly aggregate: Aggregate }
  | {
      readonly kind: 'superlative'
      readonly at: number
      readonly end: number
      readonly direction: Direction
      readonly count: number
      readonly word: string
      readonly isOrdinal: boolean
    }
  | { readonly kind: 'mode'; readonly at: number; readonly end: number; readonly direction: Direction; readonly count: number }
  | {
      readonly kind:
        | 'count'
        | 'how much'
        | 'distinct'
        | 'share'
        | 'difference'
        | 'change'
        | 'correlation'
        | 'list'
        | 'order'
        | 'where'
        | 'when'
        | 'who'
      readonly at: number
      readonly end: number
      readonly direction?: Direction
    }

const aggregates: { readonly [phrase: string]: Aggregate } = {
  'standard deviation': 'deviation',
  'std dev': 'deviation',
  stddev: 'deviation',
  stdev: 'deviation',
  'sum total': 'sum',
  'grand total': 'sum',
  'total sum': 'sum',
  'added up': 'sum',
  'add up': 'sum',
  total: 'sum',
  totals: 'sum',
  sum: 'sum',
  combined: 'sum',
  overall: 'sum',
  altogether: 'sum',
  totalled: 'sum',
  average: 'average',
  averages: 'average',
  mean: 'average',
  avg: 'average',
  typical: 'average',
  median: 'median',
  minimum: 'min',
  min: 'min',
  maximum: 'max',
  max: 'max',
  'range of': 'range',
  'the range': 'range',
}

const highest =
  'highest most largest biggest greatest top best peak strongest longest oldest busiest latest newest heaviest tallest fastest richest highest-paid best-selling top-selling bestselling best-performing top-performing max maximum'.split(
    ' ',
  )
const lowest =
  'lowest least smallest bottom worst fewest weakest cheapest shortest youngest earliest quietest lightest slowest poorest slowest-selling worst-selling worst-performing min minimum'.split(
    ' ',
  )

const modeWords = new Set('common commonly frequent frequently popular often'.split(' '))
const ordinals: { readonly [word: string]: number } = { second: 2, '2nd': 2, third: 3, '3rd': 3, fourth: 4, '4th': 4, fifth: 5, '5th': 5 }

const countOf = (word: string, value: number): number | undefined => (Number.isNaN(value) ? smallNumberOf(word) : value)

/** A superlative with the number before or after it, such as "top 5" or "three largest". */
function readSuperlative(reading: QuestionReading, at: number): Cue | undefined {
  const word = lowerAt(reading, at)
  const [, ordinalWord = '', rest = ''] = /^(second|third|fourth|fifth|2nd|3rd|4th|5th)-(\w+)$/.exec(word) ?? []
  const name = rest === '' ? word : rest
  if (['most', 'least'].includes(name) && lowerAt(reading, at - 1) === 'at') return undefined
  const isExpensive =
    ['most', 'least'].includes(name) && ['expensive', 'profitable', 'valuable', 'costly'].includes(lowerAt(reading, at + 1))
  const direction: Direction | undefined = highest.includes(name) ? 'highest' : lowest.includes(name) ? 'lowest' : undefined
  if (!direction) return undefined
  const previous = reading.words[at - 1]
  const next = reading.words[at + 1]
  const ordinal = ordinals[ordinalWord] ?? ordinals[previous?.lower ?? '']
  const before = previous && !reading.used[at - 1] && previous.lower !== 'no' ? countOf(previous.lower, previous.value) : undefined
  const after =
    next && ['top', 'bottom', 'best', 'worst', 'highest', 'lowest', 'largest', 'biggest'].includes(name)
      ? countOf(next.lower, next.value)
      : undefined
  const isMode = (name === 'most' || name === 'least') && modeWords.has(lowerAt(reading, at + 1))
  const start = (before !== undefined && before > 1) || (ordinal !== undefined && ordinalWord === '') ? at - 1 : at
  const end = at + (after !== undefined || isMode || isExpensive ? 2 : 1)
  const count = ordinal ?? (before !== undefined && before > 1 ? before : (after ?? 1))
  if (count < 1 || count > 10_000 || !Number.isInteger(count)) return undefined
  if (isMode) return { kind: 'mode', at: start, end, direction, count }
  const adjective = isExpensive ? lowerAt(reading, at + 1) : name
  return { kind: 'superlative', at: start, end, direction, count, word: adjective, isOrdinal: ordinal !== undefined }
}

const simple: readonly (readonly [
  phrase: string,
  kind: 'count' | 'how much' | 'distinct' | 'share' | 'difference' | 'correlation' | 'order' | 'where' | 'when' | 'who',
])[] = [
  ['how many different', 'distinct'],
  ['how many distinct', 'distinct'],
  ['how many unique', 'distinct'],
  ['number of different', 'distinct'],
  ['number of distinct', 'distinct'],
  ['number of unique', 'distinct'],
  ['how many times', 'count'],
  ['how often', 'count'],
  ['how many', 'count'],
  ['number of', 'count'],
  ['count of', 'count'],
  ['count', 'count'],
  ['how much', 'how much'],
  ['different', 'distinct'],
  ['distinct', 'distinct'],
  ['unique', 'distinct'],
  ['what percentage', 'share'],
  ['what percent', 'share'],
  ['what share', 'share'],
  ['what proportion', 'share'],
  ['what fraction', 'share'],
  ['percentage', 'share'],
  ['percent', 'share'],
  ['share', 'share'],
  ['proportion', 'share'],
  ['fraction', 'share'],
  ['difference', 'difference'],
  ['compare', 'difference'],
  ['compared', 'difference'],
  ['versus', 'difference'],
  ['vs', 'difference'],
  ['correlation', 'correlation'],
  ['correlated', 'correlation'],
  ['correlate', 'correlation'],
  ['sorted by', 'order'],
  ['sort by', 'order'],
  ['sort', 'order'],
  ['sorted', 'order'],
  ['ordered by', 'order'],
  ['order by', 'order'],
  ['ranked by', 'order'],
  ['rank by', 'order'],
  ['rank', 'order'],
  ['ranking', 'order'],
  ['where', 'where'],
  ['when', 'when'],
  ['who', 'who'],
]

const growth =
  'grow grew grown growth increase increased increases rise rose gain gained jump jumped improve improved climb climbed change changed'.split(
    ' ',
  )
const decline = 'drop dropped decline declined decrease decreased fall fell loss shrink shrank sink sank decreases'.split(' ')
const listWords = new Set('list show display give name names find which rows records entries get print output'.split(' '))

function readCue(reading: QuestionReading, at: number): Cue | undefined {
  const phrase = Object.keys(aggregates).find((one) => hasPhrase(reading, at, one))
  if (phrase !== undefined) return { kind: 'aggregate', at, end: at + phrase.split(' ').length, aggregate: aggregates[phrase] as Aggregate }
  const superlative = readSuperlative(reading, at)
  if (superlative) return superlative
  const found = simple.find(([one]) => hasPhrase(reading, at, one))
  if (found) return { kind: found[1], at, end: at + found[0].split(' ').length }
  const word = lowerAt(reading, at)
  if (growth.includes(word)) return { kind: 'change', at, end: at + 1, direction: 'highest' }
  if (decline.includes(word)) return { kind: 'change', at, end: at + 1, direction: 'lowest' }
  return listWords.has(word) ? { kind: 'list', at, end: at + 1 } : undefined
}

/** A heading such as Total is a cue where another number column follows: "total revenue". */
function freeCueWords(reading: QuestionReading): void {
  for (const mention of [...reading.mentions]) {
    const word = lowerAt(reading, mention.start)
    const next = mentionAt(reading, mention.end)
    const isCue = mention.end - mention.start === 1 && (Object.hasOwn(aggregates, word) || highest.includes(word) || lowest.includes(word))
    if (!isCue || next?.column.kind !== 'number') continue
    reading.mentions.splice(reading.mentions.indexOf(mention), 1)
    reading.used[mention.start] = false
  }
}

/** All cues in order. Their words are marked as understood. */
export function findQuestionCues(reading: QuestionReading): Cue[] {
  freeCueWords(reading)
  const cues: Cue[] = []
  for (let at = 0; at < reading.words.length; at++) {
    const word = reading.words[at]
    if (reading.used[at] || word?.kind !== 'word') continue
    const cue = readCue(reading, at)
    if (!cue) continue
    cues.push(cue)
    markUsed(reading, cue.at, cue.end)
    at = cue.end - 1
  }
  return cues.map((cue) => asAggregate(reading, cue, cues))
}

/** "average, median and longest distance": beside totals in a list, an extreme is one of them. */
function asAggregate(reading: QuestionReading, cue: Cue, cues: readonly Cue[]): Cue {
  if (cue.kind !== 'superlative' || cue.count !== 1 || cue.isOrdinal || /^(?:most|least|best|worst|latest|newest|earliest)$/.test(cue.word))
    return cue
  const isJoint = (from: number, to: number): boolean =>
    from < to && reading.words.slice(from, to).every(({ lower }) => [',', 'and', 'the', '/', 'or'].includes(lower))
  const isListed = cues.some((other) => other.kind === 'aggregate' && (isJoint(other.end, cue.at) || isJoint(cue.end, other.at)))
  return isListed ? { kind: 'aggregate', at: cue.at, end: cue.end, aggregate: cue.direction === 'highest' ? 'max' : 'min' } : cue
}
