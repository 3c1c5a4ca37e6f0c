/** The port to where agents are found. */
import type { AgentSession } from '@parley/agents'
import type { Listing } from '@parley/protocol'
import type { ResourceOffer } from '../../resource-gateway/discovery/resource-finder.ts'
import type { Gap } from './find-missing-artifact-types.ts'

const maxPages = 10

export type OfferSource = {
  /** All listings that can be hired now. Earlier ones are preferred if two are equal. */
  listListings(session: AgentSession): Promise<readonly Listing[]>
  /**
   * Lists on this market what fills the gap, if any gateway has it; `listListings` then returns it. Never rejects because there is
   * none. Undefined if no gateway is known.
   */
  readonly fillGap?: (session: AgentSession, need: Gap) => Promise<void>
  /** What gateways have for the gap and is not listed here, best first. Never rejects because there is none. */
  readonly findResources?: (need: Gap) => Promise<readonly ResourceOffer[]>
  /** Lists a resource on this market. Null if that fails, or the listing differs from the signed admission. */
  readonly openListing?: (session: AgentSession, found: ResourceOffer) => Promise<Listing | null>
}

/** The source for a private goal: gaps contain public artifact types only. The goal's text, and a model's text about it, stay here. */
export function withoutGoalText(source: OfferSource): OfferSource {
  const { fillGap: seek, findResources: find } = source
  const withoutWords = ({ outputs, max_price }: Gap): Gap => ({ outputs, max_price })
  return {
    ...source,
    ...(seek && { fillGap: (session, need) => seek(session, withoutWords(need)) }),
    ...(find && { findResources: (need) => find(withoutWords(need)) }),
  }
}

/** The registry of this installation, up to a number of pages. */
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
