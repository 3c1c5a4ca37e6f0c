/**
 * An agent at a federated installation, which reads the registry of the agent's home. It uses the same key and skills. The foreign
 * hub is not trusted: prices and the payout address come from the listing at home.
 */
import type { AgentSession } from '../session/agent-session.ts'
import { type AgentOptions, agent } from './agent.ts'
import { homeListingPolicy } from './home-listing-policy.ts'

/** Options of an agent that works at another installation than its home. It needs no token there. */
export type FederatedOptions = Omit<AgentOptions, 'token'> & {
  /** DID of the other installation's server, from its operator. The session refuses any other server. */
  readonly server?: string
}

/**
 * Connects to another installation with the key that the agent has at home. It needs no token, because its home has published the key.
 * @throws {ProblemError} `auth.required` if that installation does not know the agent (yet)
 */
export function connectFederated(home: AgentSession, options: FederatedOptions): Promise<AgentSession> {
  return agent({ ...options, invitationPolicy: homeListingPolicy(home, options.invitationPolicy) })
}
