import type { HelloFrame } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { admitRate, requireRate } from '../../policy/index.ts'
import { type ConnectedAgent, connectAgent } from '../../registry/index.ts'
import type { ConnectionStore } from './connection-store.ts'

/**
 * Who says hello, once it is proved. Hellos that prove nothing are counted by the address they come from: who has sent too many
 * is not even looked at for a while, and none of those who prove themselves is held up by them from elsewhere.
 * @throws rate.exceeded with the seconds to wait, or why it is not proved
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
    // A database that is away is no fault of the caller.
    if (error instanceof DomainError && error.code !== 'server.unavailable') await admitRate(base, 'unproven', source)
    throw error
  }
}
