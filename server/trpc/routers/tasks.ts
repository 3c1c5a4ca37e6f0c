import { GoalId, TaskId } from '@parley/protocol'
import { z } from 'zod'
import { admit } from '../../gateway/index.ts'
import { createRouter, open } from '../init.ts'

const tasks = z.array(TaskId).min(1).max(64)

export const tasksRouter = createRouter({
  accept: open
    .input(z.object({ goal_id: GoalId, task_ids: tasks.optional() }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'task.accept', ...input })),
  return: open
    .input(z.object({ goal_id: GoalId, task_ids: tasks, reason: z.string().trim().min(1).max(1_000) }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'task.return', ...input })),
})
