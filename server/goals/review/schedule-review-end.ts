import type { Context } from '../../context.ts'
import { schedule } from '../../delivery/index.ts'
import { type Goal, reminderAt } from '../goal.ts'

/** Schedules the reminder and the end of a review. A job of an earlier review is replaced. */
export async function scheduleReviewEnd(tx: Context, goal: Extract<Goal, { state: 'review' }>): Promise<void> {
  const { id: goalId } = goal
  await schedule(tx, 'remind-review', { goalId }, { runAt: reminderAt(goal), jobKey: `remind:${goalId}` })
  await schedule(tx, 'expire-review', { goalId }, { runAt: goal.reviewBy, jobKey: `review:${goalId}` })
}
