import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import { reminderAt, silenceOutcomeOf } from '../goal.ts'
import { lockGoal } from '../store.ts'

/** Run by a job in the middle of a review: the second notice states when the review ends, and what silence does. */
export async function remindReview(ctx: Context, goalId: string): Promise<void> {
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
      text: `The review ends at ${until}. Without an answer of the client the delivered work is ${outcome === 'pay' ? 'paid' : 'returned'} then.`,
      data: { goal_id: goalId, review_by: until, on_silence: outcome },
    })
  })
}
