import type { HelloFrame } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { type ConnectedAgent, connectAgent } from '../../registry/index.ts'
import type { ConnectionStore } from './connection-store.ts'
import { limitFailures } from './limit-failures.ts'

/** Authenticates the hello of an agent. @throws rate.exceeded, or the reason why authentication failed */
export function authenticateHello(
  base: Context,
  frame: HelloFrame,
  nonce: string,
  source: string,
  store: ConnectionStore,
): Promise<ConnectedAgent> {
  const proof = { did: frame.did, signature: frame.signature, nonce, token: frame.token }
  return limitFailures(base, source, () => connectAgent(base, proof, store.findAgent))
}
