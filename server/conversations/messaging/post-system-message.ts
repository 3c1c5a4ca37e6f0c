import {
  type ConversationState,
  type DeliveredEnvelope,
  type Did,
  type EnvelopeDraft,
  type GroupId,
  type Json,
  limits,
  type Part,
  type SpeechAct,
  signEnvelope,
  type TaskId,
} from '@parley/protocol'
import type { Context } from '../../context.ts'
import { type Appended, appendMessage } from '../../delivery/index.ts'
import { traceparentOf } from '../../telemetry/index.ts'
import { envelopeTooLarge } from '../errors.ts'
import { switchboardOf } from './group-commit.ts'
import { tellCommitted } from './publish-after-commit.ts'

/** What the server itself says, in a room or an inbox. `kind` names the data part; `payment` states facts about money. */
export type Announcement = {
  readonly groupId: string
  readonly act?: SpeechAct
  readonly state?: DeliveredEnvelope['state']
  readonly kind: string
  readonly data: { readonly [key: string]: Json }
  readonly text?: string
  readonly taskId?: string
  readonly to?: readonly string[]
  readonly payment?: { readonly [key: string]: Json }
}

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

/** Its envelope, before the server's signature. `state`: where the talk stands, unless the announcement moves it. */
export function noticeOf(ctx: Context, announcement: Announcement, state: ConversationState): EnvelopeDraft {
  const { trace } = ctx
  const parts: Part[] = [{ data: { kind: announcement.kind, ...announcement.data } }]
  if (announcement.text) parts.unshift({ text: announcement.text })
  return {
    id: ctx.ids.uuid(),
    group_id: announcement.groupId as GroupId,
    sender_id: ctx.market.serverDid as Did,
    state: announcement.state ?? state,
    type: announcement.act ?? 'discussion',
    parts,
    ...(announcement.taskId === undefined ? {} : { task_id: announcement.taskId as TaskId }),
    ...(announcement.to === undefined ? {} : { to: [...announcement.to] as Did[] }),
    ...(trace ? { trace: traceparentOf(trace) } : {}),
    ...(announcement.payment === undefined ? {} : { payment: { ...announcement.payment } }),
  }
}
