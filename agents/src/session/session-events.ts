import type { Problem, TaskReceipt } from '@parley/protocol'
import type { ProblemError } from '../errors.ts'
import type {
  CallRequest,
  CallResult,
  EntryNews,
  FeedbackRequest,
  GoalAnnouncement,
  GoalClosed,
  Payout,
  RoomMessage,
  TaskAssignment,
  TeamInvitation,
} from '../messages/message-events.ts'
import type { Welcome } from '../transport/transport.ts'

/** The events of a session, with the value that listeners receive. */
export type SessionEvents = {
  /** Every message of every room, in the order of its room. The room's next message waits until the listeners have finished. */
  message: RoomMessage
  /** The agent is invited to a team. */
  invite: TeamInvitation
  /** The evaluator's signed receipt for completed work. It pays the step after the review, unless the client returns the work or a party disputes it. Keep it. */
  receipt: TaskReceipt
  payout: Payout
  /** The server asks for a rating of a settled step. */
  feedback: FeedbackRequest
  closed: GoalClosed
  /** The verdict on an own entry in a contest, or the decision. */
  entry: EntryNews
  /** A task for this agent. The room continues meanwhile. The message is acked when the listeners have finished. */
  task: TaskAssignment
  /** A goal that this agent may plan. Handled like a task. */
  offer: GoalAnnouncement
  /** A direct call to this agent. Handled like a task. */
  call: CallRequest
  /** The end of a call that this agent made. */
  answer: CallResult
  /** The agent is a member of another room. */
  joined: { readonly room_id: string }
  /** A refusal that belongs to no pending command, or a message that was skipped. */
  problem: Problem
  /** A listener threw. Without a listener for `error`, the error is written to the console. */
  error: unknown
  /** A connection is ready. */
  online: Welcome
  /** The connection is lost. `unanswered`: commands that are sent again after the reconnect. */
  offline: { readonly unanswered: number }
  /** A newer connection with the same key replaced this session, which has ended. */
  fenced: Problem
  /** The session has ended and does not reconnect. */
  end: ProblemError
}
