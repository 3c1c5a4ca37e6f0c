/** What this market lacks for a plan. Gateways are searched for it. */

import { outputTypes, reachableTypes } from '../plan/search-backward.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'

export type Gap = {
  /** Artifact types to make. */
  readonly outputs: readonly string[]
  /** The goal's text, if no offer matches it. */
  readonly text?: string
  /** Maximum price of one step, base units. */
  readonly max_price: string
}

/** Types in one gap. */
export const maxGapTypes = 8

export const gapKey = ({ outputs, text = '', max_price }: Gap): string => JSON.stringify([outputs, text, max_price])

/**
 * The types that no offer makes on any path from the wanted types back to the given ones. If all can be made, and only the budget is
 * too small, the wanted types themselves.
 */
export function findMissingArtifactTypes(wanted: readonly string[], given: ReadonlySet<string>, offers: readonly SkillOffer[]): string[] {
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
