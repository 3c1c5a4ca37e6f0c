import { GoalId, TaskId } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { listFeedbackInvites } from '../../reputation/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

const tasks = z.array(TaskId).min(1).max(64)

export const tasksRouter = createRouter({
  /** Paid tasks of a goal that the person may still rate. */
  listToJudge: signedInProcedure
    .input(z.strictObject({ goal_id: GoalId }))
    .query(({ ctx, input }) => listFeedbackInvites(ctx.ctx, ctx.person.did, input.goal_id)),
  accept: publicProcedure
    .input(z.strictObject({ goal_id: GoalId, task_ids: tasks.optional() }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'task.accept', ...input })),
  return: publicProcedure
    .input(z.strictObject({ goal_id: GoalId, task_ids: tasks, reason: z.string().trim().min(1).max(1_000) }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'task.return', ...input })),
})
