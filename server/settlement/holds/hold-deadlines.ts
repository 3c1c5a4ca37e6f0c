import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { loadHold } from './hold-store.ts'

export const noArbitrator = `0x${'0'.repeat(40)}`

const daySeconds = 86_400
/** From `reviewBy` on, the escrow pays by default, including returned steps. So the plan must be closed before. */
const closingSeconds = 3_600

/** Length of the dispute window after a return: as long as the review, at most a day. Seconds. */
export function disputeSeconds(reviewSeconds: number): number {
  return Math.min(reviewSeconds, daySeconds)
}

/** Time between the end of the client's review and the escrow's `reviewBy`: the dispute window and time to close. Seconds. */
export function afterReviewSeconds(reviewSeconds: number): number {
  return disputeSeconds(reviewSeconds) + closingSeconds
}

/** The deadlines after `workBy`, in Unix seconds. */
export function holdDeadlines(input: { readonly workBy: number; readonly reviewSeconds: number; readonly canDispute: boolean }): {
  readonly reviewBy: number
  readonly expiry: number
} {
  // A step returned in the last minute of the review still has a dispute window. Without one, too, what was decided then is closed
  // before anyone can have the escrow pay by default.
  const after = input.canDispute ? afterReviewSeconds(input.reviewSeconds) : closingSeconds
  const reviewBy = input.workBy + input.reviewSeconds + after
  // One more day lets the server settle work that was accepted in the last minute, before anyone can refund.
  return { reviewBy, expiry: reviewBy + daySeconds }
}

/** End of the dispute window for steps returned `now`; null if no time is left. Unix seconds. */
export function disputeDeadline(terms: { readonly reviewBy: number }, reviewSeconds: number, now: number): number | null {
  const until = Math.min(now + disputeSeconds(reviewSeconds), terms.reviewBy - closingSeconds)
  return until > now ? until : null
}

/**
 * Until when the money of steps returned now must stay, so that payees can dispute. Unix seconds. Null if there is no arbitrator,
 * or if late delivery leaves no time.
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
