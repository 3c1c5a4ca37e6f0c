import {
  canonicalize,
  type Did,
  type ErasureRequester,
  type Json,
  type RoomId,
  readConversationState,
  signEnvelope,
  tombstoneKind,
  transcriptStart,
} from '@parley/protocol'
import type { Context } from '../context.ts'
import { eraseInDetached } from './archive/rewrite-erased-files.ts'
import { schedule } from './outbox.ts'
import { readStoredMessages, type StoredMessage } from './read-stored-messages.ts'
import { canonicalizeEnvelope } from './sequence-message.ts'

/** The job that removes erased messages from archive files. */
export const rewriteFilesTask = 'rewrite-erased-files'

/**
 * Replaces a stored message permanently with a message of the server, the tombstone, in the caller's transaction.
 * The sequence number, the id and the hash chain stay. In an archive file it is hidden at once and removed by a job.
 * `message`: as stored now. Does nothing if it was erased before.
 */
export async function eraseMessageBody(
  tx: Context,
  input: { roomId: string; message: StoredMessage & { readonly envelope: StoredFacts }; requester: ErasureRequester },
): Promise<void> {
  const { roomId, message, requester } = input
  const { seq } = message
  if (await tx.db.erasedMessage.findUnique({ where: { roomId_seq: { roomId, seq } }, select: { seq: true } })) return
  const at = tx.clock.now()
  const [before] = seq === 1 ? [{ hash: transcriptStart }] : await readStoredMessages(tx, { roomId, after: seq - 2, limit: 1 })
  if (!before) throw new Error(`${roomId} has nothing before ${seq}`)
  const { envelope } = message
  const stands = await signEnvelope(tx.ports.signer, {
    id: envelope.id,
    room_id: roomId as RoomId,
    sender_id: tx.market.serverDid as Did,
    state: readConversationState(envelope.state),
    type: 'discussion',
    parts: [
      { text: `Message ${seq} of this room was erased.` },
      {
        data: {
          ...{ kind: tombstoneKind, seq, sender_id: envelope.sender_id, requester, erased_at: at.toISOString() },
          ...{ previous: before.hash, hash: message.hash },
        },
      },
    ],
  })
  const placeholder = canonicalize({ ...stands, seq, received_at: envelope.received_at } as Json)
  const { bodyHash } = canonicalizeEnvelope(stands)
  const { id } = envelope
  await tx.db.erasedMessage.create({ data: { roomId, seq, id, placeholder, bodyHash, at, isArchiveRedacted: false } })
  const { count } = await tx.db.message.updateMany({ where: { roomId, seq, id }, data: { body: placeholder, bodyHash } })
  if (count === 1) {
    await tx.db.erasedMessage.update({ where: { roomId_seq: { roomId, seq } }, data: { isArchiveRedacted: true } })
    return
  }
  await eraseInDetached(tx, { roomId, seq, body: placeholder, bodyHash })
  await schedule(tx, rewriteFilesTask, {}, { jobKey: rewriteFilesTask, queue: rewriteFilesTask })
}

/** What is kept of an erased envelope. */
export type StoredFacts = {
  readonly id: string
  readonly sender_id: string
  readonly state: string
  readonly received_at: string
}
