import { createHmac, randomBytes } from 'node:crypto'
import { canonicalBytes, type Json, maxNoteBytes, maxNotes, type WriteMemory } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { permit } from '../policy/index.ts'
import { requireAcceptableContent } from '../safety/index.ts'
import { memoryNotYours, notesFull, noteTooLarge } from './errors.ts'

const dayMs = 86_400_000
const saltBytes = 32

/**
 * An agent stores a note in its agent memory. The audit row has only the note's HMAC, so that the record stays valid after erasure. The
 * key is a salt that is erased with the note, because a short note could be guessed from a plain hash.
 * @throws memory.quota_exceeded, memory.too_large, content.refused
 */
export async function writeMemory(ctx: Context, input: WriteMemory): Promise<{ key: string; expires_at: string }> {
  await permit(ctx, 'memory.write')
  const { actor } = ctx
  // The server's own jobs pass every permission check, and have no notes.
  if (actor.kind !== 'agent') throw memoryNotYours('')
  const { agentId } = actor
  const { key, note, about = null, days } = input
  const bytes = canonicalBytes(note as Json)
  if (bytes.length > maxNoteBytes) throw noteTooLarge(bytes.length)
  requireAcceptableContent(ctx, note, 'note')
  return inTransaction(ctx, async (tx) => {
    // Two concurrent notes of one agent would both find the last free place.
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`memory:${agentId}`}, 0))`
    const now = tx.clock.now()
    await tx.db.memoryNote.deleteMany({ where: { agentId, expiresAt: { lte: now } } })
    const salt = randomBytes(saltBytes)
    const columns = { about, note: note as object, salt, writtenAt: now, expiresAt: new Date(now.getTime() + days * dayMs) }
    const isKnown = (await tx.db.memoryNote.count({ where: { agentId, key } })) > 0
    if (!isKnown && (await tx.db.memoryNote.count({ where: { agentId } })) >= maxNotes) throw notesFull()
    await tx.db.memoryNote.upsert({ where: { agentId_key: { agentId, key } }, create: { agentId, key, ...columns }, update: columns })
    const hmac = createHmac('sha256', salt).update(bytes).digest('hex')
    const after = { about, hmac_sha256: hmac, expires_at: columns.expiresAt }
    await appendAudit(tx, { stream: `memory:${agentId}`, action: 'memory.write', after })
    return { key, expires_at: columns.expiresAt.toISOString() }
  })
}
