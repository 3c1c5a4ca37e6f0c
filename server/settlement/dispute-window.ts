import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { noArbitrator } from './get-dispute-terms.ts'
import { loadHold } from './store.ts'

const daySeconds = 86_400

/** How long a returned step can be disputed: as long as the client could look, a day at most. In seconds, as its argument. */
export function disputeSeconds(reviewSeconds: number): number {
  return Math.min(reviewSeconds, daySeconds)
}

/**
 * Until when the money of steps that are returned now stays, so that their payees can dispute: Unix seconds, and never later
 * than the escrow takes a dispute. Null where nobody could rule.
 * @throws hold.not_found
 */
export async function getDisputeBy(
  ctx: Context,
  input: { readonly goalId: string; readonly reviewSeconds: number },
): Promise<number | null> {
  const hold = await loadHold(ctx, input.goalId)
  if (hold.rail !== 'escrow' || hold.terms.arbitrator === noArbitrator) return null
  const now = seconds(ctx.clock.now())
  const until = Math.min(now + disputeSeconds(input.reviewSeconds), hold.terms.reviewBy)
  return until > now ? until : null
}
