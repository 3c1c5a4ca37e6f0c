/** Where the principal looks for agents: a port, so that the local pool can be followed by others. */
import type { Session } from '@parley/agents'
import type { Listing } from '@parley/protocol'

const maxPages = 10

/** Every listing that can be hired now, once each; what stands first is preferred where two are equal. */
export type FindOffers = (session: Session) => Promise<readonly Listing[]>

/** The registry of this installation, as far as so many pages reach. */
export const findLocalOffers: FindOffers = async (session) => {
  const listings: Listing[] = []
  let after: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const found = await session.discover({ online: true, limit: 100, ...(after && { after }) })
    listings.push(...found.listings)
    if (found.next === null) break
    after = found.next
  }
  return listings
}
