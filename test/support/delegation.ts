import { type DelegationTerms, type Signer, signDelegation } from '@parley/protocol'
import type { Context, VerifiedDelegation } from '../../server/context.ts'
import { checkDelegation } from '../../server/identity/index.ts'

/** A day from one hour ago, in Unix seconds. */
export function dayAround(now: Date): DelegationTerms {
  const not_before = Math.floor(now.getTime() / 1_000) - 3_600
  return { not_before, expires_at: not_before + 86_400 }
}

/** The delegation of an agent, as its connection has it once the hub has verified it. */
export async function delegationOf(ctx: Context, signer: Signer, change: Partial<DelegationTerms> = {}): Promise<VerifiedDelegation> {
  const terms = { ...dayAround(ctx.clock.now()), ...change }
  return checkDelegation(ctx, signer.did, await signDelegation(signer, ctx.market.serverDid, terms))
}
