/**
 * The state machines: the states of everything stateful, and which may follow which. These tables are the law: server, database enum,
 * contract enum and documents are compared with them by a test.
 * @see SPEC.md#states
 */
import { z } from 'zod'

type Table<S extends string> = { readonly [state in S]: readonly S[] }

/** Where a conversation stands. The agents decide; an unknown value is read as `discussion`. */
export const conversationStates = ['discussion', 'task_assignment', 'execution', 'conclusion'] as const
export type ConversationState = (typeof conversationStates)[number]
export const conversationTransitions = {
  discussion: ['discussion', 'task_assignment', 'conclusion'],
  task_assignment: ['task_assignment', 'execution', 'discussion', 'conclusion'],
  execution: ['execution', 'task_assignment', 'discussion', 'conclusion'],
  conclusion: ['conclusion', 'discussion'],
} as const satisfies Table<ConversationState>

/**
 * What a client posts. `funding`: not public until the hold is on its rail. `paid` and `refunded` are the rail's word and may come at
 * any time: a client can release or void its plan from its own wallet.
 */
export const goalStates = ['funding', 'open', 'underway', 'review', 'settling', 'paid', 'refunded', 'canceled'] as const
export type GoalState = (typeof goalStates)[number]
export const goalTransitions = {
  funding: ['open', 'canceled'],
  open: ['underway', 'settling', 'paid', 'refunded'],
  underway: ['review', 'settling', 'paid', 'refunded'],
  review: ['underway', 'settling', 'paid', 'refunded'],
  settling: ['paid', 'refunded'],
  paid: [],
  refunded: [],
  canceled: [],
} as const satisfies Table<GoalState>

/** Money set aside for one goal. `…ing`: asked, not yet confirmed by the rail. */
export const holdStates = [
  'authorizing',
  'authorized',
  'capturing',
  'captured',
  'voiding',
  'voided',
  'reclaimed',
  'refunding',
  'refunded',
  'failed',
] as const
export type HoldState = (typeof holdStates)[number]
export const holdTransitions = {
  authorizing: ['authorized', 'failed'],
  authorized: ['capturing', 'voiding', 'captured', 'voided', 'reclaimed'],
  capturing: ['captured', 'authorized', 'reclaimed'],
  captured: ['refunding'],
  voiding: ['voided', 'authorized', 'reclaimed'],
  voided: [],
  reclaimed: [],
  refunding: ['refunded', 'captured'],
  refunded: [],
  failed: ['authorizing'],
} as const satisfies Table<HoldState>

/** The team of a goal. `sealed`: every member has signed the charter. */
export const teamStates = ['forming', 'sealed', 'disbanded'] as const
export type TeamState = (typeof teamStates)[number]
export const teamTransitions = {
  forming: ['sealed', 'disbanded'],
  sealed: ['forming', 'disbanded'],
  disbanded: [],
} as const satisfies Table<TeamState>

/** A charter that waits for its client's word before anybody is invited. One that was confirmed may still have a step refused. */
export const charterDraftStates = ['submitted', 'confirmed', 'refused'] as const
export type CharterDraftState = (typeof charterDraftStates)[number]
export const charterDraftTransitions = {
  submitted: ['confirmed', 'refused'],
  confirmed: ['confirmed', 'refused'],
  refused: [],
} as const satisfies Table<CharterDraftState>

