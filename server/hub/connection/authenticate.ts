import type { HelloFrame } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { admitRate, requireRate } from '../../policy/index.ts'
import { type ConnectedAgent, connectAgent } from '../../registry/index.ts'
import type { ConnectionStore } from './connection-store.ts'

/**
 * Authenticates the hello of an agent.
 * Failed attempts count per source address. A source with too many is rejected for a while, and other sources are not affected.
 * @throws rate.exceeded with the seconds to wait, or the reason why authentication failed
 */
export async function authenticateHello(
  base: Context,
  frame: HelloFrame,
  nonce: string,
  source: string,
  store: ConnectionStore,
): Promise<ConnectedAgent> {
  requireRate(base, 'unproven', source)
  try {
    return await connectAgent(base, { did: frame.did, signature: frame.signature, nonce, token: frame.token }, store.findAgent)
  } catch (error) {
    // An unavailable database does not count as a failed attempt.
    if (error instanceof DomainError && error.code !== 'server.unavailable') await admitRate(base, 'unproven', source)
    throw error
  }
}
