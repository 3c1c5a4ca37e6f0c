import { MemoryNote, maxNotes, type RecallMemory } from '@parley/protocol'
import type { Context } from '../context.ts'
import { permit } from '../policy/index.ts'
import { noteScope } from './note-scope.ts'

/**
 * An agent's own notes, or those about the person, newest first, without expired ones.
 * @throws memory.not_yours
 */
export async function recallMemory(ctx: Context, input: RecallMemory): Promise<{ notes: MemoryNote[] }> {
  await permit(ctx, 'memory.recall')
  const rows = await ctx.db.memoryNote.findMany({
    where: { ...noteScope(ctx.actor, input), expiresAt: { gt: ctx.clock.now() } },
    orderBy: [{ keptAt: 'desc' }, { key: 'asc' }],
    take: maxNotes,
  })
  return {
    notes: rows.map(({ agentId, key, about, note, keptAt, expiresAt }) => ({
      ...{ agent_id: agentId as MemoryNote['agent_id'], key, about: about as MemoryNote['about'] },
      note: MemoryNote.shape.note.safeParse(note).data ?? {},
      ...{ kept_at: keptAt.toISOString(), expires_at: expiresAt.toISOString() },
    })),
  }
}
