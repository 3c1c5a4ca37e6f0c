/** What a planner lacks on this market: the question that goes to gateways. Pure. */

import { outputTypes, reachableTypes } from '../plan/maker-search.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'

export type Gap = {
  /** Types that somebody should make. */
  readonly outputs: readonly string[]
  /** The goal's words, where no skill on offer answers them. */
  readonly text?: string
  /** Base units that one step may cost at most. */
  readonly max_price: string
}

/** Types that one question names. */
export const maxGapTypes = 8

export const gapKey = ({ outputs, text = '', max_price }: Gap): string => JSON.stringify([outputs, text, max_price])

/**
 * Types that nobody on offer makes, on every way back from what is wanted to what can be had; where all of it can be had, and is only
 * too dear, what is wanted itself.
 */
export function missingTypes(wanted: readonly string[], given: ReadonlySet<string>, offers: readonly SkillOffer[]): string[] {
  const open = [...wanted]
  const seen = reachableTypes(offers, given)
  const missing: string[] = []
  for (const type of open) {
    if (seen.has(type)) continue
    seen.add(type)
    const makers = offers.filter((offer) => outputTypes(offer).includes(type))
    if (makers.length === 0) missing.push(type)
    else open.push(...makers.flatMap(({ skill }) => skill.inputs.filter((port) => !port.optional).map((port) => port.type)))
  }
  const types = missing.length > 0 ? missing : wanted.filter((type) => !given.has(type))
  return types.slice(0, maxGapTypes)
}
