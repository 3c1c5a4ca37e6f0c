import type { AgentSession } from '../session/agent-session.ts'
import { acceptListedPrice, findOwnListing, type InvitationPolicy } from './agent.ts'

/**
 * Applies a policy to the listing at home, and requires that every step pays the payout address of that listing. Listings with
 * prices in another asset are not federated, so amounts are comparable.
 */
export function homeListingPolicy(
  home: Pick<AgentSession, 'agent_id' | 'handle' | 'discover'>,
  policy: InvitationPolicy = acceptListedPrice,
): InvitationPolicy {
  return async (invitation, { steps }) => {
    const listing = await findOwnListing(home, steps)
    if (!listing) return 'I could not find my listing at home, so I know no price.'
    const misdirected = steps.find((step) => step.payee.toLowerCase() !== listing.payout.toLowerCase())
    if (misdirected) return `Step ${misdirected.step} pays ${misdirected.payee}, my listing at home names ${listing.payout}.`
    return policy(invitation, { steps, listing })
  }
}
