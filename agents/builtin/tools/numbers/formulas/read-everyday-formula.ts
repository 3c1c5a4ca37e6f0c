/** Reads a request for an everyday formula in any of five languages. */
import { formatRational } from '../rational.ts'
import { everydayFormulas, type Formula } from './everyday-formulas.ts'
import { findMeasures, type MeasuredValue } from './find-measures.ts'
import type { MeasureKind } from './measure-units.ts'

/** A formula with its measures, in the order in which it takes them. */
export type FormulaProblem = { readonly formula: Formula; readonly measures: readonly MeasuredValue[] }

const maxLength = 600

/**
 * Words that change what is asked for: a way back, a second number in words, a part of the whole. A request with one of them is
 * not read, because the answer could be to another question.
 */
const changes =
  /(?<!\p{Script=Latin})(?:return|round[- ]?trip|both ways|and back|there and back|each way|one way|twice|double|half|halves|third|quarter|except|without|minus|less|stops?|breaks?|pauses?|traffic|windows?|doors?|tiles?|coats?|paint\w*|walls?|depth|deep|people|persons|passengers|friends|share|split|discount|tax|vat|overtime|each|average of|two|three|four|five|six|hin und zurück|rückweg|rückfahrt|doppelt|halb\p{L}*|ohne|außer|pausen?|fenster|türen?|personen|leuten?|mitfahrer|zwei|drei|vier|fünf|sechs|aller[- ]retour|retour|sans|sauf|moitié|demi\p{L}*|pauses?|fenêtres?|portes?|personnes|amis|deux|trois|quatre|cinq|ida y vuelta|vuelta|sin|salvo|mitad|medi[ao]s?|pausas?|ventanas?|puertas?|personas|amigos|dos|tres|cuatro|cinco|ellip\p{L}*|oval\p{L}*|spher\p{L}*|ball|kugel\p{L}*|pentagon\p{L}*|hexagon\p{L}*|trap[eè]z\p{L}*|rhomb\p{L}*|parallelogram\p{L}*|cones?|cônes?|conos?|kegel\p{L}*|p[iy]r[aá]mid\p{L}*|prism\p{L}*)(?!\p{Script=Latin})|来回|往返|一半|除了|人|扣|税/u

/** Undefined if not all numbers are measures of one formula that the words ask for. */
export function readEverydayFormula(text: string, language: string): FormulaProblem | undefined {
  if (text.length > maxLength || !/\d/.test(text)) return undefined
  const { measures: found, rest } = findMeasures(numbersBeforeUnits(text), language)
  const measures = found.map((measure) => withUnitOfText(measure, rest))
  if (measures.length > 4 || measures.some(({ value }) => value.n <= 0n) || changes.test(rest)) return undefined
  for (const formula of everydayFormulas) {
    const ordered = takeMeasures(formula, measures)
    if (ordered && formula.asks.test(rest)) return { formula, measures: ordered }
  }
  return undefined
}

/** Chinese also writes the unit before its number: `每升7.8元` is 7.8 元/升. A half marathon is no half. */
const numbersBeforeUnits = (text: string): string =>
  text
    .replace(/每?百公里(?:油耗|耗油)?(?:是|为|约)?\s*(\d+(?:\.\d+)?)\s*升(?:油)?/g, '$1升/100公里')
    .replace(/每升(?:是|为)?\s*(\d+(?:\.\d+)?)\s*(元|块)/g, '$1$2/升')
    .replace(/每度电?(?:是|为)?\s*(\d+(?:\.\d+)?)\s*(元|块)/g, '$1$2/度')
    .replace(/时速(?:是|为)?\s*(\d+(?:\.\d+)?)\s*公里(?!\/)/g, '$1公里/小时')
    .replace(/每天(?:用|开|使用|工作)?\s*(\d+(?:\.\d+)?)\s*小时/g, '$1小时/天')
    .replace(/\b(?:half|semi|halb)[- ]?marath?on\b/gi, 'run')

const nearby = (names: string): RegExp => new RegExp(`(?<!\\p{Script=Latin})(?:${names})(?!\\p{Script=Latin})`, 'u')
const ofText: readonly (readonly [kind: MeasureKind, pattern: RegExp])[] = [
  ['money per energy', nearby('kwh|kilowatt[- ]?hours?|kilowattstunden?')],
  [
    'money per volume',
    nearby(
      '(?:per|an?|pro|je|le|un|du|el|por|der|ein) (?:litre|liter|litro)|(?:petrol|diesel|fuel|gas) (?:price|costs|is)|benzinpreis|spritpreis|prix du litre',
    ),
  ],
]

/** “A litre costs 1.75 €”: the words around an amount say per what it is. */
function withUnitOfText(measure: MeasuredValue, rest: string): MeasuredValue {
  const [kind] = measure.kind === 'money' ? (ofText.find(([, pattern]) => pattern.test(rest)) ?? []) : []
  return kind === undefined ? measure : { ...measure, kind }
}

/** The measures by kind, in the order of the formula. Undefined if one is missing or one is left. */
function takeMeasures({ needs }: Formula, measures: readonly MeasuredValue[]): MeasuredValue[] | undefined {
  const left = [...measures]
  const taken: MeasuredValue[] = []
  for (const need of needs) {
    const kind = need.replace('?', '') as MeasureKind
    const index = left.findIndex((measure) => measure.kind === kind || (kind === 'length' && measure.kind === 'bare'))
    if (index < 0 && !need.endsWith('?')) return undefined
    if (index >= 0) taken.push(...left.splice(index, 1))
  }
  const isMixed = taken.some(({ kind }) => kind === 'bare') && taken.some(({ kind }) => kind !== 'bare')
  return left.length > 0 || isMixed ? undefined : taken
}

const suffixes: { readonly [kind in MeasureKind]?: string } = {
  'money per volume': ' per litre',
  'money per energy': ' per kWh',
  'money per hour': ' per hour',
  'money per month': ' per month',
  'money per year': ' per year',
  'time per day': ' per day',
  'time per week': ' per week',
}

/** `420 km`, `1.79 € per litre`. */
const writeMeasure = ({ kind, value, symbol }: MeasuredValue): string =>
  `${formatRational(value)}${symbol === '' ? '' : ` ${symbol}`}${suffixes[kind] ?? ''}`

/** The problem as an English sentence, which is read again as the same problem. */
export const writeFormulaProblem = ({ formula, measures }: FormulaProblem): string =>
  `${formula.title}: ${measures.map(writeMeasure).join('; ')}`
