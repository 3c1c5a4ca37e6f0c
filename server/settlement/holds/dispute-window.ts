import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { loadHold } from './hold-store.ts'

export const noArbitrator = `0x${'0'.repeat(40)}`

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

/** The terms' deadlines after `workBy`, Unix seconds. */
export function holdDeadlines(input: { readonly workBy: number; readonly reviewSeconds: number; readonly canDispute: boolean }): {
  readonly reviewBy: number
  readonly expiry: number
} {
  // What is returned in the last minute of the review can be disputed all the same.
  const reviewBy = input.workBy + input.reviewSeconds + (input.canDispute ? afterReviewSeconds(input.reviewSeconds) : 0)
  // The day on top is for us: to settle what was accepted in the last minute, before anybody may refund.
  return { reviewBy, expiry: reviewBy + daySeconds }
}

/** When a return's dispute time ends, for steps that are returned `now`; null where no time is left. Unix seconds. */
export function disputeDeadline(terms: { readonly reviewBy: number }, reviewSeconds: number, now: number): number | null {
  const until = Math.min(now + disputeSeconds(reviewSeconds), terms.reviewBy - closingSeconds)
  return until > now ? until : null
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
  return disputeDeadline(hold.terms, input.reviewSeconds, seconds(ctx.clock.now()))
}
