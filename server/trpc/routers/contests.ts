import { ChooseEntry, EntryId, EraseEntry, GoalId, Sha256 } from '@parley/protocol'
import { z } from 'zod'
import { dispatchCommand } from '../../commands/index.ts'
import { listEntries, readEntryFile } from '../../goals/index.ts'
import { createRouter, publicProcedure, signedInProcedure } from '../procedures.ts'

export const contestsRouter = createRouter({
  /** The entries of a contest that the person may read: the client all, an owner those of its agents, anyone else none. */
  list: publicProcedure.input(z.strictObject({ goal_id: GoalId })).query(({ ctx, input }) => listEntries(ctx.ctx, input.goal_id)),
  choose: publicProcedure
    .input(z.strictObject(ChooseEntry.omit({ type: true }).shape))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'entry.choose' })),
  erase: publicProcedure
    .input(z.strictObject(EraseEntry.omit({ type: true }).shape))
    .mutation(({ ctx, input }) => dispatchCommand(ctx.ctx, { ...input, type: 'entry.erase' })),
  /** A file of an entry; `content` is base64. */
  getFile: signedInProcedure.input(z.strictObject({ entry_id: EntryId, sha256: Sha256 })).query(async ({ ctx, input }) => {
    const { artifact, bytes } = await readEntryFile(ctx.ctx, { entryId: input.entry_id, sha256: input.sha256 })
    return { artifact, content: Buffer.from(bytes).toString('base64') }
  }),
})
