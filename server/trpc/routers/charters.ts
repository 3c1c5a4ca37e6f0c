import { ConfirmCharter, GoalId, RefuseCharter } from '@parley/protocol'
import { z } from 'zod'
import { admit } from '../../gateway/index.ts'
import { createRouter, open } from '../init.ts'

const { charter_hash, steps } = ConfirmCharter.shape
const { step } = RefuseCharter.shape
const charter = z.object({ goal_id: GoalId, charter_hash })

/** The client's word on charters of a goal whose planner is `copilot`. */
export const chartersRouter = createRouter({
  confirm: open.input(charter.extend({ steps })).mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'charter.confirm', ...input })),
  refuse: open
    .input(charter.extend({ step, reason: z.string().trim().min(1).max(1_000) }))
    .mutation(({ ctx, input }) => admit(ctx.ctx, { type: 'charter.refuse', ...input })),
})
