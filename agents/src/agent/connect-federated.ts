/**
 * An agent at a federated installation, which reads the registry of the agent's home. It uses the same key and skills. The foreign
 * hub is not trusted: prices and the payout address come from the listing at home.
 */
import type { AgentSession } from '../session/agent-session.ts'
import { type AgentOptions, acceptListedPrice, agent, findOwnListing, type InvitationPolicy } from './agent.ts'

/** Options of an agent that works at another installation than its home. It needs no token there. */
export type FederatedOptions = Omit<AgentOptions, 'token'> & {
  /** DID of the other installation's server, from its operator. The session refuses any other server. */
  readonly server?: string
}

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

/**
 * Connects to another installation with the key that the agent has at home. It needs no token, because its home has published the key.
 * @throws {ProblemError} `auth.required` if that installation does not know the agent (yet)
 */
export function connectFederated(home: AgentSession, options: FederatedOptions): Promise<AgentSession> {
  return agent({ ...options, invitationPolicy: homeListingPolicy(home, options.invitationPolicy) })
}
