/** `number.units`: converts units of measurement. */
import { formatList } from '../../format-numbers-and-lists.ts'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { trimPoliteness } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { isRemark } from './asks-for-other-work.ts'
import type { Unit } from './find-unit.ts'
import { isEnglish } from './is-english.ts'
import {
  add,
  compareRationals,
  divide,
  floorOf,
  formatFixed,
  formatRational,
  formatSignificant,
  fractionDigits,
  hasFiniteDecimal,
  multiply,
  type Rational,
  rational,
  subtract,
} from './rational.ts'
import type { ResultForm } from './read-calculation.ts'
import { type Conversion, findConversions, findQuantities, type QuantityPart, readConversions, withRate } from './read-conversion.ts'
import { readConversionsInPassing } from './read-conversions-in-passing.ts'
import { readConversionsOfSeveralQuantities } from './read-conversions-of-several-quantities.ts'
import { splitSentences } from './split-sentences.ts'

const skill: ToolSkill = {
  id: 'number.units',
  name: 'Convert units',
  description:
    'Converts lengths, weights, temperatures, times, areas, volumes, speeds, data sizes, energy, power, pressure, angles and fuel consumption. No currencies.',
  inputs: [
    {
      name: 'query',
      type: 'query.unit_conversion',
      description: 'A quantity and the unit to convert it to.',
      optional: false,
      schema: {
        type: 'object',
        required: ['conversion'],
        properties: {
          conversion: { type: 'string', minLength: 1, maxLength: 2_000, description: 'Such as `5 miles to km` or `72 °F in Celsius`.' },
        },
      },
    },
  ],
  outputs: [
    { name: 'result', type: 'number.result', description: 'The converted quantity with the factor, as Markdown.', optional: false },
  ],
  price: '100000',
  tags: [
    'convert',
    'units',
    'metric',
    'imperial',
    'miles',
    'kilometres',
    'celsius',
    'fahrenheit',
    'pounds',
    'kilograms',
    'litres',
    'inches',
  ],
  samples: [
    { title: 'A distance', input: { conversion: '5 miles to km' }, output: '5 mi = 8.04672 km (1 mi = 1.609344 km).' },
    { title: 'A temperature', input: { conversion: '72 °F in Celsius' }, output: '72 °F ≈ 22.222222 °C (°C = (°F − 32) × 5 ÷ 9).' },
  ],
}

const names: { readonly [kind: string]: string } = {
  'length/time': 'speed',
  'data/time': 'data rate',
  'volume/time': 'flow',
  consumption: 'fuel consumption',
}
const kindOf = (unit: Unit): string => names[unit.kind] ?? unit.kind

/** The sum of the parts in base units. */
function baseOf(parts: readonly QuantityPart[]): Rational {
  return parts
    .map(({ amount, unit }) => {
      if (unit.isInverse) return divide(rational(1n), multiply(amount, unit.size))
      const base = multiply(amount, unit.size)
      return unit.zero ? add(base, unit.zero) : base
    })
    .reduce(add)
}

function inUnit(base: Rational, unit: Unit): Rational {
  if (unit.isInverse) return divide(rational(1n), multiply(base, unit.size))
  return divide(unit.zero ? subtract(base, unit.zero) : base, unit.size)
}

/** `= 8.04672`, or `≈ 22.222222` if the value needs more than 12 digits. */
function writeValue(value: Rational, form: ResultForm): string {
  if (form.kind === 'fixed') {
    const text = formatFixed(value, Math.max(form.digits, 0))
    return hasFiniteDecimal(value) && fractionDigits(value) <= form.digits ? `= ${text}` : `≈ ${text}`
  }
  if (form.kind === 'significant') return `≈ ${formatSignificant(value, form.digits)}`
  const exact = hasFiniteDecimal(value) && fractionDigits(value) <= 12 ? formatRational(value) : ''
  if (exact !== '' && exact.replace(/[^\d]/g, '').length <= 16) return `= ${exact}`
  return `≈ ${formatSignificant(value, 8)}`
}

