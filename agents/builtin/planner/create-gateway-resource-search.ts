/** Finds resources through gateway agents, and lists a found resource on this market, so that the planner can hire it. */
import type { AgentSession } from '@parley/agents'
import type { Listing } from '@parley/protocol'
import type { DecisionContext } from './decisions/decision-context.ts'
import { recordMarket } from './decisions/planner-knowledge.ts'
import { listPlanningOffers, payableToOthers } from './decisions/to-planning-input.ts'
import { maxGapTypes } from './sourcing/find-missing-artifact-types.ts'
import type { GatewayResourceSearch } from './sourcing/gateway-resource-search.ts'
import type { OfferSource } from './sourcing/offer-source.ts'

/** Undefined if the offer source uses no gateway agents. @param opened receives each listing that was added to this market */
export function createGatewayResourceSearch(
  source: OfferSource,
  session: AgentSession,
  context: DecisionContext,
  opened: (listing: Listing) => void,
): GatewayResourceSearch | undefined {
  const { findResources: find, openListing: open } = source
  if (!find || !open) return undefined
  const isPublic = context.offer.visibility === 'public'
  return {
    find: (text) => find({ outputs: isPublic ? [] : typesNamed(text, context), text, max_price: payableToOthers(context).toString() }),
    async open(found) {
      const listing = await open(session, found)
      if (!listing) return []
      opened(listing)
      return listPlanningOffers(addListing(context, listing)).filter((offer) => offer.agent_id === listing.agent_id)
    },
  }
}

/** The artifact types in the text that listings of this market use. Any other type might reveal the goal's text. */
function typesNamed(text: string, { knowledge }: DecisionContext): string[] {
  const ports = (knowledge.market?.listings ?? []).flatMap(({ skills }) => skills).flatMap(({ inputs, outputs }) => [...inputs, ...outputs])
  const types = new Set(ports.map(({ type }) => type))
  return [...new Set(text.split(/[^a-z0-9_.]+/))].filter((word) => types.has(word)).slice(0, maxGapTypes)
}

/** The context with this listing on its market. */
export function addListing<S extends Pick<DecisionContext, 'knowledge'>>(context: S, listing: Listing): S {
  const { market } = context.knowledge
  if (!market) return context
  const others = market.listings.filter((one) => one.agent_id !== listing.agent_id)
  return { ...context, knowledge: recordMarket(context.knowledge, { ...market, listings: [...others, listing] }) }
}
