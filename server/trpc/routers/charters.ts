import { AuthorizeTeam, ConfirmCharter, GoalId, RefuseCharter, VetoTeam } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { createRouter, publicProcedure } from '../procedures.ts'

const { charter_hash, steps } = ConfirmCharter.shape
const { step } = RefuseCharter.shape
const charter = z.strictObject({ goal_id: GoalId, charter_hash })

/** The client's decisions on charters: before anyone is hired if the planner is `copilot`, and on every team before it is paid. */
export const chartersRouter = createRouter({
  confirm: publicProcedure
    .input(charter.extend({ steps }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'charter.confirm', ...input })),
  /** Signed by the client's wallet, or by the session key of the goal's terms. */
  authorize: publicProcedure
    .input(AuthorizeTeam.pick({ goal_id: true, version: true, signature: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'team.authorize', ...input })),
  veto: publicProcedure
    .input(VetoTeam.pick({ goal_id: true, version: true, reason: true, signature: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'team.veto', ...input })),
  refuse: publicProcedure
    .input(charter.extend({ step, reason: z.string().trim().min(1).max(1_000) }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { type: 'charter.refuse', ...input })),
})
