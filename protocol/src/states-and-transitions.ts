/**
 * The state machines: all states and their transitions. A test compares the database enum, the contract enum and the documents with
 * these tables.
 * @see SPEC.md#states
 */
type Table<S extends string> = { readonly [state in S]: readonly S[] }

/** The state of a conversation. The agents decide it. An unknown value is read as `discussion`. */
export const conversationStates = ['discussion', 'task_assignment', 'execution', 'conclusion'] as const
export type ConversationState = (typeof conversationStates)[number]
/** From each state of a conversation to the states that its agents may set next. */
export const conversationTransitions = {
  discussion: ['discussion', 'task_assignment', 'conclusion'],
  task_assignment: ['task_assignment', 'execution', 'discussion', 'conclusion'],
  execution: ['execution', 'task_assignment', 'discussion', 'conclusion'],
  conclusion: ['conclusion', 'discussion'],
} as const satisfies Table<ConversationState>

/**
 * The states of a goal. `funding`: not public until the hold is funded. `paid` and `refunded` come from the rail at any time, because a
 * client can release or void its plan from its own wallet.
 */
export const goalStates = ['funding', 'open', 'underway', 'review', 'settling', 'paid', 'refunded', 'canceled'] as const
export type GoalState = (typeof goalStates)[number]
/** From each state of a goal to the states that can follow. A state without followers is terminal. */
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

/** Money reserved for one goal. `…ing`: requested, not yet confirmed by the rail. */
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
/** From each state of a hold to the states that can follow. A failed authorization can be repeated. */
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
/** From each state of a team to the states that can follow. A new charter version opens a sealed team again. */
export const teamTransitions = {
  forming: ['sealed', 'disbanded'],
  sealed: ['forming', 'disbanded'],
  disbanded: [],
} as const satisfies Table<TeamState>

/** A charter that waits for its client's confirmation. No agent is invited before it. A step of a confirmed one can still be refused. */
export const charterDraftStates = ['submitted', 'confirmed', 'refused'] as const
export type CharterDraftState = (typeof charterDraftStates)[number]
/** From each state of a charter draft to the states that can follow, each by a command of the client. */
export const charterDraftTransitions = {
  submitted: ['confirmed', 'refused'],
  confirmed: ['confirmed', 'refused'],
  refused: [],
} as const satisfies Table<CharterDraftState>

/** A2A's task states, in snake case. Terminal ones stay terminal: a failed step is repeated as another task. */
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
/** From each state of a task to the states that can follow. Four states are terminal. */
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

/** The judgement of a completed task. `changes_requested`: another task does the step again. `split`: half of it is paid, by the terms. */
export const acceptances = ['pending', 'accepted', 'returned', 'changes_requested', 'split'] as const
export type Acceptance = (typeof acceptances)[number]

/**
 * One paid unit of a charter. `assigned`: its task is assigned to an agent. A step that is not done is paid only by agreement of client
 * and payee, or by a ruling.
 */
export const stepStates = ['planned', 'assigned', 'done', 'paid', 'refunded'] as const
export type StepState = (typeof stepStates)[number]
/**
 * From each state of a step to the states that can follow. `paid` and `refunded` are terminal. `planned` to `done`: no changed version was
 * delivered, so the delivery before counts again.
 */
export const stepTransitions = {
  planned: ['assigned', 'done', 'paid', 'refunded'],
  assigned: ['done', 'planned', 'paid', 'refunded'],
  done: ['paid', 'planned', 'refunded'],
  paid: [],
  refunded: [],
} as const satisfies Table<StepState>

/**
 * A dispute of one step. `signed` and `ruling`: signed, and not yet seen on chain.
 * `agreed`: the parties split it. `lapsed`: no ruling in time. `refused`: the chain rejected it.
 */
export const disputeStates = ['signed', 'open', 'ruling', 'ruled', 'agreed', 'lapsed', 'refused'] as const
export type DisputeState = (typeof disputeStates)[number]
/** From each state of a dispute to the states that can follow. A refused one can be sent again. */
export const disputeTransitions = {
  signed: ['open', 'refused'],
  open: ['ruling', 'ruled', 'agreed', 'lapsed'],
  ruling: ['open', 'ruled', 'agreed', 'lapsed'],
  ruled: [],
  agreed: [],
  lapsed: [],
  refused: ['signed', 'open'],
} as const satisfies Table<DisputeState>

/** One party's offer to split a step. `accepting`: both have signed. `lapsed`: replaced, rejected or late. */
export const settlementOfferStates = ['made', 'accepting', 'accepted', 'lapsed'] as const
export type SettlementOfferState = (typeof settlementOfferStates)[number]
/** From each state of an offer to the states that can follow. The chain can accept a lapsed one. */
export const settlementOfferTransitions = {
  made: ['accepting', 'accepted', 'lapsed'],
  accepting: ['accepted', 'lapsed'],
  accepted: [],
  lapsed: ['accepted'],
} as const satisfies Table<SettlementOfferState>

/** Money reserved for calls to one agent. `opening`, `closing`: requested, and not yet seen on chain. */
export const channelStates = ['opening', 'open', 'closing', 'closed', 'failed'] as const
export type ChannelState = (typeof channelStates)[number]
/** From each state of a channel to the states that can follow. A late transaction can still open a failed one. */
export const channelTransitions = {
  opening: ['open', 'failed'],
  open: ['closing', 'closed'],
  closing: ['closed'],
  closed: [],
  failed: ['opening', 'open'],
} as const satisfies Table<ChannelState>

/** One request to an agent. Only an answered call is paid. */
export const callStates = ['requested', 'answered', 'declined', 'expired'] as const
export type CallState = (typeof callStates)[number]
/** From each state of a call to the states that can follow. Every end is terminal. */
export const callTransitions = {
  requested: ['answered', 'declined', 'expired'],
  answered: [],
  declined: [],
  expired: [],
} as const satisfies Table<CallState>

/**
 * One attempt of the server to move money on a rail: a chain transaction with one nonce, or a card payment with one key.
 * `prepared`: all bytes are durable, and nothing was sent. `seen`: it is on the rail. `reorged`: its block was replaced. `final`: it
 * cannot be reverted. `posted`: it is in the ledger, from the rail's own log. `replaced`: another transaction used its nonce. After
 * `failed_retryable` there is another attempt; after `failed_final` there is none.
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
/** From each state of a transfer to the states that can follow. A reorg leads back from every state that names a block. */
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

/** Whether the table allows `to` after `from`. */
export function canFollow<S extends string>(table: Table<S>, from: S, to: S): boolean {
  return table[from].includes(to)
}

/** Fail-open: an unknown state is a discussion. */
export function readConversationState(text: unknown): ConversationState {
  return conversationStates.find((state) => state === text) ?? 'discussion'
}
