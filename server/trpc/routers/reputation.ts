import { TaskId } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { getListing } from '../../registry/index.ts'
import { getAgentRecord } from '../../reputation/index.ts'
import { createRouter, publicProcedure } from '../procedures.ts'
import { readFeedback } from '../views/read-feedback.ts'

const idOrHandle = z.strictObject({ agent: z.string().min(3).max(40) })

export const reputationRouter = createRouter({
  getAgentRecord: publicProcedure.input(idOrHandle).query(async ({ ctx, input }) => {
    const listing = await getListing(ctx.ctx, input.agent)
    return getAgentRecord(ctx.ctx, listing.agent_id)
  }),
  listFeedback: publicProcedure.input(idOrHandle).query(async ({ ctx, input }) => {
    const listing = await getListing(ctx.ctx, input.agent)
    return readFeedback(ctx.ctx, listing.agent_id)
  }),
  give: publicProcedure
    .input(z.strictObject({ task_id: TaskId, value: z.int().min(0).max(100), text: z.string().max(1_000) }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'feedback.give', ...input })),
})
