import { stemWord } from '../../stem-word.ts'
import { compareOffers, type SkillOffer } from '../plan/skill-offers.ts'

/** Stop words. */
const empty = new Set(
  'a an and the this that these those is are be to of in on for from with by as at it its into please i want need would like you your my me we our text make give get do have some all can could should'.split(
    ' ',
  ),
)

export const stemsOf = (text: string): Set<string> =>
  new Set((text.match(/[\p{L}\d]+/gu) ?? []).filter((word) => word.length > 1 && !empty.has(word.toLowerCase())).map(stemWord))

/** How well a skill matches the goal's words. The description has the lowest weight, because its length is free. */
export function scoreOffer(goal: ReadonlySet<string>, offer: SkillOffer): number {
  const { skill } = offer
  const strong = stemsOf(`${skill.id.replace(/[._]/g, ' ')} ${skill.outputs.map((port) => port.type.replace(/[._]/g, ' ')).join(' ')}`)
  const middle = stemsOf(`${skill.name} ${skill.tags.join(' ')}`)
  const weak = stemsOf(skill.description)
  let fit = 0
  for (const word of goal) fit += strong.has(word) ? 4 : middle.has(word) ? 3 : weak.has(word) ? 1 : 0
  return fit
}

/** Offers that match at all, best first. */
export function rankOffers(words: string, offers: readonly SkillOffer[]): SkillOffer[] {
  const wanted = stemsOf(words.replace(/[._]/g, ' '))
  return offers
    .map((offer) => ({ offer, fit: scoreOffer(wanted, offer) }))
    .filter((one) => one.fit > 0)
    .sort((a, b) => b.fit - a.fit || compareOffers(a.offer, b.offer))
    .map((one) => one.offer)
}