/** A2A's task states, in snake case. Terminal ones stay terminal: a step that failed is done anew as another task. */
export const taskStates = [
  'submitted',
  'working',
  'input_required',
  'auth_required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const
export type TaskState = (typeof taskStates)[number]
export const taskTransitions = {
  submitted: ['working', 'completed', 'failed', 'canceled', 'rejected'],
  working: ['working', 'input_required', 'auth_required', 'completed', 'failed', 'canceled'],
  input_required: ['working', 'completed', 'failed', 'canceled'],
  auth_required: ['working', 'completed', 'failed', 'canceled'],
  completed: [],
  failed: [],
  canceled: [],
  rejected: [],
} as const satisfies Table<TaskState>

/** The evaluator's judgement of a completed task. */
export const acceptances = ['pending', 'accepted', 'returned'] as const
export type Acceptance = (typeof acceptances)[number]

/**
 * One paid unit of a charter. `offered`: its task stands with an agent. A step that is not done is paid where client and
 * payee agree on it, or the arbitrator says so.
 */
export const stepStates = ['planned', 'offered', 'done', 'paid', 'refunded'] as const
export type StepState = (typeof stepStates)[number]
export const stepTransitions = {
  planned: ['offered', 'paid', 'refunded'],
  offered: ['done', 'planned', 'paid', 'refunded'],
  done: ['paid', 'planned', 'refunded'],
  paid: [],
  refunded: [],
} as const satisfies Table<StepState>

/**
 * What a party says against one step. `signed` and `ruling`: a signature is here and the chain has not shown it yet.
 * `agreed`: the parties split it themselves. `lapsed`: nobody ruled in time. `refused`: the chain did not take it.
 */
export const disputeStates = ['signed', 'open', 'ruling', 'ruled', 'agreed', 'lapsed', 'refused'] as const
export type DisputeState = (typeof disputeStates)[number]
export const disputeTransitions = {
  signed: ['open', 'refused'],
  open: ['ruling', 'ruled', 'agreed', 'lapsed'],
  ruling: ['open', 'ruled', 'agreed', 'lapsed'],
  ruled: [],
  agreed: [],
  lapsed: [],
  refused: ['signed', 'open'],
} as const satisfies Table<DisputeState>

/** One party's proposal to split a step. `accepting`: both have signed. `lapsed`: it was replaced, refused or came too late. */
export const offerStates = ['made', 'accepting', 'accepted', 'lapsed'] as const
export type OfferState = (typeof offerStates)[number]
export const offerTransitions = {
  made: ['accepting', 'accepted', 'lapsed'],
  accepting: ['accepted', 'lapsed'],
  accepted: [],
  lapsed: ['accepted'],
} as const satisfies Table<OfferState>

/** Money set aside for calls to one agent. `opening`, `closing`: asked, and the chain has not shown it. */
export const channelStates = ['opening', 'open', 'closing', 'closed', 'failed'] as const
export type ChannelState = (typeof channelStates)[number]
export const channelTransitions = {
  opening: ['open', 'failed'],
  open: ['closing', 'closed'],
  closing: ['closed'],
  closed: [],
  failed: ['opening', 'open'],
} as const satisfies Table<ChannelState>

/** One question to an agent. Only an answered call is paid. */
export const callStates = ['asked', 'answered', 'declined', 'expired'] as const
export type CallState = (typeof callStates)[number]
export const callTransitions = {
  asked: ['answered', 'declined', 'expired'],
  answered: [],
  declined: [],
  expired: [],
} as const satisfies Table<CallState>

/**
 * One attempt of the server's at moving money on a rail: a chain transaction with one nonce, a card payment with one key.
 * `prepared`: everything that will be sent is durable, and nothing was sent yet. `seen`: the rail shows it. `reorged`: it
 * was seen, and the block is gone. `final`: nothing takes it back any more. `posted`: the rail's own log was read and is in
 * the ledger. `replaced`: another transaction took its nonce. After `failed_retryable` another attempt is made, after
 * `failed_final` none.
 */
export const transferStates = [
  'intent',
  'rail_chosen',
  'prepared',
  'submitted',
  'seen',
  'reorged',
  'final',
  'posted',
  'replaced',
  'failed_retryable',
  'failed_final',
] as const
export type TransferState = (typeof transferStates)[number]
export const transferTransitions = {
  intent: ['rail_chosen', 'failed_final'],
  rail_chosen: ['prepared', 'failed_retryable', 'failed_final'],
  prepared: ['submitted', 'seen', 'replaced', 'failed_retryable', 'failed_final'],
  submitted: ['submitted', 'seen', 'replaced', 'failed_retryable', 'failed_final'],
  seen: ['final', 'reorged', 'replaced', 'failed_retryable', 'failed_final'],
  reorged: ['submitted', 'seen', 'replaced'],
  final: ['posted', 'reorged', 'failed_retryable', 'failed_final'],
  posted: ['reorged'],
  replaced: [],
  failed_retryable: ['rail_chosen', 'failed_final'],
  failed_final: [],
} as const satisfies Table<TransferState>

/** Whether the table lets `to` follow `from`. */
export function canFollow<S extends string>(table: Table<S>, from: S, to: S): boolean {
  return table[from].includes(to)
}

/** Fail-open: what this version does not know is a discussion. */
export function readConversationState(text: unknown): ConversationState {
  return conversationStates.find((state) => state === text) ?? 'discussion'
}

export const ConversationStateSchema = z
  .string()
  .max(64)
  .describe('One of `discussion`, `task_assignment`, `execution`, `conclusion`; anything else is read as `discussion`.')
