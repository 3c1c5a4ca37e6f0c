import { createHash } from 'node:crypto'
import { canonicalBytes, type Json, type KeepMemory, maxNoteBytes, maxNotes } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { permit } from '../policy/index.ts'
import { screenContent } from '../safety/index.ts'
import { memoryFull, memoryNotYours, noteTooLarge } from './errors.ts'

const dayMs = 86_400_000

/**
 * An agent keeps a note. The audit gets its hash and never its words, so that its record holds when the note is forgotten.
 * @throws memory.full, memory.too_large, content.refused
 */
export async function keepMemory(ctx: Context, input: KeepMemory): Promise<{ key: string; expires_at: string }> {
  await permit(ctx, 'memory.keep')
  const { actor } = ctx
  // The server itself may do everything that has a name, and has nothing to remember.
  if (actor.kind !== 'agent') throw memoryNotYours('')
  const { agentId } = actor
  const { key, note, about = null, days } = input
  const bytes = canonicalBytes(note as Json)
  if (bytes.length > maxNoteBytes) throw noteTooLarge(bytes.length)
  screenContent(ctx, note, 'note')
  return inTransaction(ctx, async (tx) => {
    // Two notes of one agent at once would both find the last place free.
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`memory:${agentId}`}, 0))`
    const now = tx.clock.now()
    // Everybody's, not this agent's alone: who has fallen silent keeps nothing longer than it said.
    await tx.db.memoryNote.deleteMany({ where: { expiresAt: { lte: now } } })
    const columns = { about, note: note as object, keptAt: now, expiresAt: new Date(now.getTime() + days * dayMs) }
    const isKnown = (await tx.db.memoryNote.count({ where: { agentId, key } })) > 0
    if (!isKnown && (await tx.db.memoryNote.count({ where: { agentId } })) >= maxNotes) throw memoryFull()
    await tx.db.memoryNote.upsert({ where: { agentId_key: { agentId, key } }, create: { agentId, key, ...columns }, update: columns })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await appendAudit(tx, { chain: `memory:${agentId}`, action: 'memory.keep', after: { about, sha256, expires_at: columns.expiresAt } })
    return { key, expires_at: columns.expiresAt.toISOString() }
  })
}
