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

/** Of a variance or a deviation. Undefined: both are answered. */
type Basis = 'sample' | 'population' | undefined

export type ListStatistics = {
  readonly kind: 'statistics'
  readonly wanted: readonly Statistic[]
  readonly basis: Basis
  /** What the numbers are, in the words of the client. */
  readonly label: string
  readonly values: readonly Rational[]
}

const names: { readonly [name: string]: Statistic } = {
  ...{ count: 'count', sum: 'sum', total: 'sum', mean: 'mean', average: 'mean', avg: 'mean', 'arithmetic mean': 'mean' },
  ...{ median: 'median', mode: 'mode', modes: 'mode', minimum: 'minimum', min: 'minimum', smallest: 'minimum', lowest: 'minimum' },
  ...{ maximum: 'maximum', max: 'maximum', largest: 'maximum', highest: 'maximum', range: 'range', variance: 'variance' },
  ...{ 'standard deviation': 'deviation', 'std dev': 'deviation', stdev: 'deviation', sd: 'deviation' },
}
const name = Object.keys(names)
  .sort((a, b) => b.length - a.length)
  .join('|')
const one = `(?:the )?(?:(?:sample|population) )?(?:${name})`
const list = String.raw`([-−]?\d[-−\d.,;\sand]*)`
const start = `^(${one}(?:(?:,? and |, | & )${one})*) (?:of|for)`
const asked = new RegExp(`${start}(?: the)?(?: following)?(?: numbers| values| data)?:? (.+)$`)
/** A colon after the words for what the numbers are, as in “of my lab readings:”. */
const labelled = new RegExp(`${start} (?:(?:all|my|our|his|her|their|the|these|this|those|following) )*([a-z][a-z -]{1,40}): ?${list}$`)
/** They choose some of the numbers, or change them. */
const choosesNumbers =
  /\b(?:first|last|top|bottom|largest|smallest|highest|lowest|best|worst|positive|negative|even|odd|every|each|other|squares?|squared|roots?|logs?|absolute|differences?|without|except|above|below|under|over|between|than|of|per|by|weighted|rounded|unique|distinct|percent|to|from|multiples?|factors?|is|are|what|which|how)\b/
/** What only these statistics give; a sum or an average alone is an expression. */
const own: ReadonlySet<Statistic> = new Set(['mode', 'range', 'variance', 'deviation'])
const maxValues = 200

/** Undefined unless all words are names of statistics, followed by at least two numbers. */
export function readListStatistics(text: string): ListStatistics | undefined {
  const lower = text.toLowerCase()
  const [, named = '', label = '', ofLabel] = labelled.exec(lower) ?? []
  const hasLabel = ofLabel !== undefined && !choosesNumbers.test(label)
  const [, phrase, values] = hasLabel ? ['', named, ofLabel] : (asked.exec(lower) ?? [])
  const wanted = [...new Set((phrase?.match(new RegExp(name, 'g')) ?? []).flatMap((one) => names[one] ?? []))]
  const bases = [...new Set(phrase?.match(/\b(?:sample|population)\b/g) ?? [])] as ('sample' | 'population')[]
  if (values === undefined || !(hasLabel || wanted.length > 1 || wanted.some((one) => own.has(one)))) return undefined
  // “Sample mean” is a mean. Both deviations are the usual answer.
  const basis = bases.length === 1 ? bases[0] : undefined
  const parts = values.split(/\s*[,;]\s+(?:and\s+)?|\s+and\s+|\s+/).filter((part) => part !== '')
  const isList = parts.length >= 2 && parts.length <= maxValues && parts.every((part) => /^[-−]?\d+(?:\.\d+)?$/.test(part))
  return isList
    ? { kind: 'statistics', wanted, basis, label, values: parts.map((part) => rationalOfDecimal(part.replace('−', '-'))) }
    : undefined
}

/** The sample and the population have different deviations, so both are named unless one is asked for. */
export function answerListStatistics({ wanted, values, basis, label }: ListStatistics): string {
  const what = label === '' || /^(?:numbers|values|data)$/.test(label) ? '' : ` (${label})`
  return `Of ${values.length} numbers${what}: ${formatList(wanted.map((one) => write(one, values, basis)))}.`
}

function write(wanted: Statistic, values: readonly Rational[], basis: Basis): string {
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
      if (basis) return `${basis} variance ${written(varianceOf(values, lostFor[basis]))} ${degreesOf[basis]}`
      return `variance ${written(varianceOf(values, 1))} (sample) or ${written(varianceOf(values, 0))} (population)`
    case 'deviation':
      if (basis) return `${basis} standard deviation ${written(rootOf(varianceOf(values, lostFor[basis])))} ${degreesOf[basis]}`
      return `standard deviation ${written(rootOf(varianceOf(values, 1)))} (sample, n − 1) or ${written(rootOf(varianceOf(values, 0)))} (population, n)`
  }
}

/** Degrees of freedom that are lost. */
const lostFor = { sample: 1, population: 0 }
const degreesOf = { sample: '(n − 1)', population: '(n)' }

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
