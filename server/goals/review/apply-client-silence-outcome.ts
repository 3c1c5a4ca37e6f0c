import { actingAs, type Context } from '../../context.ts'
import { schedule } from '../../delivery/index.ts'
import { acceptTask, listTasks, returnTask, splitUndecidedTasks } from '../../tasks/index.ts'
import { reviewAt, silenceOutcomeOf } from '../goal.ts'
import { goalFromRow } from '../goal-store.ts'
import { getGoalRowUnchecked } from '../read-goals.ts'

const silentReason = 'The client did not answer in time, and the terms refund unchecked work then.'

/** Run by a job: accepts, returns or splits delivered work when the review period ends, as both sides signed. */
export async function applyClientSilenceOutcome(ctx: Context, goalId: string): Promise<void> {
  const goal = goalFromRow(await getGoalRowUnchecked(ctx, goalId))
  const due = reviewAt(goal, ctx.clock.now())
  if (due === null) return
  // The clock of the job queue is ahead, so schedule another job. Otherwise the review would never end.
  if (due !== 'now') return schedule(ctx, 'expire-review', { goalId }, { runAt: due, jobKey: `review:${goalId}` })
  const clock = actingAs(ctx, { kind: 'system', name: 'clock' })
  const outcome = silenceOutcomeOf(goal)
  if (outcome === 'split') return splitUndecidedTasks(clock, goalId)
  if (outcome === 'pay') return void (await acceptTask(clock, { type: 'task.accept', goal_id: goalId as never }))
  const tasks = await listTasks(ctx, goalId)
  const task_ids = tasks.filter((task) => task.state === 'completed' && task.acceptance === 'pending').map(({ id }) => id as never)
  if (task_ids.length > 0) await returnTask(clock, { type: 'task.return', goal_id: goalId as never, task_ids, reason: silentReason })
}
