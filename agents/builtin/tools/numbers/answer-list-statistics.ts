/** Statistics of numbers that stand in a goal: mean, median, mode, range and standard deviation. */
import { formatList } from '../../format-numbers-and-lists.ts'
import {
  add,
  compareRationals,
  divide,
  formatRational,
  formatSignificant,
  hasFiniteDecimal,
  isExact,
  multiply,
  nthRoot,
  type Rational,
  rational,
  rationalOfDecimal,
  subtract,
} from './rational.ts'

const statistics = ['count', 'sum', 'mean', 'median', 'mode', 'minimum', 'maximum', 'range', 'variance', 'deviation'] as const
type Statistic = (typeof statistics)[number]

export type ListStatistics = { readonly kind: 'statistics'; readonly wanted: readonly Statistic[]; readonly values: readonly Rational[] }

const names: { readonly [name: string]: Statistic } = {
  ...{ count: 'count', sum: 'sum', total: 'sum', mean: 'mean', average: 'mean', avg: 'mean', 'arithmetic mean': 'mean' },
  ...{ median: 'median', mode: 'mode', modes: 'mode', minimum: 'minimum', min: 'minimum', smallest: 'minimum', lowest: 'minimum' },
  ...{ maximum: 'maximum', max: 'maximum', largest: 'maximum', highest: 'maximum', range: 'range', variance: 'variance' },
  ...{ 'standard deviation': 'deviation', 'std dev': 'deviation', stdev: 'deviation', sd: 'deviation' },
}
const name = Object.keys(names)
  .sort((a, b) => b.length - a.length)
  .join('|')
const asked = new RegExp(
  `^((?:the )?(?:${name})(?:(?:,? and |, | & )(?:the )?(?:${name}))*) (?:of|for)(?: the)?(?: following)?(?: numbers| values| data)?:? (.+)$`,
)
/** What only these statistics give; a sum or an average alone is an expression. */
const own: ReadonlySet<Statistic> = new Set(['mode', 'range', 'variance', 'deviation'])
const maxValues = 200

/** Undefined unless all words are names of statistics, followed by at least two numbers. */
export function readListStatistics(text: string): ListStatistics | undefined {
  const [, phrase, list] = asked.exec(text.toLowerCase()) ?? []
  const wanted = [...new Set((phrase?.match(new RegExp(name, 'g')) ?? []).flatMap((one) => names[one] ?? []))]
  if (list === undefined || !(wanted.length > 1 || wanted.some((one) => own.has(one)))) return undefined
  const parts = list.split(/\s*[,;]\s+(?:and\s+)?|\s+and\s+|\s+/).filter((part) => part !== '')
  const isList = parts.length >= 2 && parts.length <= maxValues && parts.every((part) => /^[-−]?\d+(?:\.\d+)?$/.test(part))
  return isList ? { kind: 'statistics', wanted, values: parts.map((part) => rationalOfDecimal(part.replace('−', '-'))) } : undefined
}

/** The sample and the population have different deviations, so both are named. */
export function answerListStatistics({ wanted, values }: ListStatistics): string {
  return `Of ${values.length} numbers: ${formatList(wanted.map((one) => write(one, values)))}.`
}

function write(wanted: Statistic, values: readonly Rational[]): string {
  const sorted = [...values].sort(compareRationals)
  const [first = rational(0n), last = rational(0n)] = [sorted[0], sorted.at(-1)]
  switch (wanted) {
    case 'count':
      return `count ${values.length}`
    case 'sum':
      return `sum ${written(sumNumbers(values))}`
    case 'mean':
      return `mean ${written(meanOf(values))}`
    case 'median':
      return `median ${written(middleOf(sorted))}`
    case 'mode':
      return writeModes(sorted)
    case 'minimum':
      return `minimum ${written(first)}`
    case 'maximum':
      return `maximum ${written(last)}`
    case 'range':
      return `range ${written(subtract(last, first))} (${written(first)} to ${written(last)})`
    case 'variance':
      return `variance ${written(varianceOf(values, 1))} (sample) or ${written(varianceOf(values, 0))} (population)`
    case 'deviation':
      return `standard deviation ${written(rootOf(varianceOf(values, 1)))} (sample, n − 1) or ${written(rootOf(varianceOf(values, 0)))} (population, n)`
  }
}

const sumNumbers = (values: readonly Rational[]): Rational => values.reduce(add, rational(0n))
const meanOf = (values: readonly Rational[]): Rational => divide(sumNumbers(values), rational(BigInt(values.length)))
const rootOf = (value: Rational): Rational => (value.n === 0n ? value : nthRoot(value, 2n))

function middleOf(sorted: readonly Rational[]): Rational {
  const middle = Math.floor(sorted.length / 2)
  return meanOf(sorted.slice(sorted.length % 2 === 1 ? middle : middle - 1, middle + 1))
}

/** @param lost degrees of freedom that are lost: 1 for a sample */
function varianceOf(values: readonly Rational[], lost: number): Rational {
  const mean = meanOf(values)
  const squares = values.map((value) => multiply(subtract(value, mean), subtract(value, mean)))
  return divide(sumNumbers(squares), rational(BigInt(values.length - lost)))
}

function writeModes(sorted: readonly Rational[]): string {
  const groups = [...Map.groupBy(sorted, formatRational)]
  const max = Math.max(...groups.map(([, all]) => all.length))
  if (max === 1) return 'no mode, because each number occurs once'
  const modes = groups.filter(([, all]) => all.length === max).map(([value]) => value)
  return `mode${modes.length > 1 ? 's' : ''} ${formatList(modes)} (${max} times${modes.length > 1 ? ' each' : ''})`
}

const written = (value: Rational): string =>
  isExact(value) && hasFiniteDecimal(value) ? formatRational(value) : `≈ ${formatSignificant(value, 6)}`
