import { GoalId, TaskId } from '@parley/protocol'
import { z } from 'zod'
import { admit } from '../../commands/index.ts'
import { listFeedbackInvites } from '../../reputation/index.ts'
import { createRouter, open, signedIn } from '../init.ts'

const tasks = z.array(TaskId).min(1).max(64)

export const tasksRouter = createRouter({
  /** Paid tasks of a goal that the person served and may still judge. */
  listToJudge: signedIn
    .input(z.object({ goal_id: GoalId }))
    .query(({ ctx, input }) => listFeedbackInvites(ctx.ctx, ctx.person.did, input.goal_id)),
  accept: open
    .input(z.object({ goal_id: GoalId, task_ids: tasks.optional() }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'task.accept', ...input })),
  return: open
    .input(z.object({ goal_id: GoalId, task_ids: tasks, reason: z.string().trim().min(1).max(1_000) }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'task.return', ...input })),
})
