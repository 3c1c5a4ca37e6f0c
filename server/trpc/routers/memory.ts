import { AgentId } from '@parley/protocol'
import { z } from 'zod'
import { admit } from '../../gateway/index.ts'
import { recallMemory } from '../../memory/index.ts'
import { createRouter, signedIn } from '../init.ts'

export const memoryRouter = createRouter({
  /** What agents remember of whoever is signed in, the latest first. */
  recall: signedIn.query(({ ctx }) => recallMemory(ctx.ctx, { type: 'memory.recall' })),
  /** Of one agent, or of all: forgotten for good. */
  erase: signedIn
    .input(z.object({ agent_id: AgentId.optional(), key: z.string().max(120).optional() }))
    .mutation(({ ctx, input: { agent_id, key } }) =>
      admit(ctx.ctx, { type: 'memory.erase', ...(agent_id !== undefined && { agent_id }), ...(key !== undefined && { key }) }),
    ),
})
