import type { EraseMemory } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { permit } from '../policy/index.ts'
import { noteScope } from './note-scope.ts'

/**
 * Deletes notes permanently. Each agent gets an audit row with the number of notes.
 * @throws memory.not_entitled
 */
export async function eraseMemory(ctx: Context, input: EraseMemory): Promise<{ erased: number }> {
  await permit(ctx, 'memory.erase')
  const where = noteScope(ctx.actor, input)
  return inTransaction(ctx, async (tx) => {
    const found = await tx.db.memoryNote.groupBy({ by: ['agentId'], where, orderBy: { agentId: 'asc' } })
    let erased = 0
    for (const { agentId } of found) {
      await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`memory:${agentId}`}, 0))`
      const { count } = await tx.db.memoryNote.deleteMany({ where: { ...where, agentId } })
      if (count === 0) continue
      erased += count
      await appendAudit(tx, { stream: `memory:${agentId}`, action: 'memory.erase', after: { about: where.about ?? null, erased: count } })
    }
    return { erased }
  })
}
