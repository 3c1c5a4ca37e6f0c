import {
  type ConversationState,
  canonicalBytes,
  type Did,
  type Envelope,
  type EnvelopeDraft,
  type GroupId,
  type Json,
  limits,
  type Part,
  readEnvelope,
  type SpeechAct,
  type TaskId,
  vouchEnvelope,
} from '@parley/protocol'
import type { Context } from '../../context.ts'
import { statementsOf } from '../../db.ts'
import { type Appended, appendMessage, envelopeAhead, type Spelled, spell } from '../../delivery/index.ts'
import { verifySignature } from '../../identity/index.ts'
import { traceparentOf } from '../../telemetry/index.ts'
import { contentRefused, envelopeMalformed, envelopeSignatureInvalid, envelopeTooLarge, notMember, senderMismatch } from '../errors.ts'
import { heard, versioned } from '../rooms/conversation.ts'
import { isSeated, lockTalks, saveTalks } from '../rooms/conversation-store.ts'
import { switchboardOf } from './group-commit.ts'
import { tellCommitted } from './publish-after-commit.ts'

/** What a verb says in a room, where the sender has not signed an envelope of its own. */
export type Utterance = {
  readonly act: SpeechAct
  readonly state?: ConversationState
  readonly parts: readonly Part[]
  readonly taskId?: string
  readonly mode?: 'sync' | 'async'
  readonly to?: readonly string[]
  readonly replyTo?: string
  readonly taskDesc?: string
}

/**
 * Puts a member's words into the room, in the caller's transaction. `given` is the envelope the sender signed: it must be
 * the sender's, for this room, this act and this task. Without one the server writes `say` and vouches for the login.
 */
export async function speak(
  tx: Context,
  input: { groupId: string; given?: { [key: string]: unknown } | undefined; say: Utterance; anyAct?: boolean },
): Promise<Appended & { envelope: Envelope }> {
  const { groupId, say } = input
  const { actor } = tx
  if (actor.kind !== 'person' && actor.kind !== 'agent') throw notMember(groupId, actor.kind)
  const statements = statementsOf(tx)
  // Two members speaking at once take turns here, so that each moves the conversation the other has left.
  const talk = (await lockTalks(statements, [groupId], [actor.did])).get(groupId)
  if (!talk?.members.has(actor.did)) throw notMember(groupId, actor.did)
  const { conversation } = talk
  const envelope = input.given
    ? await checkGiven(tx, input.given, { groupId, sender: actor.did, act: input.anyAct ? null : say.act, taskId: say.taskId })
    : await vouchEnvelope(tx.ports.signer, {
        ...draftOf({ id: tx.ids.uuid(), groupId, sender: actor.did, say, state: say.state ?? conversation.state }),
        ...(tx.trace ? { trace: traceparentOf(tx.trace) } : {}),
      })
  screen(tx, envelope)
  if (!input.given) requireSize(envelope)
  const appended = await appendMessage(tx, withSignature(envelope), { isOurs: !input.given, from: switchboardOf(tx).name })
  if (appended.written) {
    // Who was removed while this waited for the room has no word after that.
    if (!(await isSeated(statements, groupId, actor.did))) throw notMember(groupId, actor.did)
    const saved = versioned(conversation, heard(conversation, envelope, talk.clientId))
    if (saved !== conversation) await saveTalks(statements, [saved])
    tellCommitted(tx, appended.written, { ...talk, conversation: saved })
  }
  return { ...appended, envelope }
}

/** What the server vouches for is no larger than what a sender may sign. @throws request.too_large */
function requireSize(envelope: Envelope): void {
  const bytes = canonicalBytes(envelope as Json).length
  if (bytes > limits.envelopeBytes) throw envelopeTooLarge(bytes)
}

type Draft = { readonly id: string; readonly groupId: string; readonly sender: string; readonly say: Utterance }

export function draftOf(input: Draft & { readonly state: ConversationState }): EnvelopeDraft {
  const { say } = input
  return {
    id: input.id,
    group_id: input.groupId as GroupId,
    sender_id: input.sender as Did,
    state: input.state,
    type: say.act,
    parts: [...say.parts],
    ...(say.taskId === undefined ? {} : { task_id: say.taskId as TaskId }),
    ...(say.mode === undefined ? {} : { mode: say.mode }),
    ...(say.to === undefined ? {} : { to: [...say.to] as Did[] }),
    ...(say.replyTo === undefined ? {} : { reply_to: say.replyTo }),
    ...(say.taskDesc === undefined ? {} : { task_desc: say.taskDesc }),
  }
}

type Wanted = { groupId: string; sender: string; act: SpeechAct | null; taskId: string | undefined }

async function checkGiven(tx: Context, given: { [key: string]: unknown }, wanted: Wanted): Promise<Envelope> {
  const envelope = readGiven(given, wanted)
  requireNotAhead(tx, envelope)
  if (!(await isSigned(envelope, spell(envelope)))) throw envelopeSignatureInvalid(envelope.sender_id)
  return envelope
}

/** Whether the sender's own key signed it. */
export async function isSigned({ sig, sender_id }: Envelope, spelled: Spelled): Promise<boolean> {
  if (sig?.alg !== 'EdDSA' || sig.kid !== sender_id || sig.path !== undefined) return false
  return verifySignature(sender_id, spelled.signed, sig.value)
}

/** The envelope that a sender gives, as far as it can be read without its signature; what only the server sets is left out. */
export function readGiven(given: { [key: string]: unknown }, wanted: Wanted): Envelope {
  const read = readEnvelope(given as Json)
  if (!read.ok) throw envelopeMalformed(read.fault.code, read.fault.detail)
  const { envelope } = read
  if (envelope.group_id !== wanted.groupId) throw senderMismatch('group_id', wanted.groupId, envelope.group_id)
  if (envelope.sender_id !== wanted.sender) throw senderMismatch('sender_id', wanted.sender, envelope.sender_id)
  if (wanted.act !== null && envelope.type !== wanted.act) throw senderMismatch('type', wanted.act, envelope.type)
  if (wanted.taskId !== undefined && envelope.task_id !== wanted.taskId)
    throw senderMismatch('task_id', wanted.taskId, envelope.task_id ?? 'missing')
  if (envelope.payment !== undefined) throw senderMismatch('payment', 'nothing', 'facts about money, which only the server states')
  const { seq: _seq, received_at: _receivedAt, ...sent } = envelope
  return sent as Envelope
}

/** What a sender's clock may be ahead of ours. */
const mostAheadMs = 600_000

/** Messages are kept by the time that their id begins with. @throws envelope.stale */
export function requireNotAhead({ clock }: Pick<Context, 'clock'>, { id }: Pick<Envelope, 'id'>): void {
  const at = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  if (at > clock.now().getTime() + mostAheadMs) throw envelopeAhead(id)
}

export function withSignature(envelope: Envelope): Envelope & { sig: NonNullable<Envelope['sig']> } {
  if (!envelope.sig) throw new Error('an unsigned envelope got past its check')
  return { ...envelope, sig: envelope.sig }
}

export function screen(tx: Context, envelope: Pick<Partial<Envelope>, 'task_desc' | 'task_abstract'> & Pick<Envelope, 'parts'>): void {
  const look = (text: string | undefined) => {
    const verdict = text === undefined ? null : tx.ports.screen.text(text)
    if (verdict?.answer === 'refuse') throw contentRefused(verdict.reason)
  }
  look(envelope.task_desc)
  look(envelope.task_abstract)
  for (const { text, data, artifact } of envelope.parts) {
    look(text)
    if (data !== undefined) look(JSON.stringify(data))
    look(artifact?.name)
  }
}
