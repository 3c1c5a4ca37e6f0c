/** Where the principal looks for agents: a port, so that the local pool can be followed by others. */
import type { AgentSession } from '@parley/agents'
import type { Listing } from '@parley/protocol'
import type { ResourceOffer } from '../../resource-gateway/discovery/finder.ts'
import type { Gap } from './gap.ts'

const maxPages = 10

export type OfferSource = {
  /** Every listing that can be hired now, once each; what stands first is preferred where two are equal. */
  listListings(session: AgentSession): Promise<readonly Listing[]>
  /**
   * Has what is needed brought to this market from elsewhere: afterwards it is among what `look` finds, or it is not to be had.
   * Never rejects for want of it. Left out: there is nobody to ask.
   */
  readonly fillGap?: (session: AgentSession, need: Gap) => Promise<void>
  /** What gateways have for it that is not on offer here yet, the best first. Never rejects for want of it. */
  readonly findResources?: (need: Gap) => Promise<readonly ResourceOffer[]>
  /** Puts on offer here what was found. Null: it is not to be had, or not what its gateway has signed. */
  readonly openListing?: (session: AgentSession, found: ResourceOffer) => Promise<Listing | null>
}

/**
 * For a private goal: others are asked by types of skills alone. Those are public terms of listings; the goal's words, and what a
 * model makes of them, stay here.
 */
export function withoutGoalText(source: OfferSource): OfferSource {
  const { fillGap: seek, findResources: find } = source
  const withoutWords = ({ outputs, max_price }: Gap): Gap => ({ outputs, max_price })
  return {
    ...source,
    ...(seek && { fillGap: (session, need) => seek(session, withoutWords(need)) }),
    ...(find && { findResources: (need) => find(withoutWords(need)) }),
  }
}

/** The registry of this installation, as far as so many pages reach. */
export const registrySource: OfferSource = {
  async listListings(session) {
    const listings: Listing[] = []
    let after: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const found = await session.discover({ online: true, limit: 100, ...(after && { after }) })
      listings.push(...found.listings)
      if (found.next === null) break
      after = found.next
    }
    return listings
  },
}
