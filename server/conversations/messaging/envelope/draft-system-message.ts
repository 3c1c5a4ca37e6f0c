import type { ConversationState, DeliveredEnvelope, Did, EnvelopeDraft, Json, Part, RoomId, SpeechAct, TaskId } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { formatTraceparent } from '../../../telemetry/index.ts'

/** A message of the server in a room or an inbox. `kind` names the data part; `payment` states facts about money. */
export type SystemMessage = {
  readonly roomId: string
  readonly act?: SpeechAct
  readonly state?: DeliveredEnvelope['state']
  readonly kind: string
  readonly data: { readonly [key: string]: Json }
  readonly text?: string
  readonly taskId?: string
  readonly to?: readonly string[]
  readonly payment?: { readonly [key: string]: Json }
}

/** The unsigned envelope. `state`: the current state of the conversation, used unless the message sets another one. */
export function draftSystemMessage(ctx: Context, message: SystemMessage, state: ConversationState): EnvelopeDraft {
  const { trace } = ctx
  const parts: Part[] = [{ data: { kind: message.kind, ...message.data } }]
  if (message.text) parts.unshift({ text: message.text })
  return {
    id: ctx.ids.uuid(),
    room_id: message.roomId as RoomId,
    sender_id: ctx.market.serverDid as Did,
    state: message.state ?? state,
    type: message.act ?? 'discussion',
    parts,
    ...(message.taskId === undefined ? {} : { task_id: message.taskId as TaskId }),
    ...(message.to === undefined ? {} : { to: [...message.to] as Did[] }),
    ...(trace ? { traceparent: formatTraceparent(trace) } : {}),
    ...(message.payment === undefined ? {} : { payment: { ...message.payment } }),
  }
}
