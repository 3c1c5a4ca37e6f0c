/** Reads a goal that names several quantities, and the units to convert them to. */

import { trimPoliteness } from '../strip-politeness.ts'
import { asksForOtherWork } from './asks-for-other-work.ts'
import type { Unit } from './find-unit.ts'
import { formatRational } from './rational.ts'
import { findQuantities, mixedKinds, type QuantityPart, readTarget } from './read-conversion.ts'
import { splitSentences } from './split-sentences.ts'

/** Words that ask for more than the same quantities in other units. */
const risky =
  /\b(?:plus|minus|times|per|total|sum|together|altogether|add|difference|average|area|volume|bmi|speed|pace|cost|price|by|x|×|than|versus|vs|or|not|except|without|how|what|whats|which|when|why|who|where|is it|can i|should|fit|enough|healthy|too|better|more|less|remaining|twice|half|double|every)\b|[×*+/=]/i
const pronoun = '(?:that|this|it|these|those|they|them|both|all(?: of (?:that|this|these|those|them))?)'
const ask = `(?:(?:so |and )?(?:what(?:'s| is| are| would| does)?|whats|how much (?:is|are|would))(?: ${pronoun})?(?: be| make)?)`
const targetLast = new RegExp(
  `(?:${ask} |convert(?: ${pronoun})? |tell me |give me(?: ${pronoun})? |show(?: me)?(?: ${pronoun})? |i need (?:${pronoun} )?|please )?(?:in|to|into|as|->|→) ([^¤:;?.]{1,60})$`,
  'i',
)
const howMany = new RegExp(
  `(?:so |and )?how many ([a-z² ]{1,30}?)(?: and (?:how many )?([a-z² ]{1,30}?))? (?:is|are|do|would|does) ${pronoun}(?: make| be)?$`,
  'i',
)
const targetFirst =
  /\b(?:convert|change|turn|express)(?: these| this| the following| them| all(?: of)?(?: these)?)?(?: values| amounts| quantities| weights| lengths| measurements| temperatures)? (?:to|into|in) ([^¤:]{1,40}):? ?(?=¤0)/i

/** A unit that belongs to one of the quantities only: “5 km to miles and 3 m to feet”. */
const namesTarget = (rest: string): boolean =>
  [...rest.matchAll(/\b(?:to|in|into|as|->|→) ((?:[a-z°²³/]+ ?){1,3})/gi)].some(([, words = '']) => {
    const [first = '', second = ''] = words.trim().split(' ')
    return readTarget(first) !== undefined || readTarget(`${first} ${second}`) !== undefined
  })

/** One conversion for each quantity, such as `5 ft 11 in to cm`. Undefined if a quantity has no unit to go to, or a unit no quantity. */
export function readConversionsOfSeveralQuantities(text: string): readonly string[] | undefined {
  if (text.length > 600 || splitSentences(text).some(asksForOtherWork)) return undefined
  const { quantities, text: marked } = findQuantities(
    trimPoliteness(text.replace(/\bfeet\s*\/\s*inches\b|\bft\s*\/\s*in\b/gi, 'feet and inches')),
  )
  if (quantities.length === 0 || quantities.length > 20) return undefined
  const bare = trimPoliteness(trimPoliteness(marked).replace(/^(?:what(?:'s| is| are)|whats|how much (?:is|are)) /i, ''))
  const match = targetFirst.exec(bare) ?? howMany.exec(bare) ?? targetLast.exec(bare)
  if (!match) return undefined
  const targets = match.slice(1).flatMap((part) => (part === undefined ? [] : [readTarget(part)?.units]))
  const units = targets.flatMap((target) => target ?? [])
  const rest = `${bare.slice(0, match.index)} ${bare.slice(match.index + match[0].length)}`
  if (
    targets.includes(undefined) ||
    (quantities.length < 2 && targets.length < 2) ||
    namesTarget(rest) ||
    /\d/.test(rest.replace(/¤\d+/g, '')) ||
    risky.test(rest.replace(/¤\d+/g, ''))
  )
    return undefined
  const aims = quantities.map((parts) => units.filter((unit) => unit.kind === parts[0]?.unit.kind))
  const isUsed = (unit: Unit): boolean => quantities.some(([part]) => part?.unit.kind === unit.kind)
  if (!aims.every((aim) => aim.length > 0) || !units.every(isUsed)) return undefined
  return quantities.flatMap((parts, index) => linesOf(parts, aims[index] ?? []))
}

const write = (parts: readonly QuantityPart[]): string =>
  parts.map(({ amount, text, unit }) => `${text === '' ? formatRational(amount) : text} ${unit.symbol}`).join(' ')

const linesOf = (parts: readonly QuantityPart[], targets: readonly Unit[]): string[] => {
  const isMixed = mixedKinds.has(targets.map(({ symbol }) => symbol).join(' '))
  return isMixed
    ? [`${write(parts)} to ${targets.map(({ symbol }) => symbol).join(' and ')}`]
    : targets.map(({ symbol }) => `${write(parts)} to ${symbol}`)
}
