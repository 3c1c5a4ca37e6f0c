import { AgentId, TestSkill } from '@parley/protocol'
import { z } from 'zod'
import { listSkillTests, listTestedSkills, type TestStarted } from '../../calls/index.ts'
import { dispatchCommand } from '../../commands/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

export const skillTestsRouter = createRouter({
  /** The skills of some agents that have passed a test as they are now. Every other skill is untested. */
  listTested: publicProcedure
    .input(z.strictObject({ agent_ids: z.array(AgentId).max(100) }))
    .query(({ ctx, input }) => listTestedSkills(ctx.ctx, input.agent_ids)),
  /** The results of the person's own agent. */
  list: signedInProcedure.input(z.strictObject({ agent_id: AgentId })).query(({ ctx, input }) => listSkillTests(ctx.ctx, input.agent_id)),
  start: publicProcedure
    .input(TestSkill.omit({ type: true }))
    .mutation(async ({ ctx, input }) => (await dispatchCommand(ctx.ctx, { ...input, type: 'skill.test' })) as TestStarted),
})
