import { type ConversationState, limits, signEnvelope } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { type Appended, appendMessage } from '../../delivery/index.ts'
import { envelopeTooLarge } from '../errors.ts'
import { draftSystemMessage, type SystemMessage } from './envelope/draft-system-message.ts'
import { messageWriterOf } from './group-commit.ts'
import { publishAfterCommit } from './publish-after-commit.ts'

/**
 * Signs with the server's key and appends. Call it in the transaction of the change that it tells of.
 * @throws request.too_large where the data that a command brought does not fit into one message
 */
export async function postSystemMessage(tx: Context, message: SystemMessage): Promise<Appended> {
  const { groupId } = message
  const [conversation] = message.state
    ? []
    : await tx.db.$queryRaw<
        { state: ConversationState }[]
      >`select "state"::text as "state" from "conversation" where "groupId" = ${groupId}`
  const envelope = await signEnvelope(tx.ports.signer, draftSystemMessage(tx, message, conversation?.state ?? 'discussion'))
  if (!envelope.sig) throw new Error('signEnvelope left its signature out')
  const bytes = Buffer.byteLength(JSON.stringify(envelope))
  if (bytes > limits.envelopeBytes) throw envelopeTooLarge(bytes)
  const appended = await appendMessage(tx, { ...envelope, sig: envelope.sig }, { isOurs: true, from: messageWriterOf(tx).name })
  if (appended.written) publishAfterCommit(tx, appended.written, null)
  return appended
}
