import {
  type ConversationState,
  canFollow,
  conversationTransitions,
  type Envelope,
  readConversationState,
  readSpeechAct,
} from '@parley/protocol'

/** Where a conversation stands. The agents move it; the server only remembers. */
export type Conversation = {
  readonly groupId: string
  readonly goalId: string
  readonly state: ConversationState
  readonly nextSpeakers: readonly string[]
  readonly triggers: readonly string[]
  readonly openQuestionId: string | null
  readonly isPublic: boolean
  /** The client confirms charters and steps. */
  readonly asksClient: boolean
  readonly version: number
}

/** Whether there is anything to save: most talk leaves the conversation where it was. */
export function hasMoved(before: Conversation, after: Conversation): boolean {
  return (
    before.state !== after.state ||
    before.openQuestionId !== after.openQuestionId ||
    before.nextSpeakers.join() !== after.nextSpeakers.join() ||
    before.triggers.join() !== after.triggers.join()
  )
}

/**
 * The conversation after a message. Fail-open: a state that may not follow leaves the state as it was, and an act that is
 * not known counts as a discussion. `clientId` is whose answers close the open question.
 */
export function heard(conversation: Conversation, envelope: Envelope, clientId: string): Conversation {
  const wanted = readConversationState(envelope.state)
  const act = readSpeechAct(envelope.type)
  const asksClient = envelope.expects === 'reply' && (envelope.to ?? []).includes(clientId as never)
  const isFromClient = envelope.sender_id === clientId
  return {
    ...conversation,
    state: canFollow(conversationTransitions, conversation.state, wanted) ? wanted : conversation.state,
    nextSpeakers: envelope.next_speakers ?? [],
    triggers: act === 'pause' ? (envelope.triggers ?? []) : conversation.triggers,
    openQuestionId: asksClient ? envelope.id : isFromClient ? null : conversation.openQuestionId,
  }
}
