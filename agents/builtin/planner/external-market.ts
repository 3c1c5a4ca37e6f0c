/** What lies beyond this market, for planners that look for agents themselves: found through gateways, and put on offer here before it is hired. */
import type { AgentSession } from '@parley/agents'
import type { Listing } from '@parley/protocol'
import type { Offer } from '../resource-gateway/discovery/finder.ts'
import { offersForPlan, payableToOthers, type Scene } from './decisions/decision-context.ts'
import { seen } from './decisions/knowledge.ts'
import type { SkillOffer } from './plan/skill-offers.ts'
import { maxTypes } from './sourcing/gap.ts'
import type { OfferSource } from './sourcing/offer-source.ts'

export type Elsewhere = {
  /** By words, and for a private goal by the types that they name; nothing that costs more than may be paid. Never rejects for want of it. */
  find(text: string): Promise<readonly Offer[]>
  /** What can be hired of it once it is on offer here. Empty: it is not to be had for this team. */
  open(found: Offer): Promise<readonly SkillOffer[]>
}

/** `opened`: hears of each listing that has come to this market. */
export function elsewhereOf(
  source: OfferSource,
  session: AgentSession,
  scene: Scene,
  opened: (listing: Listing) => void,
): Elsewhere | undefined {
  const { find, open } = source
  if (!find || !open) return undefined
  const isPublic = scene.offer.visibility === 'public'
  return {
    find: (text) => find({ outputs: isPublic ? [] : typesNamed(text, scene), text, max_price: payableToOthers(scene).toString() }),
    async open(found) {
      const listing = await open(session, found)
      if (!listing) return []
      opened(listing)
      return offersForPlan(withListing(scene, listing)).filter((offer) => offer.agent_id === listing.agent_id)
    },
  }
}

/** Types of this market's listings that the text names: a type that only the text has may be made of the goal's words. */
function typesNamed(text: string, { known }: Scene): string[] {
  const ports = (known.market?.listings ?? []).flatMap(({ skills }) => skills).flatMap(({ inputs, outputs }) => [...inputs, ...outputs])
  const types = new Set(ports.map(({ type }) => type))
  return [...new Set(text.split(/[^a-z0-9_.]+/))].filter((word) => types.has(word)).slice(0, maxTypes)
}

/** The scene with one more listing on its market. */
export function withListing<S extends Pick<Scene, 'known'>>(scene: S, listing: Listing): S {
  const { market } = scene.known
  if (!market) return scene
  const others = market.listings.filter((one) => one.agent_id !== listing.agent_id)
  return { ...scene, known: seen(scene.known, { ...market, listings: [...others, listing] }) }
}
