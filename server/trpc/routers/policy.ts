import { CreateRule, RevokeRule } from '@parley/protocol'
import { dispatchCommand } from '../../commands/index.ts'
import { listRules } from '../../policy/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

export const policyRouter = createRouter({
  /** For operators. */
  listRules: signedInProcedure.query(({ ctx }) => listRules(ctx.ctx)),
  createRule: publicProcedure
    .input(CreateRule.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'rule.create' })),
  revokeRule: publicProcedure
    .input(RevokeRule.omit({ type: true }))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'rule.revoke' })),
})
