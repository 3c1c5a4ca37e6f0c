import { type Envelope, transcriptStart } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { channel } from '../signals/postgres-notify.ts'
import type { Signal } from '../signals/signal.ts'
import { minNewIdSql } from './append-batch.ts'
import { envelopeIdReused, envelopeStale, roomNotFound } from './errors.ts'
import { findMessageById } from './find-message-by-id.ts'
import { attachSignature, canonicalizeEnvelope, type SequencedMessage, sequenceMessage } from './sequence-message.ts'

export type Appended = {
  readonly id: string
  readonly roomId: string
  readonly seq: number
  /** The hash chain value at this message. */
  readonly hash: string
  /** True if the log already held the message, because its sender repeated it. */
  readonly isRepeat: boolean
  /** What this transaction wrote, and the lowest id that the log still accepts; null for a duplicate. */
  readonly written: { readonly message: SequencedMessage; readonly minNewId: string } | null
}

/**
 * Assigns the next sequence number of the room and appends the envelope, in the caller's transaction.
 * The room's row stays locked until the commit, so numbers have no gaps and the order is total.
 * `isOurs`: this server just created the id, so no duplicate exists. `from`: the name of this process in change signals.
 */
export async function appendMessage(
  tx: Context,
  envelope: Envelope & { sig: NonNullable<Envelope['sig']> },
  { isOurs, from }: { readonly isOurs: boolean; readonly from: string },
): Promise<Appended> {
  const roomId = envelope.room_id
  const [room] = await tx.db.$queryRaw<
    { head: number; hash: string; minNewId: string }[]
  >`select g."head", g."hash", ${Prisma.raw(minNewIdSql)} as "minNewId" from "room" g where g."id" = ${roomId} for update`
  if (!room) throw roomNotFound(roomId)
  const spelled = canonicalizeEnvelope(envelope)
  const earlier = isOurs ? null : await findMessageById(tx, { roomId, id: envelope.id, minNewId: room.minNewId })
  if (earlier) {
    if (earlier.bodyHash !== spelled.bodyHash) throw envelopeIdReused(envelope.id, earlier.seq)
    return { id: envelope.id, roomId, seq: earlier.seq, hash: earlier.hash, isRepeat: true, written: null }
  }
  if (envelope.id < room.minNewId) throw envelopeStale(envelope.id)
  const message = sequenceMessage(room, attachSignature(spelled, envelope.sig), tx.clock.now())
  await write(tx, message, from)
  const { head, hash } = message
  return { id: envelope.id, roomId, seq: head, hash, isRepeat: false, written: { message, minNewId: room.minNewId } }
}

/** One statement inserts the message, advances the head and sends the signal. */
async function write(
  tx: Context,
  { canonical: { envelope, bodyHash }, head, hash, body, receivedAt }: SequencedMessage,
  from: string,
): Promise<void> {
  const { id, room_id: roomId, sender_id: senderId, type, state, task_id: taskId } = envelope
  const signal: Signal = { topic: 'room', id: roomId, seq: head, from }
  const notify = tx.ports.signals.isTransactional ? Prisma.sql`, pg_notify(${channel}, ${JSON.stringify(signal)})` : Prisma.empty
  await tx.db.$executeRaw`
    with said as (
      insert into "message" ("roomId", "seq", "id", "senderId", "type", "state", "taskId", "body", "bodyHash", "hash", "receivedAt")
      values (${roomId}, ${head}, ${id}::uuid, ${senderId}, ${type}, ${state}, ${taskId ?? null}, ${body.toString()}, ${bodyHash}, ${hash}, ${receivedAt})),
    moved as (update "room" set "head" = ${head}, "hash" = ${hash} where "id" = ${roomId})
    select 1${notify}`
}

/** Opens an empty ordered log. */
export async function openLog(tx: Context, room: { id: string; kind: 'room' | 'inbox' }): Promise<void> {
  await tx.db.room.create({ data: { ...room, hash: transcriptStart, createdAt: tx.clock.now() } })
}

/** Opens an agent's inbox: a log that only the server writes and only that agent reads. The agent's listing stores its id. */
export async function openInbox(tx: Context): Promise<`inb_${string}`> {
  const id = tx.ids.next('inb')
  await openLog(tx, { id, kind: 'inbox' })
  return id
}
