/** An offer source with gateways: they list missing skills on this market, where these are hired like any other. */
import type { AgentSession } from '@parley/agents'
import type { Listing, ResourceQuery } from '@parley/protocol'
import type { OpenedProxy, ResourceFinder, ResourceOffer } from '../../resource-gateway/discovery/resource-finder.ts'
import type { Gap } from './find-missing-artifact-types.ts'
import { type OfferSource, registrySource } from './offer-source.ts'

/** Pages of listings that are read to find a proxy by its skill. */
const maxPages = 5

/**
 * Only resources that a gateway has admitted count, and only at the signed price. A listing that differs is not hired. @param onHired
 * receives each proxy listing that was opened
 */
export function createGatewayOfferSource(
  finder: Pick<ResourceFinder, 'openFirst' | 'find' | 'open'>,
  onHired: (listing: Listing, hired: OpenedProxy) => void = () => undefined,
): OfferSource {
  /** Ids of proxies that differ from what their gateway signed. */
  const unlike = new Set<string>()
  const asSigned = (listing: Listing, hired: OpenedProxy): Listing | null => {
    if (!matchesAdmission(listing, hired)) {
      unlike.add(listing.agent_id)
      return null
    }
    onHired(listing, hired)
    return listing
  }
  return {
    async listListings(session) {
      return (await registrySource.listListings(session)).filter((listing) => !unlike.has(listing.agent_id))
    },
    async fillGap(session, need) {
      for (const query of queriesOf(need)) {
        const hired = await finder.openFirst(query, (offer) => skillsFor(offer, query).length > 0)
        const listing = hired && (await readListing(session, hired, query))
        if (hired && listing) asSigned(listing, hired)
      }
    },
    async findResources(need) {
      const found: ResourceOffer[] = []
      for (const query of queriesOf(need)) {
        const { offers } = await finder.find(query)
        found.push(...offers.filter((offer) => skillsFor(offer, query).length > 0))
      }
      return found
    },
    async openListing(session, found) {
      const hired = await finder.open(found)
      const listing = hired && (await readListing(session, hired, { limit: 1 }))
      return hired && listing && asSigned(listing, hired)
    },
  }
}

function queriesOf({ outputs, text, max_price }: Gap): ResourceQuery[] {
  const byType = outputs.map((output_type) => ({ output_type, max_price, limit: 5 }))
  return text === undefined ? byType : [...byType, { text: text.slice(0, 400), max_price, limit: 5 }]
}

/** The skills of an offer that match the query, within its price. */
function skillsFor({ admission }: ResourceOffer, { output_type: type, max_price: price }: ResourceQuery) {
  return admission.skills.filter(
    (skill) =>
      (type === undefined || skill.outputs.some((port) => port.type === type)) &&
      (price === undefined || BigInt(skill.price) <= BigInt(price)),
  )
}

async function readListing(session: AgentSession, { agent_id, offer }: OpenedProxy, query: ResourceQuery): Promise<Listing | null> {
  const skill_id = skillsFor(offer, query)[0]?.id
  let after: string | undefined
  for (let page = 0; page < maxPages && skill_id !== undefined; page++) {
    const found = await session.discover({ skill_id, limit: 100, ...(after && { after }) })
    const own = found.listings.find((listing) => listing.agent_id === agent_id)
    if (own) return own
    if (found.next === null) break
    after = found.next
  }
  return null
}

/** Whether a listing matches the gateway's admission: its resource, gateway, operator and prices. */
export function matchesAdmission({ proxy, skills, payout }: Listing, { offer }: OpenedProxy): boolean {
  const { admission, gateway } = offer
  if (!proxy || proxy.resource !== admission.resource || proxy.gateway.did !== gateway.did) return false
  if (!admission.operator.endsWith(`:${payout}`)) return false
  const priceOf = new Map(admission.skills.map((skill) => [skill.id, skill.price]))
  return skills.every((skill) => priceOf.get(skill.id) === skill.price)
}
