import type { ConversationState, Did, EnvelopeDraft, Part, RoomId, SpeechAct, TaskId } from '@parley/protocol'

/** What a command posts in a room if the sender did not sign an envelope. */
export type MessageContent = {
  readonly act: SpeechAct
  readonly state?: ConversationState
  readonly parts: readonly Part[]
  readonly taskId?: string
  readonly mode?: 'sync' | 'async'
  readonly to?: readonly string[]
  readonly replyTo?: string
  readonly taskDesc?: string
}

type EnvelopeInput = { readonly id: string; readonly roomId: string; readonly sender: string; readonly content: MessageContent }

export function draftEnvelope(input: EnvelopeInput & { readonly state: ConversationState }): EnvelopeDraft {
  const { content } = input
  return {
    id: input.id,
    room_id: input.roomId as RoomId,
    sender_id: input.sender as Did,
    state: input.state,
    type: content.act,
    parts: [...content.parts],
    ...(content.taskId === undefined ? {} : { task_id: content.taskId as TaskId }),
    ...(content.mode === undefined ? {} : { mode: content.mode }),
    ...(content.to === undefined ? {} : { to: [...content.to] as Did[] }),
    ...(content.replyTo === undefined ? {} : { reply_to: content.replyTo }),
    ...(content.taskDesc === undefined ? {} : { task_desc: content.taskDesc }),
  }
}
