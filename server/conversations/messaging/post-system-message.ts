import { type ConversationState, limits, signEnvelope } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { type Appended, appendMessage } from '../../delivery/index.ts'
import { envelopeTooLarge } from '../errors.ts'
import { type Announcement, noticeOf } from './envelope/draft-system-message.ts'
import { switchboardOf } from './group-commit.ts'
import { tellCommitted } from './publish-after-commit.ts'

/**
 * Signs with the server's key and appends. Call it in the transaction of the change that it tells of.
 * @throws request.too_large where the data that a command brought does not fit into one message
 */
export async function announce(tx: Context, announcement: Announcement): Promise<Appended> {
  const { groupId } = announcement
  const [conversation] = announcement.state
    ? []
    : await tx.db.$queryRaw<
        { state: ConversationState }[]
      >`select "state"::text as "state" from "conversation" where "groupId" = ${groupId}`
  const envelope = await signEnvelope(tx.ports.signer, noticeOf(tx, announcement, conversation?.state ?? 'discussion'))
  if (!envelope.sig) throw new Error('signEnvelope left its signature out')
  const bytes = Buffer.byteLength(JSON.stringify(envelope))
  if (bytes > limits.envelopeBytes) throw envelopeTooLarge(bytes)
  const appended = await appendMessage(tx, { ...envelope, sig: envelope.sig }, { isOurs: true, from: switchboardOf(tx).name })
  if (appended.written) tellCommitted(tx, appended.written, null)
  return appended
}
