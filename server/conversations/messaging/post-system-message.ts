import { type ConversationState, limits, signEnvelope } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { type Appended, appendMessage } from '../../delivery/index.ts'
import { envelopeTooLarge } from '../errors.ts'
import { draftSystemMessage, type SystemMessage } from './envelope/draft-system-message.ts'
import { groupCommitWriterOf } from './group-commit-writer.ts'
import { publishMessageAfterCommit } from './publish-message-after-commit.ts'

/**
 * Signs a message with the server's key and appends it, in the transaction of the change that it reports.
 * @throws request.too_large if the data of a command exceeds the size of one message
 */
export async function postSystemMessage(tx: Context, message: SystemMessage): Promise<Appended> {
  const { roomId } = message
  const [conversation] = message.state
    ? []
    : await tx.db.$queryRaw<{ state: ConversationState }[]>`select "state"::text as "state" from "conversation" where "roomId" = ${roomId}`
  const envelope = await signEnvelope(tx.ports.signer, draftSystemMessage(tx, message, conversation?.state ?? 'discussion'))
  if (!envelope.sig) throw new Error('signEnvelope left its signature out')
  const bytes = Buffer.byteLength(JSON.stringify(envelope))
  if (bytes > limits.envelopeBytes) throw envelopeTooLarge(bytes)
  const appended = await appendMessage(tx, { ...envelope, sig: envelope.sig }, { isOurs: true, from: groupCommitWriterOf(tx).name })
  if (appended.written) publishMessageAfterCommit(tx, appended.written, null)
  return appended
}
