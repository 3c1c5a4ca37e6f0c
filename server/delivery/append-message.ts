import { createHash } from 'node:crypto'
import { canonicalize, chainHash, type DeliveredEnvelope, type Envelope, type Json, signedBytes, transcriptStart } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { wake } from '../wake.ts'
import { horizonText } from './append-batch.ts'
import { envelopeIdReused, envelopeStale, groupNotFound } from './errors.ts'
import { findMessage } from './find-message.ts'

export type Appended = {
  readonly id: string
  readonly groupId: string
  readonly seq: number
  /** The room's chain hash at this message. */
  readonly hash: string
  /** True where the message was there already: the sender repeated it. */
  readonly isRepeat: boolean
}

/**
 * Gives the envelope the next sequence number of its group, in the caller's transaction. The group's row is locked from
 * here to the commit, so numbers have no gaps and the order is total.
 */
export async function appendMessage(tx: Context, envelope: Envelope & { sig: NonNullable<Envelope['sig']> }): Promise<Appended> {
  const groupId = envelope.group_id
  const [group] = await tx.db.$queryRaw<
    { head: number; hash: string; horizon: string }[]
  >`select g."head", g."hash", ${Prisma.raw(horizonText)} as "horizon" from "group" g where g."id" = ${groupId} for update`
  if (!group) throw groupNotFound(groupId)
  const bodyHash = createHash('sha256').update(signedBytes(envelope)).digest('hex')
  const earlier = await findMessage(tx, { groupId, id: envelope.id, horizon: group.horizon })
  if (earlier) {
    if (earlier.bodyHash !== bodyHash) throw envelopeIdReused(envelope.id, earlier.seq)
    return { id: envelope.id, groupId, seq: earlier.seq, hash: earlier.hash, isRepeat: true }
  }
  if (envelope.id < group.horizon) throw envelopeStale(envelope.id)
  const receivedAt = tx.clock.now()
  const seq = group.head + 1
  const delivered: DeliveredEnvelope = { ...envelope, seq, received_at: receivedAt.toISOString() }
  const hash = await chainHash(group.hash, delivered)
  await tx.db.message.create({
    data: {
      groupId,
      seq,
      id: envelope.id,
      senderId: envelope.sender_id,
      type: envelope.type,
      state: envelope.state,
      taskId: envelope.task_id ?? null,
      body: canonicalize(delivered as Json),
      bodyHash,
      hash,
      receivedAt,
    },
  })
  await tx.db.group.update({ where: { id: groupId }, data: { head: seq, hash } })
  await wake(tx, { topic: 'group', id: groupId, seq })
  return { id: envelope.id, groupId, seq, hash, isRepeat: false }
}

/** Opens an empty ordered log. */
export async function openGroup(tx: Context, group: { id: string; kind: 'room' | 'inbox' }): Promise<void> {
  await tx.db.group.create({ data: { ...group, hash: transcriptStart, createdAt: tx.clock.now() } })
}

/** Opens an agent's inbox: a log that only the server writes and only that agent reads. Its listing remembers whose it is. */
export async function openInbox(tx: Context): Promise<`inb_${string}`> {
  const id = tx.ids.next('inb')
  await openGroup(tx, { id, kind: 'inbox' })
  return id
}
