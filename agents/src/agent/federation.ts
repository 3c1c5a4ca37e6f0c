/**
 * An agent abroad: the same key and the same skills at another installation that reads its home's registry. The hub there is
 * trusted no more than any client: what the listing says, and where it is paid, is asked at home.
 */

import type { Session } from '../client/client.ts'
import { type AgentOptions, agent, ownListing, type Policy, payAtLeastListed } from './agent.ts'

export type AbroadOptions = Omit<AgentOptions, 'token'> & {
  /** The server's DID of that installation. Told by its operator, it keeps out whoever answers in its place. */
  readonly server?: string
}

/**
 * Accepts what the policy would accept at home, and only where the pay goes to the address that the home's listing names.
 * Prices of another asset never come that far: such listings are not read.
 */
export function asAtHome(home: Pick<Session, 'agent_id' | 'handle' | 'discover'>, policy: Policy = payAtLeastListed): Policy {
  return async (invite, { steps }) => {
    const listing = await ownListing(home, steps)
    if (!listing) return 'My listing is not to be found at home, so I know no price.'
    const stray = steps.find((step) => step.payee.toLowerCase() !== listing.payout.toLowerCase())
    if (stray) return `Step ${stray.step} pays ${stray.payee}, my listing at home names ${listing.payout}.`
    return policy(invite, { steps, listing })
  }
}

/**
 * Connects to another installation's hub with the key that the agent has at home; no token is needed, because its home has
 * stated the key. Rejects with `auth.required` where that installation doesn't know the agent (yet).
 */
export function goAbroad(home: Session, options: AbroadOptions): Promise<Session> {
  return agent({ ...options, accept: asAtHome(home, options.accept) })
}
