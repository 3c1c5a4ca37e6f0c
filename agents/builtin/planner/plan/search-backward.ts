/**
 * The search of the deterministic strategy: backwards from the wanted types to the available ones, over skills as typed functions.
 * Every type has one maker, so a plan is a choice of makers.
 */
import { compareOffers, offerCost, priceOf, type SkillOffer } from './skill-offers.ts'

export type MakerChoice = {
  readonly makers: ReadonlyMap<string, SkillOffer>
  readonly offers: readonly SkillOffer[]
  readonly price: bigint
}

export type MakerSearch = {
  readonly wanted: readonly string[]
  readonly given: ReadonlySet<string>
  readonly offers: readonly SkillOffer[]
  readonly payable: bigint
}

/** Makers of one type that are tried: the best by cost, and the two cheapest by price. */
const maxMakers = 8
const maxNodes = 40_000

const needs = (offer: SkillOffer): string[] => offer.skill.inputs.filter((port) => !port.optional).map((port) => port.type)
export const outputTypes = (offer: SkillOffer): string[] => offer.skill.outputs.map((port) => port.type)

export function makersOf(offers: readonly SkillOffer[]): Map<string, SkillOffer[]> {
  const makers = new Map<string, SkillOffer[]>()
  for (const offer of offers) for (const type of new Set(outputTypes(offer))) makers.set(type, [...(makers.get(type) ?? []), offer])
  for (const [type, list] of makers) {
    const best = list.toSorted(compareOffers).slice(0, maxMakers)
    const cheapest = list.toSorted((a, b) => (priceOf(a) < priceOf(b) ? -1 : priceOf(a) > priceOf(b) ? 1 : compareOffers(a, b))).slice(0, 2)
    makers.set(type, [...new Set([...best, ...cheapest])])
  }
  return makers
}

/** Types that can be made from the given ones at any price. */
export function reachableTypes(offers: readonly SkillOffer[], given: ReadonlySet<string>): Set<string> {
  const known = new Set(given)
  for (let grown = true; grown; ) {
    grown = false
    for (const offer of offers) {
      if (!needs(offer).every((type) => known.has(type))) continue
      for (const type of outputTypes(offer)) if (!known.has(type)) grown = Boolean(known.add(type))
    }
  }
  return known
}

/** A choice that is not complete: `open` types still need a maker. `cost`: sum of `offerCost`. */
type PartialChoice = MakerChoice & { readonly open: readonly string[]; readonly cost: bigint }

/** The choice of makers with the lowest cost within the budget. Undefined if there is none. Branch and bound, depth first. */
export function searchBackward({ wanted, given, offers, payable }: MakerSearch): MakerChoice | undefined {
  const possible = reachableTypes(offers, given)
  if (!wanted.every((type) => possible.has(type))) return undefined
  // Offers whose inputs cannot be made are excluded before the search.
  const makersByType = makersOf(offers.filter((offer) => needs(offer).every((type) => possible.has(type))))
  let best: PartialChoice | undefined
  let nodes = 0

  function extend(choice: PartialChoice): void {
    const { open, makers, offers: hired, price, cost } = choice
    if (++nodes > maxNodes || price > payable) return
    if (best && (cost > best.cost || (cost === best.cost && price >= best.price))) return
    const type = open.find((one) => !given.has(one) && !makers.has(one))
    if (type === undefined) {
      if (isAcyclic(hired, makers, given)) best = choice
      return
    }
    const rest = open.filter((one) => one !== type)
    for (const offer of makersByType.get(type) ?? []) {
      if (needs(offer).includes(type)) continue
      const isHired = hired.includes(offer)
      const next = new Map(makers)
      for (const output of outputTypes(offer)) if (!next.has(output)) next.set(output, offer)
      // Another maker may make this type already. This branch takes it from the offer.
      next.set(type, offer)
      extend({
        open: [...rest, ...needs(offer)],
        makers: next,
        offers: isHired ? hired : [...hired, offer],
        price: isHired ? price : price + priceOf(offer),
        cost: isHired ? cost : cost + offerCost(offer),
      })
    }
  }
  extend({ open: wanted, makers: new Map(), offers: [], price: 0n, cost: 0n })
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
