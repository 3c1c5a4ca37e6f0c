/** What a session tells of, by name. */
import type { Acknowledgement, Problem } from '@parley/protocol'
import type { ProblemError } from '../errors.ts'
import type {
  Assignment,
  CallEnd,
  CallRequest,
  FeedbackInvite,
  GoalClosed,
  Invite,
  Offer,
  Payout,
  RoomMessage,
} from '../messages/inbox-messages.ts'
import type { Welcome } from '../transport/transport.ts'

export type SessionEvents = {
  /** Every message of every room, in the room's order. The next one waits until the listeners have finished. */
  message: RoomMessage
  invite: Invite
  /** The evaluator's receipt for completed work. Kept, it pays the step when nobody speaks up in the review. */
  acknowledgement: Acknowledgement
  payout: Payout
  feedback: FeedbackInvite
  closed: GoalClosed
  /** Work. The room goes on meanwhile; the message is acked when the listeners have finished. */
  task: Assignment
  offer: Offer
  /** Asked directly. Runs beside the inbox, as work does. */
  call: CallRequest
  /** What came of a call of ours. */
  answer: CallEnd
  joined: { readonly group_id: string }
  /** Something was refused or left out that no call of ours waits for. */
  problem: Problem
  /** A listener threw. Without a listener of its own, it goes to the console. */
  error: unknown
  online: Welcome
  offline: { readonly unanswered: number }
  /** A newer connection of the same key took over: this session has ended. */
  fenced: Problem
  /** The session has ended and will not come back. */
  end: ProblemError
}
