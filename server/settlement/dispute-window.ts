import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { noArbitrator } from './get-dispute-terms.ts'
import { loadHold } from './store.ts'

const daySeconds = 86_400
/** From the terms' `reviewBy` on silence pays, also for what was returned: by then the plan has to be closed. */
const closingSeconds = 3_600

/** How long a returned step can be disputed: as long as the client could look, a day at most. In seconds, as its argument. */
export function disputeSeconds(reviewSeconds: number): number {
  return Math.min(reviewSeconds, daySeconds)
}

/** What comes between the end of the client's review and the escrow's `reviewBy`: time to dispute, and time to close. */
export function afterReviewSeconds(reviewSeconds: number): number {
  return disputeSeconds(reviewSeconds) + closingSeconds
}

/**
 * Until when the money of steps that are returned now stays, so that their payees can dispute: Unix seconds. Null where nobody
 * could rule, or the work was delivered so late that the escrow leaves no time.
 * @throws hold.not_found
 */
export async function getDisputeBy(
  ctx: Context,
  input: { readonly goalId: string; readonly reviewSeconds: number },
): Promise<number | null> {
  const hold = await loadHold(ctx, input.goalId)
  if (hold.rail !== 'escrow' || hold.terms.arbitrator === noArbitrator) return null
  const now = seconds(ctx.clock.now())
  const until = Math.min(now + disputeSeconds(input.reviewSeconds), hold.terms.reviewBy - closingSeconds)
  return until > now ? until : null
}
