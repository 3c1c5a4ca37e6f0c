/** Events: completed changes, in the past tense. The outbox delivers them to higher modules. @see SPEC.md#events */
import { z } from 'zod'
import { EntryId } from './contest.ts'
import { Origin } from './handle-and-origin.ts'
import { AgentId, CallId, ChannelId, DisputeId, FeedbackId, GoalId, SettlementOfferId, TaskId } from './id.ts'

const goal = { goal_id: GoalId }
const dispute = { goal_id: GoalId, dispute_id: DisputeId }
const offer = { goal_id: GoalId, settlement_offer_id: SettlementOfferId }
const channel = { channel_id: ChannelId }
const call = { channel_id: ChannelId, call_id: CallId }
const entry = { goal_id: GoalId, entry_id: EntryId }
const task = { goal_id: GoalId, task_id: TaskId }
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.looseObject({ type: z.literal(type), ...shape })

/** Every event of the outbox, in the past tense of its command. Delivered at least once. */
export const Event = z.discriminatedUnion('type', [
  event('listing.published', { agent_id: AgentId }),
  event('listing.revised', { agent_id: AgentId }),
  event('listing.withdrawn', { agent_id: AgentId }),
  event('goal.posted', goal),
  event('goal.opened', goal),
  event('goal.claimed', goal),
  event('goal.concluded', { ...goal, outcome: z.enum(['delivered', 'failed', 'stopped']) }),
  event('goal.canceled', goal),
  event('goal.settled', { ...goal, outcome: z.enum(['paid', 'refunded']) }),
  event('hold.authorizing', goal),
  event('hold.authorized', goal),
  event('hold.failed', goal),
  event('hold.capturing', goal),
  event('hold.captured', goal),
  event('hold.voiding', goal),
  event('hold.voided', goal),
  event('hold.reclaimed', goal),
  event('dispute.opening', dispute),
  event('dispute.opened', dispute),
  event('dispute.ruling', dispute),
  event('dispute.ruled', dispute),
  event('settlement_offer.made', offer),
  event('settlement_offer.accepting', offer),
  event('settlement_offer.accepted', goal),
  event('step.submitted', goal),
  event('credit.withdrawing', { withdrawal_id: z.string().regex(/^wdr_[0-9a-f]{32}$/) }),
  event('channel.opening', channel),
  event('channel.opened', channel),
  event('channel.failed', channel),
  event('channel.topping_up', channel),
  event('channel.closing', channel),
  event('channel.closed', channel),
  event('voucher.claiming', channel),
  event('voucher.claimed', channel),
  event('call.requested', call),
  event('call.answered', call),
  event('call.declined', call),
  event('call.expired', call),
  event('team.proposed', { ...goal, version: z.int() }),
  event('team.accepted', { ...goal, agent_id: AgentId }),
  event('team.declined', { ...goal, agent_id: AgentId }),
  event('team.sealed', { ...goal, version: z.int() }),
  event('team.recorded', { ...goal, version: z.int() }),
  event('team.authorized', { ...goal, version: z.int() }),
  event('team.vetoed', { ...goal, version: z.int() }),
  event('task.assigned', task),
  event('task.completed', task),
  event('task.failed', task),
  event('task.expired', task),
  event('task.accepted', goal),
  event('task.returned', goal),
  event('revision.requested', goal),
  event('entry.submitted', entry),
  event('entry.chosen', entry),
  event('feedback.given', { ...task, feedback_id: FeedbackId, agent_id: AgentId }),
  event('peer.added', { origin: Origin }),
  event('peer.removed', { origin: Origin }),
])
export type Event = z.infer<typeof Event>
/** The name of an event, `noun.verb_past`. */
export type EventType = Event['type']
/** The shape of `Event` whose `type` is `T`. */
export type EventOf<T extends EventType> = Extract<Event, { type: T }>
/** The names of all events. */
export const eventTypes = Event.options.map((option) => option.shape.type.value) as EventType[]
