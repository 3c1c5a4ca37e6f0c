/** Matches a goal's text with the skills on offer, for goals that are not about company figures. */
import type { Json, SkillPort } from '@parley/protocol'
import { stem } from '../../stem-word.ts'
import { reachableTypes } from '../plan/backward-search.ts'
import type { AvailableInput } from '../plan/plan.ts'
import { compareOffers, type SkillOffer } from '../plan/skill-offers.ts'

export type SkillMatch = { readonly type: string; readonly givens: readonly AvailableInput[] }

/** Stop words. */
const empty = new Set(
  'a an and the this that these those is are be to of in on for from with by as at it its into please i want need would like you your my me we our text make give get do have some all can could should'.split(
    ' ',
  ),
)

const stems = (text: string): Set<string> =>
  new Set((text.match(/[\p{L}\d]+/gu) ?? []).filter((word) => word.length > 1 && !empty.has(word.toLowerCase())).map(stem))

/** How well a skill matches the goal's words. The description has the lowest weight, because its length is free. */
function fitOf(goal: ReadonlySet<string>, offer: SkillOffer): number {
  const { skill } = offer
  const strong = stems(`${skill.id.replace(/[._]/g, ' ')} ${skill.outputs.map((port) => port.type.replace(/[._]/g, ' ')).join(' ')}`)
  const middle = stems(`${skill.name} ${skill.tags.join(' ')}`)
  const weak = stems(skill.description)
  let fit = 0
  for (const word of goal) fit += strong.has(word) ? 4 : middle.has(word) ? 3 : weak.has(word) ? 1 : 0
  return fit
}

const enough = 3

/** Offers that match at all, best first. */
export function rankOffers(words: string, offers: readonly SkillOffer[]): SkillOffer[] {
  const wanted = stems(words.replace(/[._]/g, ' '))
  return offers
    .map((offer) => ({ offer, fit: fitOf(wanted, offer) }))
    .filter((one) => one.fit > 0)
    .sort((a, b) => b.fit - a.fit || compareOffers(a.offer, b.offer))
    .map((one) => one.offer)
}

export function matchSkills(
  words: string,
  quoted: readonly string[],
  files: readonly AvailableInput[],
  offers: readonly SkillOffer[],
): SkillMatch | undefined {
  const goal = stems(words)
  const material = quoted[0]
  const text: AvailableInput[] = material === undefined ? [] : [{ type: 'query.text', data: { text: material } }]
  const literal = new Set(words.match(/\b[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+\b/g) ?? [])
  const ranked = offers
    .map((offer) => ({
      offer,
      fit: fitOf(goal, offer) + (literal.has(offer.skill.id) || offer.skill.outputs.some((port) => literal.has(port.type)) ? 10 : 0),
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
