import type { ConversationState, Did, EnvelopeDraft, GroupId, Part, SpeechAct, TaskId } from '@parley/protocol'

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
