import { MemoryNote, maxNotes, type ReadMemory } from '@parley/protocol'
import type { Context } from '../context.ts'
import { permit } from '../policy/index.ts'
import { noteScope } from './note-scope.ts'

/**
 * An agent's own notes, or those about the person, newest first, without expired ones.
 * @throws memory.not_entitled
 */
export async function readMemory(ctx: Context, input: ReadMemory): Promise<{ notes: MemoryNote[] }> {
  await permit(ctx, 'memory.read')
  const rows = await ctx.db.memoryNote.findMany({
    where: { ...noteScope(ctx.actor, input), expiresAt: { gt: ctx.clock.now() } },
    orderBy: [{ writtenAt: 'desc' }, { key: 'asc' }],
    take: maxNotes,
  })
  return {
    notes: rows.map(({ agentId, key, about, note, writtenAt, expiresAt }) => ({
      ...{ agent_id: agentId as MemoryNote['agent_id'], key, about: about as MemoryNote['about'] },
      note: MemoryNote.shape.note.safeParse(note).data ?? {},
      ...{ written_at: writtenAt.toISOString(), expires_at: expiresAt.toISOString() },
    })),
  }
}
