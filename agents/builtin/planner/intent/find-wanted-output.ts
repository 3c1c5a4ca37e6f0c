import type { Json, SkillPort } from '@parley/protocol'
import type { AvailableInput } from '../plan/plan.ts'
import { reachableTypes } from '../plan/search-backward.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { scoreOffer, stemsOf } from './rank-offers.ts'

export type WantedSkillOutput = { readonly type: string; readonly givens: readonly AvailableInput[] }

const enough = 3

/** The output type of the offered skill that fits a goal's text best, for goals that are not about company figures. */
export function findWantedOutput(
  words: string,
  quoted: readonly string[],
  files: readonly AvailableInput[],
  offers: readonly SkillOffer[],
): WantedSkillOutput | undefined {
  const goal = stemsOf(words)
  const material = quoted[0]
  const text: AvailableInput[] = material === undefined ? [] : [{ type: 'query.text', data: { text: material } }]
  const literal = new Set(words.match(/\b[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+\b/g) ?? [])
  const ranked = offers
    .map((offer) => ({
      offer,
      fit: scoreOffer(goal, offer) + (literal.has(offer.skill.id) || offer.skill.outputs.some((port) => literal.has(port.type)) ? 10 : 0),
    }))
    .filter((one) => one.fit >= enough)
    .sort((a, b) => b.fit - a.fit || (a.offer.skill.id < b.offer.skill.id ? -1 : 1))
  for (const { offer } of ranked) {
    const type = offer.skill.outputs[0]?.type
    if (type === undefined) continue
    const givens = [...files, ...text, ...valuesFor(offer.skill.inputs, material, [...files, ...text])]
    if (reachableTypes(offers, new Set(givens.map((one) => one.type))).has(type)) return { type, givens }
  }
  return undefined
}

/** Values for query inputs whose schema requires one text: the quoted text, under the schema's name. */
function valuesFor(ports: readonly SkillPort[], material: string | undefined, known: readonly AvailableInput[]): AvailableInput[] {
  if (material === undefined) return []
  return ports.flatMap((port) => {
    if (!port.type.startsWith('query.') || known.some((one) => one.type === port.type)) return []
    const properties = port.schema?.properties
    if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return []
    const required = Array.isArray(port.schema?.required) ? port.schema.required : Object.keys(properties)
    const key = required[0]
    if (required.length !== 1 || typeof key !== 'string') return []
    const property = (properties as { [name: string]: Json })[key]
    const isText = typeof property === 'object' && property !== null && !Array.isArray(property) && property.type === 'string'
    return isText ? [{ type: port.type, data: { [key]: material } }] : []
  })
}
