import { hash } from 'node:crypto'
import type { Envelope, PostMessage } from '@parley/protocol'
import { canonicalize, limits, readSpeechAct, uuidv7 } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction, statementsOf } from '../../db.ts'
import {
  attachSignature,
  canonicalizeEnvelope,
  claimIdempotencyKey,
  findMessageById,
  type SignedCanonicalEnvelope,
} from '../../delivery/index.ts'
import { envelopeSignatureInvalid, envelopeTooLarge, notMember } from '../errors.ts'
import { isMember } from '../rooms/conversation-store.ts'
import type { PostContent } from '../rooms/message-budget-store.ts'
import { canonicalizeParts, type PostTemplate } from './envelope/canonicalize-post.ts'
import { assertSigned, isSignedBySender, requireNotInFuture, screenMessage } from './envelope/envelope-policy.ts'
import { parseEnvelope } from './envelope/parse-envelope.ts'
import { delegationFor, requireDelegableContent } from './require-delegable-content.ts'

/**
 * A post that passed every check that needs no room state. Membership is checked when the batch is authorized.
 * `signed`: carries the sender's signature. `vouched`: the server signs it when the conversation state is known. `delegation` is the
 * canonical JSON of the permission for that; null if the sender has no key.
 * `isRedelivered`: an earlier request or another process had it, and may have written it.
 */
export type ValidatedPost = PostContent & { readonly roomId: string; readonly bytes: number; readonly isRedelivered?: boolean } & (
    | { readonly kind: 'signed'; readonly signedEnvelope: SignedCanonicalEnvelope }
    | { readonly kind: 'vouched'; readonly template: PostTemplate; readonly delegation: string | null }
  )

/** The id for deduplication in the log; null if the server created a new id and no duplicate can exist. */
export function dedupeId(post: ValidatedPost): string | null {
  if (post.kind === 'signed') return post.signedEnvelope.canonical.envelope.id
  return post.isRedelivered ? post.template.id : null
}

export const postId = (post: ValidatedPost): string =>
  post.kind === 'signed' ? post.signedEnvelope.canonical.envelope.id : post.template.id

/** Checks everything that needs no room state: shape, sender, signature, size and content. Only a signature or a key makes it asynchronous. */
export function validatePost(ctx: Context, input: PostMessage): ValidatedPost | Promise<ValidatedPost> {
  const { actor } = ctx
  const roomId = input.room_id
  if (actor.kind !== 'person' && actor.kind !== 'agent') throw notMember(roomId, actor.kind)
  const { did: sender, kind: by } = actor
  if (input.envelope) return validateSigned(ctx, { roomId, sender, by }, input.envelope)
  requireDelegableContent(actor, input)
  const content = {
    act: readSpeechAct(input.act),
    parts: input.parts,
    ...(input.to === undefined ? {} : { to: input.to }),
    ...(input.reply_to === undefined ? {} : { replyTo: input.reply_to }),
  }
  screenMessage(ctx, input)
  const { parts, to: next = [] } = input
  const spelledParts = canonicalizeParts(parts)
  const bytes = spelledParts.reduce((sum, { length }) => sum + length, 0)
  requirePartsSize(spelledParts, bytes)
  const vouched = (id: string, delegation = delegationFor(actor, { roomId, id })) => {
    const template = { id, roomId, sender, content, parts: spelledParts }
    return { kind: 'vouched', roomId, sender, by, parts, next, template, bytes, delegation } as const
  }
  if (input.key === undefined) return vouched(ctx.ids.uuid())
  const again = async (id: string) => {
    try {
      return vouched(id)
    } catch (error) {
      // The delegation of an earlier request may have ended. If the log has its message, the server signs nothing.
      if ((await findMessageById(ctx, { roomId, id })) === null) throw error
      return vouched(id, null)
    }
  }
  // A repetition may find the message in the log, as a redelivered post may.
  return claimMessageId(ctx, input, { sender, key: input.key }).then(async (id) => ({ ...(await again(id)), isRedelivered: true }))
}

/**
 * The id of a message that its sender may repeat. It is a UUIDv7 of the time of the first request, and a hash of sender, room and key.
 * @throws request.id_reused, room.not_member
 */
async function claimMessageId(ctx: Context, input: PostMessage, { sender, key }: { sender: string; key: string }): Promise<string> {
  const roomId = input.room_id
  const at = await inTransaction(ctx, async (tx) => {
    if (!(await isMember(statementsOf(tx), roomId, sender))) throw notMember(roomId, sender)
    return claimIdempotencyKey(tx, `${roomId}:${key}`, input)
  })
  return uuidv7(at.getTime(), hash('sha256', canonicalize([sender, roomId, key]), 'buffer'))
}

/** Applies the size limit of a signed envelope, including the fields beside the parts. `length`: of all pieces, in UTF-16 units. */
function requirePartsSize(pieces: readonly string[], length: number): void {
  const maxBytes = limits.envelopeBytes - besidePartsBytes
  // One UTF-16 unit takes at most three bytes in UTF-8.
  if (3 * length <= maxBytes) return
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  if (bytes > maxBytes) throw envelopeTooLarge(bytes + besidePartsBytes)
}
/** Up to 64 recipients, and the fields that the server adds. */
const besidePartsBytes = 8_192

async function validateSigned(
  ctx: Context,
  who: { readonly roomId: string; readonly sender: string; readonly by: PostContent['by'] },
  given: { [key: string]: unknown },
): Promise<ValidatedPost> {
  const { roomId, sender } = who
  const envelope = parseEnvelope(given, { roomId, sender, act: null, taskId: undefined })
  requireNotInFuture(ctx, envelope)
  const spelled = canonicalizeEnvelope(envelope)
  if (!(await isSignedBySender(envelope, spelled))) throw envelopeSignatureInvalid(sender)
  screenMessage(ctx, envelope)
  const { sig } = assertSigned(envelope)
  return { kind: 'signed', ...who, ...contentOf(envelope), signedEnvelope: attachSignature(spelled, sig), bytes: spelled.signed.length }
}

/** The content of a signed envelope, and whom it asks to speak next. */
export function contentOf({ parts, next_speakers, expects, to = [] }: Envelope): Pick<PostContent, 'parts' | 'next'> {
  return { parts, next: next_speakers ?? (expects === 'reply' ? to : []) }
}
