/** Candidates that convert the quantities of a goal to the units that it names. */
import { findUnit, type Unit } from '../../../tools/numbers/find-unit.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { normalizeArithmeticText, numbersOf } from './normalize-arithmetic-text.ts'
import { type FuelConversion, readFuelConversions } from './read-fuel-conversions.ts'
import { translateUnitNames } from './translate-unit-names.ts'

type Found = { readonly unit: Unit; readonly text: string; readonly end: number }
type Quantity = Found & { readonly value: string }

const maxQuantities = 6
const maxUnitWords = 3
const maxFuels = 2

export function suggestUnitConversionReadings(goal: GoalParts): ReadingCandidate[] {
  const text = translateUnitNames(normalizeArithmeticText(goal))
  const fuels = readFuelConversions(goal)
  const plain = pairsOf(fuels[0] ? withoutFuel(fuels[0], text) : text)
  if (fuels.length > 0)
    return fuels.slice(0, maxFuels).map((fuel) => candidateOf(goal, [...(plain ?? []), fuel.sentence], fuel.matchedWords))
  return plain && plain.length > 0 ? [candidateOf(goal, plain, [])] : []
}

function candidateOf({ request }: GoalParts, parts: readonly string[], more: readonly string[]): ReadingCandidate {
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
  const matchedWords = [...plainWords(`${list} ${numbersOf(request).join(' ')} convert how much wieviel combien cuánto cuanto`), ...more]
  return { texts: [`Convert ${list}`], skillId: 'number.units', matchedWords }
}

const withoutFuel = ({ wording }: FuelConversion, text: string): string => wording.reduce((left, part) => left.replace(part, ' '), text)

/** `5 foot 7` and `11 stone 4`: the smaller unit is not named. */
const compound: readonly (readonly [RegExp, string])[] = [
  [
    /(\d+)\s*(?:foot|feet|ft|fuß|fuss|pieds?|pies?)\s+(\d{1,2}(?:\.\d+)?)(?!\s*(?:\p{L}|[\d.]))(?:\s*(?:inch(?:es)?|in)\b)?/giu,
    '$1 ft $2 in',
  ],
  [/(\d+)\s*(?:foot|feet|ft)\s+(\d{1,2})(?=\s+and\b)/giu, '$1 ft $2 in'],
  [/(\d+)\s*(?:stones?|st)\s+(\d{1,2}(?:\.\d+)?)(?!\s*(?:\p{L}|[\d.]))/giu, '$1 st $2 lb'],
  [/(\d+)\s*(?:stones?|st)\s+(\d{1,2})(?=\s+and\b)/giu, '$1 st $2 lb'],
]
const pair = /^(\d+) (ft|st) (\d+(?:\.\d+)?) (in|lb)$/

/** `28 mpg to L/100 km`, for each quantity. Undefined: a quantity or a target is left over. */
function pairsOf(wording: string): string[] | undefined {
  const text = compound.reduce((written, [pattern, end]) => written.replace(pattern, end), wording)
  const joined = [...text.matchAll(/\d+ (?:ft|st) \d+(?:\.\d+)? (?:in|lb)\b/g)].map(([one]) => one)
  const rest = joined.reduce((left, one) => left.replace(one, ' '), text)
  const { quantities, targets } = readQuantities(rest)
  const all: Quantity[] = [...joined.flatMap((one) => compoundQuantity(one) ?? []), ...quantities]
  const pairs = all.flatMap((quantity) => {
    const fitting = targets
      .filter(({ unit }) => unit.kind !== 'time' && unit.kind === quantity.unit.kind && unit.symbol !== quantity.unit.symbol)
      .filter((target, index, found) => found.findIndex(({ unit }) => unit.symbol === target.unit.symbol) === index)
    return fitting.length > 0 ? [{ quantity, fitting }] : []
  })
  // A quantity or a target that is left over may belong to the others.
  const measured = all.filter(({ unit }) => unit.kind !== 'time')
  const unused = targets.filter(({ unit }) => unit.kind !== 'time' && !pairs.some(({ quantity }) => quantity.unit.kind === unit.kind))
  const isEach = measured.every((quantity) => pairs.some((one) => one.quantity === quantity))
  if (pairs.length === 0 || pairs.length > maxQuantities || !isEach || unused.length > 0) return undefined
  return pairs.map(({ quantity, fitting }) => `${quantity.value} ${quantity.text} to ${fitting.map(({ text }) => text).join(' and ')}`)
}

/** `5 ft 7 in` has the unit of its larger part. */
function compoundQuantity(text: string): Quantity | undefined {
  const [, value = '', large = '', small = '', unit = ''] = pair.exec(text) ?? []
  const found = findUnit(large)
  return found && { unit: found, text: `${large} ${small} ${unit}`, end: 0, value }
}

function readQuantities(text: string): { readonly quantities: readonly Quantity[]; readonly targets: readonly Found[] } {
  const tokens = text.match(/\d+(?:\.\d+)?|[\p{L}°µ²³/]+\d*|[.,;?!]/gu) ?? []
  const quantities: Quantity[] = []
  const targets: Found[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const isNumber = /^\d/.test(token)
    const found = unitAt(tokens, isNumber ? at + 1 : at)
    if (!found) continue
    if (isNumber) quantities.push({ ...found, value: token })
    else if (isTarget(found, token)) targets.push(found)
    at = found.end - 1
  }
  return { quantities, targets }
}

/** Short symbols are words as well, such as “in” and “a”. */
const isTarget = ({ text }: Found, token: string): boolean =>
  text.length > 2 || /[°²³/]/.test(token) || /^(?:km|cm|mm|kg|mg|ml|cl|dl|lb|oz|ft|mi|yd|g|l|m|bar|psi|C|F)$/.test(token)

/** The unit with the most words. */
function unitAt(tokens: readonly string[], at: number): Found | undefined {
  for (let count = maxUnitWords; count >= 1; count--) {
    const text = tokens.slice(at, at + count).join(' ')
    const unit = /^[\p{L}°µ]/u.test(text) && !/[.,;?!]/.test(text) ? findUnit(text) : undefined
    if (unit) return { unit, text, end: at + count }
  }
  return undefined
}
