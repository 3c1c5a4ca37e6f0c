/**
 * The search behind the deterministic planner: backwards from the types that are wanted to those at hand, over skills as
 * typed functions. Depth-first with a bound; every type has one maker, so that a plan is a choice of makers.
 */
import { compareOffers, priceOf, type SkillOffer, weightOf } from './skill-offers.ts'

export type Choice = { readonly makers: ReadonlyMap<string, SkillOffer>; readonly offers: readonly SkillOffer[]; readonly price: bigint }

export type Search = {
  readonly wanted: readonly string[]
  readonly given: ReadonlySet<string>
  readonly offers: readonly SkillOffer[]
  readonly payable: bigint
}

/** More makers of one type than this are not looked at: the best by weight, and the cheapest. */
const maxMakers = 8
const maxNodes = 40_000

const needs = (offer: SkillOffer): string[] => offer.skill.inputs.filter((port) => !port.optional).map((port) => port.type)
export const makes = (offer: SkillOffer): string[] => offer.skill.outputs.map((port) => port.type)

export function makersOf(offers: readonly SkillOffer[]): Map<string, SkillOffer[]> {
  const makers = new Map<string, SkillOffer[]>()
  for (const offer of offers) for (const type of new Set(makes(offer))) makers.set(type, [...(makers.get(type) ?? []), offer])
  for (const [type, list] of makers) {
    const best = list.toSorted(compareOffers).slice(0, maxMakers)
    const cheapest = list.toSorted((a, b) => (priceOf(a) < priceOf(b) ? -1 : priceOf(a) > priceOf(b) ? 1 : compareOffers(a, b))).slice(0, 2)
    makers.set(type, [...new Set([...best, ...cheapest])])
  }
  return makers
}

/** Types that can be made from what is given, whatever it costs. */
export function reachable(offers: readonly SkillOffer[], given: ReadonlySet<string>): Set<string> {
  const known = new Set(given)
  for (let grown = true; grown; ) {
    grown = false
    for (const offer of offers) {
      if (!needs(offer).every((type) => known.has(type))) continue
      for (const type of makes(offer)) if (!known.has(type)) grown = Boolean(known.add(type))
    }
  }
  return known
}

/** The best choice of makers within the budget, or nothing. */
export function search({ wanted, given, offers, payable }: Search): Choice | undefined {
  const possible = reachable(offers, given)
  if (!wanted.every((type) => possible.has(type))) return undefined
  // What can't be fed from the given things is out before the search begins.
  const makers = makersOf(offers.filter((offer) => needs(offer).every((type) => possible.has(type))))
  let best: (Choice & { weight: bigint }) | undefined
  let nodes = 0

  function extend(
    open: readonly string[],
    chosen: ReadonlyMap<string, SkillOffer>,
    hired: readonly SkillOffer[],
    price: bigint,
    weight: bigint,
  ): void {
    if (++nodes > maxNodes || price > payable) return
    if (best && (weight > best.weight || (weight === best.weight && price >= best.price))) return
    const type = open.find((one) => !given.has(one) && !chosen.has(one))
    if (type === undefined) {
      if (isAcyclic(hired, chosen, given)) best = { makers: chosen, offers: hired, price, weight }
      return
    }
    const rest = open.filter((one) => one !== type)
    for (const offer of makers.get(type) ?? []) {
      if (needs(offer).includes(type)) continue
      const again = hired.includes(offer)
      const made = new Map(chosen)
      for (const output of makes(offer)) if (!made.has(output)) made.set(output, offer)
      // A maker hired for one type that another already makes still makes only what is missing.
      made.set(type, offer)
      extend(
        [...rest, ...needs(offer)],
        made,
        again ? hired : [...hired, offer],
        again ? price : price + priceOf(offer),
        again ? weight : weight + weightOf(offer),
      )
    }
  }
  extend(wanted, new Map(), [], 0n, 0n)
  return best && { makers: best.makers, offers: best.offers, price: best.price }
}

function isAcyclic(hired: readonly SkillOffer[], makers: ReadonlyMap<string, SkillOffer>, given: ReadonlySet<string>): boolean {
  const state = new Map<SkillOffer, 'open' | 'done'>()
  const visit = (offer: SkillOffer): boolean => {
    if (state.get(offer) === 'done') return true
    if (state.get(offer) === 'open') return false
    state.set(offer, 'open')
    for (const type of needs(offer)) {
      const maker = given.has(type) ? undefined : makers.get(type)
      if (maker && !visit(maker)) return false
    }
    state.set(offer, 'done')
    return true
  }
  return hired.every(visit)
}
