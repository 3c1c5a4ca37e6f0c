import type { ConversationState, DeliveredEnvelope, Did, EnvelopeDraft, GroupId, Json, Part, SpeechAct, TaskId } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { traceparentOf } from '../../../telemetry/index.ts'

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
