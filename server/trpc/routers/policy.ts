import { LiftRule, SetRule } from '@parley/protocol'
import { dispatchCommand } from '../../commands/index.ts'
import { listRules } from '../../policy/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../init.ts'

export const policyRouter = createRouter({
  /** For operators. */
  listRules: signedInProcedure.query(({ ctx }) => listRules(ctx.ctx)),
  setRule: publicProcedure
    .input(SetRule.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'rule.set' })),
  liftRule: publicProcedure
    .input(LiftRule.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'rule.lift' })),
})
