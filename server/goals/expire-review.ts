import { actingAs, type Context } from '../context.ts'
import { schedule } from '../delivery/index.ts'
import { acceptTask } from '../tasks/index.ts'
import { reviewAt } from './goal.ts'
import { getGoalRow } from './read-goals.ts'
import { goalFromRow } from './store.ts'

/** The review clock's verb: silence pays for what was delivered, as both sides signed. */
export async function expireReview(ctx: Context, goalId: string): Promise<void> {
  const goal = goalFromRow(await getGoalRow(ctx, goalId))
  const due = reviewAt(goal, ctx.clock.now())
  if (due === null) return
  // The queue's clock runs before ours: without another job nobody would ever end the review.
  if (due !== 'now') return schedule(ctx, 'lapse-review', { goalId }, { runAt: due, jobKey: `review:${goalId}` })
  await acceptTask(actingAs(ctx, { kind: 'system', name: 'clock' }), { type: 'task.accept', goal_id: goalId as never })
}
