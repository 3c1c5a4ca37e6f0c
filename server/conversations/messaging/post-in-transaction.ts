import { type Envelope, hasOwnKey, vouchEnvelope } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { statementsOf } from '../../db.ts'
import { type Appended, appendMessage, canonicalizeEnvelope } from '../../delivery/index.ts'
import { formatTraceparent } from '../../telemetry/index.ts'
import { envelopeAlreadyRecorded, envelopeSignatureInvalid, notMember, signatureRequired } from '../errors.ts'
import { applyMessage, bumpVersion } from '../rooms/conversation.ts'
import { isMember, lockConversations, saveConversations } from '../rooms/conversation-store.ts'
import { draftEnvelope, type MessageContent } from './envelope/draft-envelope.ts'
import { assertSigned, isSignedBySender, requireEnvelopeSize, requireNotInFuture, screenMessage } from './envelope/envelope-policy.ts'
import { type ExpectedEnvelope, parseEnvelope } from './envelope/parse-envelope.ts'
import { type RecordedContent, requireCommandContentInEnvelope } from './envelope/require-command-content-in-envelope.ts'
import { groupCommitWriterOf } from './group-commit-writer.ts'
import { publishMessageAfterCommit } from './publish-message-after-commit.ts'

/**
 * `records`: what the signed envelope must contain, so that the log shows the command that takes effect.
 * `mayRepeat`: the command has no effect that an old envelope could repeat. All others refuse an envelope that is already in the log.
 */
export type CommandMessage = {
  readonly roomId: string
  readonly given?: { [key: string]: unknown } | undefined
  readonly message: MessageContent
  readonly records?: RecordedContent
  readonly anyAct?: boolean
  readonly mayRepeat?: boolean
}

/**
 * Posts a member's message in the caller's transaction.
 * `given`: the envelope that the sender signed, for this room, act and task. Without it the server drafts one from `post` and signs it for
 * the login of a sender without a key. An agent with a key signs each message that records a command: none of them can be delegated.
 * @throws envelope.signature_required, envelope.sender_mismatch, envelope.id_reused
 */
export async function postInTransaction(tx: Context, input: CommandMessage): Promise<Appended & { envelope: Envelope }> {
  const { roomId, message: content } = input
  const { actor } = tx
  if (actor.kind !== 'person' && actor.kind !== 'agent') throw notMember(roomId, actor.kind)
  const statements = statementsOf(tx)
  // The row lock serializes concurrent messages, so that each one changes the conversation that the previous one left.
  const row = (await lockConversations(statements, [roomId], [actor.did])).get(roomId)
  if (!row?.members.has(actor.did)) throw notMember(roomId, actor.did)
  if (!input.given && hasOwnKey(actor.did)) throw signatureRequired(actor.did, `a message of the type ${content.act} records a command`)
  const { conversation } = row
  const envelope = input.given
    ? await validateSignedEnvelope(tx, input.given, {
        roomId,
        sender: actor.did,
        act: input.anyAct ? null : content.act,
        taskId: content.taskId,
      })
    : await vouchEnvelope(tx.ports.signer, {
        ...draftEnvelope({ id: tx.ids.uuid(), roomId, sender: actor.did, content, state: content.state ?? conversation.state }),
        ...(tx.trace ? { traceparent: formatTraceparent(tx.trace) } : {}),
      })
  if (input.given && input.records) requireCommandContentInEnvelope(envelope, input.records)
  screenMessage(tx, envelope)
  if (!input.given) requireEnvelopeSize(envelope)
  const appended = await appendMessage(tx, assertSigned(envelope), { isOurs: !input.given, from: groupCommitWriterOf(tx).name })
  if (appended.isRepeat && !input.mayRepeat) throw envelopeAlreadyRecorded(envelope.id, appended.seq)
  if (appended.written) {
    // A sender who was removed while this waited for the lock may no longer post.
    if (!(await isMember(statements, roomId, actor.did))) throw notMember(roomId, actor.did)
    const conversationAfter = bumpVersion(conversation, applyMessage(conversation, envelope, row.clientId))
    if (conversationAfter !== conversation) await saveConversations(statements, [conversationAfter])
    publishMessageAfterCommit(tx, appended.written, { ...row, conversation: conversationAfter })
  }
  return { ...appended, envelope }
}

async function validateSignedEnvelope(tx: Context, given: { [key: string]: unknown }, wanted: ExpectedEnvelope): Promise<Envelope> {
  const envelope = parseEnvelope(given, wanted)
  requireNotInFuture(tx, envelope)
  if (!(await isSignedBySender(envelope, canonicalizeEnvelope(envelope)))) throw envelopeSignatureInvalid(envelope.sender_id)
  return envelope
}
