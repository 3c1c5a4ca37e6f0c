/** The state of one room, as its messages define it. `reduce-conversation.ts` computes it, `selectors.ts` reads it. */
import type { ArtifactRef, Charter, ConversationState, EscrowPlan, Part, Room, TaskInput } from '@parley/protocol'
import type { PlanDocument } from './plan-document.ts'

/** A task as the messages of its room describe it. */
export type TaskView = {
  readonly task_id: string
  /** Number of the charter's step that the task does. */
  readonly step: number
  readonly skill_id: string
  readonly mode: 'sync' | 'async'
  /** DID of the agent that has the task. */
  readonly assignee: string
  readonly inputs: readonly TaskInput[]
  readonly status: 'submitted' | 'working' | 'completed' | 'failed' | 'expired' | 'returned'
  /** Percent, as reported by the assignee; 0 before the first report. */
  readonly done: number
  readonly artifacts: readonly ArtifactRef[]
  /** The last text of the assignee or the server about the task. */
  readonly text: string
  /** Sequence number of the assignment. */
  readonly seq: number
}

/** The state of a room, computed from its messages only. Every member computes the same. */
export type Conversation = {
  readonly room_id: string
  /** DID of the server. */
  readonly server: string
  /** Sequence number of the last message included; 0 before the first. */
  readonly seq: number
  readonly state: ConversationState
  /** DIDs that are asked to speak next. Empty: no particular member. */
  readonly nextSpeakers: readonly string[]
  /** DID of the last sender. */
  readonly lastSpeaker: string | null
  /** The newest charter proposed, whether accepted or not. */
  readonly charter: Charter | null
  readonly charterHash: string | null
  /** DIDs that accepted this charter. */
  readonly accepted: readonly string[]
  readonly declined: readonly { readonly did: string; readonly reason: string }[]
  /** The last version that the server has recorded on chain. */
  readonly recorded: {
    readonly version: number
    readonly charter_hash: string
    readonly plan_id: string
    readonly tx: string
    /** The plan of a quoted goal, whose charter can't name it; null for any other charter. */
    readonly plan: EscrowPlan | null
  } | null
  /** The last charter that the rail refused permanently. The one before it stays in force. The version number is not used again. */
  readonly withdrawn: { readonly version: number; readonly charter_hash: string; readonly reason: string } | null
  /** The lead's structured plan, as posted in a data part of kind `plan`. */
  readonly plan: Readonly<Record<string, unknown>> | null
  /** The newest version of the lead's text plan. */
  readonly planDocument: PlanDocument | null
  /** By task id. */
  readonly tasks: ReadonlyMap<string, TaskView>
  /** After a `pause`: ids of the tasks that must end before the room continues. */
  readonly pausedFor: readonly string[]
  readonly concluded: { readonly outcome: string; readonly parts: readonly Part[] } | null
  /** Why the room is closed. `ended`: the task of a sub-team's room has ended. */
  readonly closed: 'captured' | 'voided' | 'stopped' | 'ended' | null
  /** Turns, tasks and pauses by the protocol's state machine. Null until a charter names the lead. */
  readonly room: Room | null
}

/** A room before its first message. @param server DID of the server */
export function startConversation(room_id: string, server: string): Conversation {
  return {
    room_id,
    server,
    seq: 0,
    state: 'discussion',
    nextSpeakers: [],
    lastSpeaker: null,
    charter: null,
    charterHash: null,
    accepted: [],
    declined: [],
    recorded: null,
    withdrawn: null,
    plan: null,
    planDocument: null,
    tasks: new Map(),
    pausedFor: [],
    concluded: null,
    closed: null,
    room: null,
  }
}
