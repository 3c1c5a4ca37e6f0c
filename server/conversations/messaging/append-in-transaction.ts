import { type Envelope, vouchEnvelope } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { statementsOf } from '../../db.ts'
import { type Appended, appendMessage, spell } from '../../delivery/index.ts'
import { traceparentOf } from '../../telemetry/index.ts'
import { envelopeSignatureInvalid, notMember } from '../errors.ts'
import { heard, versioned } from '../rooms/conversation.ts'
import { isSeated, lockTalks, saveTalks } from '../rooms/conversation-store.ts'
import { isSigned, readGiven, requireNotAhead, requireSize, screen, type Wanted, withSignature } from './envelope/check-envelope.ts'
import { draftOf, type Utterance } from './envelope/draft-envelope.ts'
import { switchboardOf } from './group-commit.ts'
import { tellCommitted } from './publish-after-commit.ts'

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

async function checkGiven(tx: Context, given: { [key: string]: unknown }, wanted: Wanted): Promise<Envelope> {
  const envelope = readGiven(given, wanted)
  requireNotAhead(tx, envelope)
  if (!(await isSigned(envelope, spell(envelope)))) throw envelopeSignatureInvalid(envelope.sender_id)
  return envelope
}