/** `1 hours` reads badly. */
const symbolFor = (unit: Unit, value: string): string => {
  if (!/^(?:1|-1)$/.test(value) || !/^[a-z -]+s$/.test(unit.symbol) || unit.kind === 'length/time') return unit.symbol
  return unit.symbol === 'centuries' ? 'century' : unit.symbol === 'millennia' ? 'millennium' : unit.symbol.replace(/s$/, '')
}
const amountWithUnit = (value: string, unit: Unit): string => `${value}${unit.symbol === '°' ? '' : ' '}${symbolFor(unit, value)}`

const writeParts = (parts: readonly QuantityPart[]): string =>
  parts.map(({ amount, unit }) => amountWithUnit(formatRational(amount), unit)).join(' ')

const temperatureRules: { readonly [pair: string]: string } = {
  '°F °C': '°C = (°F − 32) × 5 ÷ 9',
  '°C °F': '°F = °C × 9 ÷ 5 + 32',
  '°C K': 'K = °C + 273.15',
  'K °C': '°C = K − 273.15',
  '°F K': 'K = (°F + 459.67) × 5 ÷ 9',
  'K °F': '°F = K × 9 ÷ 5 − 459.67',
}

function howOf(parts: readonly QuantityPart[], target: Unit): string {
  const from = parts[0]?.unit ?? target
  const notes = [...new Set([...parts.map(({ unit }) => unit), target].flatMap((unit) => (unit.note ? [unit.note] : [])))]
  const rule = from.zero
    ? (temperatureRules[`${from.symbol} ${target.symbol}`] ?? '')
    : from.isInverse || target.isInverse
      ? ''
      : factorOf(from, target, parts.length === 1 && parts[0]?.amount.n === parts[0]?.amount.d)
  return [rule, ...notes].filter((part) => part !== '').join('; ')
}

/** `1 mi = 1.609344 km`, or conversely if that factor is shorter. */
function factorOf(from: Unit, to: Unit, isOne: boolean): string {
  const factor = divide(from.size, to.size)
  if (compareRationals(factor, rational(1n)) === 0 || isOne) return ''
  const [large, small, value] = factor.n >= factor.d ? [from, to, factor] : [to, from, divide(to.size, from.size)]
  return `${amountWithUnit('1', large)} ${writeValue(value, { kind: 'usual' })} ${small.symbol}`
}

/** @throws {SkillRefused} if the units measure different things, or for currencies */
function convert(conversion: Conversion): string {
  if (conversion.kind === 'currencies' && conversion.rate)
    return `${formatRational(conversion.amount)} ${conversion.from} = ${formatFixed(multiply(conversion.amount, conversion.rate), 2)} ${conversion.to} at your rate of ${formatRational(conversion.rate)}.`
  if (conversion.kind === 'currencies')
    return refuse(
      `There are no exchange rates here, so I cannot convert ${conversion.from} to ${conversion.to}. Ask with a rate as a calculation, such as “100 × 0.92”.`,
    )
  const { parts, targets, isMixed, form } = conversion
  const mismatch = mismatchOf(conversion)
  if (mismatch !== undefined) return refuse(mismatch)
  const base = baseOf(parts)
  const absoluteZero = parts[0]?.unit.kind === 'temperature' && base.n < 0n
  if (absoluteZero) return refuse(`${writeParts(parts)} is below absolute zero, so it is no temperature.`)
  if (isMixed) return `${writeParts(parts)} ${writeMixed(base, targets)}.`
  return targets
    .map((target) => {
      const value = writeValue(inUnit(base, target), form)
      const how = howOf(parts, target)
      return `${writeParts(parts)} ${value.slice(0, 2)}${amountWithUnit(value.slice(2), target)}${how === '' ? '' : ` (${how})`}.`
    })
    .join(' ')
}

/** Whole numbers of all units but the last, as in 5 ft 10.87 in. */
function writeMixed(base: Rational, targets: readonly Unit[]): string {
  let rest = base.n < 0n ? refuse('I write only positive quantities in two units.') : base
  let isRounded = false
  const texts = targets.map((unit, index) => {
    const value = inUnit(rest, unit)
    if (index < targets.length - 1) {
      const whole = rational(floorOf(value))
      rest = subtract(rest, multiply(whole, unit.size))
      return amountWithUnit(formatRational(whole), unit)
    }
    isRounded = !(hasFiniteDecimal(value) && fractionDigits(value) <= 2)
    return amountWithUnit(isRounded ? formatFixed(value, 2) : formatRational(value), unit)
  })
  return `${isRounded ? '≈' : '='} ${texts.join(' ')}`
}

