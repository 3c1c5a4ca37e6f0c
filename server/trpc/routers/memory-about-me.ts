import { AgentId } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { limitPageBytes } from '../../db/limit-page-bytes.ts'
import { readMemory } from '../../memory/index.ts'
import { getListing } from '../../registry/index.ts'
import { createRouter, signedInProcedure } from '../procedures.ts'

export const memoryAboutMeRouter = createRouter({
  /** What agents remember about the person, newest first, and the agents' names. `isWhole`: the list is complete. */
  read: signedInProcedure.query(async ({ ctx }) => {
    const recalled = (await readMemory(ctx.ctx, { type: 'memory.read' })).notes
    const notes = limitPageBytes(recalled)
    const ids = [...new Set(notes.map((note) => note.agent_id))]
    const listings = await Promise.all(ids.map((id) => getListing(ctx.ctx, id)))
    const isWhole = notes.length === recalled.length
    return {
      notes,
      isWhole,
      agents: Object.fromEntries(listings.map(({ agent_id, handle }) => [agent_id, handle])) as { [id: string]: string },
    }
  }),
  /** Of one agent, or of all. Erased permanently. */
  erase: signedInProcedure
    .input(z.strictObject({ agent_id: AgentId.optional(), key: z.string().max(120).optional() }))
    .mutation(({ ctx, input: { agent_id, key } }) =>
      dispatchCommand(ctx.ctx, { type: 'memory.erase', ...(agent_id !== undefined && { agent_id }), ...(key !== undefined && { key }) }),
    ),
})
