import { LiftRule, SetRule } from '@parley/protocol'
import { admit } from '../../commands/index.ts'
import { listRules } from '../../policy/index.ts'
import { createRouter, open, signedIn } from '../init.ts'

export const policyRouter = createRouter({
  /** For operators. */
  listRules: signedIn.query(({ ctx }) => listRules(ctx.ctx)),
  setRule: open.input(SetRule.omit({ type: true })).mutation(({ ctx, input }) => admit(ctx.ctx, { ...input, type: 'rule.set' })),
  liftRule: open.input(LiftRule.omit({ type: true })).mutation(({ ctx, input }) => admit(ctx.ctx, { ...input, type: 'rule.lift' })),
})
