import { type Envelope, transcriptStart } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { channel } from '../wake/notify.ts'
import type { Wake } from '../wake.ts'
import { minNewIdSql } from './append-batch.ts'
import { attachSignature, canonicalizeEnvelope, type SequencedMessage, sequenceMessage } from './encode-message.ts'
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
  /** What this transaction has written, and the lowest id that the log still takes; null where it was there already. */
  readonly written: { readonly message: SequencedMessage; readonly minNewId: string } | null
}

/**
 * Gives the envelope the next sequence number of its group, in the caller's transaction. The group's row is locked from
 * here to the commit, so numbers have no gaps and the order is total. `isOurs`: its id was made by this server just now, so
 * that nobody can have said it before. `from`: how this process calls itself in wakes; it tells its own readers, and where
 * the database doesn't, all other processes too.
 */
export async function appendMessage(
  tx: Context,
  envelope: Envelope & { sig: NonNullable<Envelope['sig']> },
  { isOurs, from }: { readonly isOurs: boolean; readonly from: string },
): Promise<Appended> {
  const groupId = envelope.group_id
  const [group] = await tx.db.$queryRaw<
    { head: number; hash: string; minNewId: string }[]
  >`select g."head", g."hash", ${Prisma.raw(minNewIdSql)} as "minNewId" from "group" g where g."id" = ${groupId} for update`
  if (!group) throw groupNotFound(groupId)
  const spelled = canonicalizeEnvelope(envelope)
  const earlier = isOurs ? null : await findMessage(tx, { groupId, id: envelope.id, minNewId: group.minNewId })
  if (earlier) {
    if (earlier.bodyHash !== spelled.bodyHash) throw envelopeIdReused(envelope.id, earlier.seq)
    return { id: envelope.id, groupId, seq: earlier.seq, hash: earlier.hash, isRepeat: true, written: null }
  }
  if (envelope.id < group.minNewId) throw envelopeStale(envelope.id)
  const message = sequenceMessage(group, attachSignature(spelled, envelope.sig), tx.clock.now())
  await write(tx, message, from)
  const { head, hash } = message
  return { id: envelope.id, groupId, seq: head, hash, isRepeat: false, written: { message, minNewId: group.minNewId } }
}

/** The message, its log's new end and the signal to other processes in one statement. */
async function write(
  tx: Context,
  { canonical: { envelope, bodyHash }, head, hash, body, receivedAt }: SequencedMessage,
  from: string,
): Promise<void> {
  const { id, group_id: groupId, sender_id: senderId, type, state, task_id: taskId } = envelope
  const signal: Wake = { topic: 'group', id: groupId, seq: head, from }
  const tell = tx.ports.wakes.byDatabase ? Prisma.sql`, pg_notify(${channel}, ${JSON.stringify(signal)})` : Prisma.empty
  await tx.db.$executeRaw`
    with said as (
      insert into "message" ("groupId", "seq", "id", "senderId", "type", "state", "taskId", "body", "bodyHash", "hash", "receivedAt")
      values (${groupId}, ${head}, ${id}::uuid, ${senderId}, ${type}, ${state}, ${taskId ?? null}, ${body.toString()}, ${bodyHash}, ${hash}, ${receivedAt})),
    moved as (update "group" set "head" = ${head}, "hash" = ${hash} where "id" = ${groupId})
    select 1${tell}`
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
