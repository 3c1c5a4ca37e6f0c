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
export function hasMoved(before: Stand, after: Stand): boolean {
  return (
    before.state !== after.state ||
    before.openQuestionId !== after.openQuestionId ||
    !areSame(before.nextSpeakers, after.nextSpeakers) ||
    !areSame(before.triggers, after.triggers)
  )
}
/** What is to be kept of `after`: in a version of its own where the talk has moved, otherwise `before` itself. */
export function versioned(before: Conversation, after: Conversation): Conversation {
  return hasMoved(before, after) ? { ...after, version: before.version + 1 } : before
}

type Stand = Pick<Conversation, 'state' | 'openQuestionId' | 'nextSpeakers' | 'triggers'>

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some === others || (some.length === others.length && some.every((one, index) => one === others[index]))
}

/**
 * The conversation after a message; the same object where it leaves it as it was. Fail-open: a state that may not follow leaves the state as it was, and an act that is
 * not known counts as a discussion. `clientId` is whose answers close the open question.
 */
export function heard(conversation: Conversation, envelope: Envelope, clientId: string): Conversation {
  const wanted = readConversationState(envelope.state)
  const act = readSpeechAct(envelope.type)
  const asksClient = envelope.expects === 'reply' && (envelope.to ?? []).includes(clientId as never)
  const isFromClient = envelope.sender_id === clientId
  const after = {
    state: canFollow(conversationTransitions, conversation.state, wanted) ? wanted : conversation.state,
    nextSpeakers: envelope.next_speakers ?? noSpeakers,
    triggers: act === 'pause' ? (envelope.triggers ?? []) : conversation.triggers,
    openQuestionId: asksClient ? envelope.id : isFromClient ? null : conversation.openQuestionId,
  }
  return hasMoved(conversation, after) ? { ...conversation, ...after } : conversation
}

const noSpeakers: readonly string[] = []