function mismatchOf(conversion: Conversion): string | undefined {
  if (conversion.kind === 'currencies') return undefined
  const from = conversion.parts[0]?.unit
  const other = conversion.targets.find((target) => target.kind !== from?.kind)
  return from && other
    ? `${from.symbol} measures ${kindOf(from)} and ${other.symbol} measures ${kindOf(other)}, so neither converts to the other.`
    : undefined
}

/** Characters of the query. */
const maxConversion = 2_000

/** `12 ft by 15 ft` is an area, which no single conversion answers. */
const hasDimensions = (text: string): boolean => / ¤\d+ (?:by|x|×|times) ¤\d/i.test(` ${findQuantities(text).text}`)

function readGoal(goal: ToolGoal): ToolReading {
  if (goal.text.length > maxConversion || !isEnglish(goal.text)) return undefined
  const several = readConversionsOfSeveralQuantities(goal.text)
  if (several && several.join('; ').length <= maxConversion && readConversions(several.join('; '))?.length === several.length)
    return { confidence: 0.95, query: { conversion: several.join('; ') }, summary: `I convert units: ${several.join('; ').slice(0, 200)}.` }
  const sentences = splitSentences(goal.text)
  if (hasDimensions(goal.text)) return undefined
  const found = sentences.map((sentence, index) => findConversions(sentence, sentences.slice(0, index).join(' ')))
  const isElse = sentences.some((sentence, index) => !found[index] && !(isRemark(sentence) && sentence.length < 200))
  const all = found.flatMap((one) => one?.conversions ?? [])
  // A quantity in a sentence that is not read would be left out, unless the next one speaks of it.
  const isLeftOut = sentences.some((sentence, index) => !found[index] && findQuantities(sentence).quantities.length > 0)
  const isBritish = /\bmpg\b/i.test(goal.text) && /\b(?:uk|britain|british|england|imperial)\b/i.test(goal.text)
  const statedConversions =
    all.length === 0 || isElse || isLeftOut || isBritish ? readConversionsInPassing(goal.text)?.join('; ') : undefined
  if (statedConversions !== undefined && readConversions(statedConversions))
    return { confidence: 0.9, query: { conversion: statedConversions }, summary: `I convert units: ${statedConversions}.` }
  if (all.length === 0 || isElse || (isLeftOut && !/\b(?:that|this|it|them|these|those)\b/i.test(goal.text))) return undefined
  const money = all.map((one) => withRate(one, goal.text)).find((one) => one.kind === 'currencies' && !one.rate)
  if (money?.kind === 'currencies')
    return {
      confidence: 0.6,
      question: `There are no exchange rates here. At which rate do I convert? Answer such as “1 ${money.from} = 0.92 ${money.to}”.`,
    }
  const mismatch = all.map(mismatchOf).find((one) => one !== undefined)
  if (mismatch !== undefined) return { confidence: 0.7, question: `${mismatch} Which unit do you mean?` }
  const conversion = sentences.map((sentence) => trimPoliteness(sentence)).join('; ')
  return {
    confidence: found.every((one) => one) ? 0.95 : 0.85,
    query: { conversion },
    summary: `I convert units: ${conversion.slice(0, 200)}.`,
  }
}

function run(work: SkillRequest): SkillResponse {
  const { conversion } = requireData(work, 'query.unit_conversion')
  const text = typeof conversion === 'string' ? conversion : refuse('The query needs a `conversion`.')
  const conversions = readConversions(text)
  if (!conversions)
    return refuse(`I cannot read “${text.slice(0, 120)}” as a conversion. Write a quantity and a unit, such as “5 miles to km”.`)
  const lines = conversions.map(convert)
  const answer = lines.join(' ')
  const body = `# Converted units\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\nComputed with the exact definitions of the units. A value after ≈ is rounded.\n`
  return {
    outputs: [{ name: 'result.md', media_type: 'text/markdown', artifact_type: 'number.result', text: body }],
    text: answer.length <= 300 ? answer : `${formatList([`${lines.length} conversions`])} are in the file. ${lines[0] ?? ''}`,
  }
}

export const unitsTool: Tool = { skill, readGoal, run }
