import { actingAs, type Context } from '../context.ts'
import { acceptTask } from '../tasks/index.ts'
import { getGoalRow } from './read-goals.ts'
import { goalFromRow } from './store.ts'

/** The review clock's verb: silence pays for what was delivered, as both sides signed. */
export async function lapseReview(ctx: Context, goalId: string): Promise<void> {
  const goal = goalFromRow(await getGoalRow(ctx, goalId))
  if (goal.state !== 'review' || goal.reviewBy > ctx.clock.now()) return
  await acceptTask(actingAs(ctx, { kind: 'system', name: 'clock' }), { type: 'task.accept', goal_id: goalId as never })
}
