import type { SilenceOutcome } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import { reminderAt, silenceOutcomeOf } from '../goal.ts'
import { lockGoal } from '../goal-store.ts'

/** What happens to the delivered work at the end of a review without an answer. */
export const silencePhrases: Readonly<Record<SilenceOutcome, string>> = {
  pay: 'the delivered work is paid',
  refund: 'the delivered work is returned',
  split: 'half of the delivered work is paid',
}

/** Run by a job in the middle of a review: the second notice states when the review ends, and what silence does. */
export async function remindClientOfReview(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    if (goal.state !== 'review') return
    const due = reminderAt(goal)
    // The review began again, or the clock of the job queue is ahead.
    if (due > tx.clock.now()) return schedule(tx, 'remind-review', { goalId }, { runAt: due, jobKey: `remind:${goalId}` })
    const until = goal.reviewBy.toISOString()
    const outcome = silenceOutcomeOf(goal)
    await postSystemMessage(tx, {
      roomId: goal.roomId,
      state: 'conclusion',
      kind: 'review.reminder',
      text: `The review ends at ${until}. Without an answer of the client ${silencePhrases[outcome]} then.`,
      data: { goal_id: goalId, review_by: until, on_silence: outcome },
    })
  })
}
