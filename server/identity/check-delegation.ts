import { canonicalize, type Delegation, maxDelegationSeconds, verifyDelegation } from '@parley/protocol'
import type { Context, VerifiedDelegation } from '../context.ts'
import { delegationInvalid } from './errors.ts'

/** Accepted clock skew of an agent, seconds. */
const maxClockSkewSeconds = 600

/**
 * Verifies the delegation of a connection, once. Later posts compare only its room and its time. Unknown fields are dropped, because every
 * message under the delegation repeats it.
 * @throws auth.delegation_invalid
 */
export async function checkDelegation(ctx: Context, agent: string, given: Delegation): Promise<VerifiedDelegation> {
  const { room_id, not_before, expires_at, value } = given
  const server = ctx.market.serverDid
  const now = Math.floor(ctx.clock.now().getTime() / 1_000)
  const facts = { not_before, expires_at, now, server }
  if (expires_at <= not_before || expires_at - not_before > maxDelegationSeconds)
    throw delegationInvalid(`The delegation must end at most ${maxDelegationSeconds} s after it begins.`, facts)
  if (expires_at <= now) throw delegationInvalid('The delegation has expired.', facts)
  if (not_before > now + maxClockSkewSeconds) throw delegationInvalid('The delegation begins in the future.', facts)
  if (!(await verifyDelegation({ agent, server }, given)))
    throw delegationInvalid(`The delegation is not signed by ${agent} for this server.`, facts)
  const terms = { ...(room_id === undefined ? {} : { room_id }), not_before, expires_at }
  return { ...terms, canonical: canonicalize({ ...terms, value }) }
}
