import { actingAs, type Context } from '../context.ts'
import { schedule } from '../delivery/index.ts'
import { acceptTask } from '../tasks/index.ts'
import { reviewAt } from './goal.ts'
import { getGoalRow } from './read-goals.ts'
import { goalFromRow } from './store.ts'

/** Run by a job: accepts delivered work when the review period ends, as both sides signed. */
export async function expireReview(ctx: Context, goalId: string): Promise<void> {
  const goal = goalFromRow(await getGoalRow(ctx, goalId))
  const due = reviewAt(goal, ctx.clock.now())
  if (due === null) return
  // The clock of the job queue is ahead, so schedule another job. Otherwise the review would never end.
  if (due !== 'now') return schedule(ctx, 'expire-review', { goalId }, { runAt: due, jobKey: `review:${goalId}` })
  await acceptTask(actingAs(ctx, { kind: 'system', name: 'clock' }), { type: 'task.accept', goal_id: goalId as never })
}
