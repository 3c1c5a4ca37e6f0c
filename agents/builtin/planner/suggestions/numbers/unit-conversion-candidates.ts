/** Candidates that convert the quantities of a goal to the units that it names. */
import { findUnit, type Unit } from '../../../tools/numbers/find-unit.ts'
import type { GoalWords } from '../goal-words.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

type Found = { readonly unit: Unit; readonly text: string; readonly end: number }

const maxQuantities = 6
const maxUnitWords = 3

export function unitConversionCandidates({ request, english }: GoalWords): ReadingCandidate[] {
  const tokens = english.match(/\d+(?:\.\d+)?|[\p{L}°µ²³/]+\d*|[.,;?!]/gu) ?? []
  const quantities: (Found & { readonly value: string })[] = []
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
  const pairs = quantities.flatMap((quantity) => {
    const target = targets.find(
      ({ unit }) => unit.kind !== 'time' && unit.kind === quantity.unit.kind && unit.symbol !== quantity.unit.symbol,
    )
    return target ? [{ quantity, target }] : []
  })
  // A quantity or a target that is left over may belong to the others.
  const measured = quantities.filter(({ unit }) => unit.kind !== 'time')
  const unused = targets.filter(({ unit }) => unit.kind !== 'time' && !pairs.some(({ target }) => target.unit.kind === unit.kind))
  if (pairs.length === 0 || pairs.length > maxQuantities || pairs.length < measured.length || unused.length > 0) return []
  const parts = pairs.map(({ quantity, target }) => `${quantity.value} ${quantity.text} to ${target.text}`)
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
  const explained = plainWords(`${list} ${request.match(/\d+/g)?.join(' ') ?? ''} convert how much wieviel combien cuánto cuanto`)
  return [{ texts: [`Convert ${list}`], skillId: 'number.units', explained }]
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
