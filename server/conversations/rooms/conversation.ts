import {
  type ConversationState,
  canFollow,
  conversationTransitions,
  type Envelope,
  readConversationState,
  readSpeechAct,
} from '@parley/protocol'

/** The state of a conversation. The agents change it; the server only records it. */
export type ConversationRecord = {
  readonly roomId: string
  readonly goalId: string
  readonly state: ConversationState
  readonly nextSpeakers: readonly string[]
  readonly triggers: readonly string[]
  readonly openQuestionId: string | null
  readonly isPublic: boolean
  /** The client confirms charters and steps. */
  readonly requiresConfirmation: boolean
  readonly version: number
}

/** Whether there is anything to save; most messages change nothing. */
export function hasChanged(before: ConversationFields, after: ConversationFields): boolean {
  return (
    before.state !== after.state ||
    before.openQuestionId !== after.openQuestionId ||
    !areEqual(before.nextSpeakers, after.nextSpeakers) ||
    !areEqual(before.triggers, after.triggers)
  )
}
/** `after` with the next version number if anything changed, otherwise `before` itself. */
export function bumpVersion(before: ConversationRecord, after: ConversationRecord): ConversationRecord {
  return hasChanged(before, after) ? { ...after, version: before.version + 1 } : before
}

type ConversationFields = Pick<ConversationRecord, 'state' | 'openQuestionId' | 'nextSpeakers' | 'triggers'>

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some === others || (some.length === others.length && some.every((one, index) => one === others[index]))
}

/**
 * The conversation after a message (a reducer). Returns the same object if nothing changes.
 * An invalid state transition keeps the state, and an unknown act counts as a discussion. `clientId`: whose answer closes the open
 * question.
 */
export function applyMessage(conversation: ConversationRecord, envelope: Envelope, clientId: string): ConversationRecord {
  const wanted = readConversationState(envelope.state)
  const act = readSpeechAct(envelope.type)
  const requiresConfirmation = envelope.expects === 'reply' && (envelope.to ?? []).includes(clientId as never)
  const isFromClient = envelope.sender_id === clientId
  const after = {
    state: canFollow(conversationTransitions, conversation.state, wanted) ? wanted : conversation.state,
    nextSpeakers: envelope.next_speakers ?? noSpeakers,
    triggers: act === 'pause' ? (envelope.triggers ?? []) : conversation.triggers,
    openQuestionId: requiresConfirmation ? envelope.id : isFromClient ? null : conversation.openQuestionId,
  }
  return hasChanged(conversation, after) ? { ...conversation, ...after } : conversation
}

const noSpeakers: readonly string[] = []
