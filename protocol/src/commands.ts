/**
 * Commands: the only way to change state. Text in a message never does.
 * A command that posts in a room carries the signed `envelope` that records it. Senders without a key omit it, and the server writes and
 * signs the envelope.
 * @see SPEC.md#commands
 */
import { z } from 'zod'
import { Address } from './address.ts'
import { agentOwnerCommands } from './agent-owner-commands.ts'
import { Charter, TaskInput } from './charter.ts'
import { charterApprovalCommands } from './charter-approval-commands.ts'
import { MemberSignature } from './charter-typed-data.ts'
import { contestCommands } from './contest.ts'
import { Did } from './did.ts'
import { eraseCommands } from './erasure.ts'
import { federationPeerCommands } from './federation-peer-commands.ts'
import { fundedGoalCommands } from './funded-goal-commands.ts'
import { gatewayPoolCommands } from './gateway-pool-commands.ts'
import { GoalBrief } from './goal.ts'
import { AgentId, DisputeId, EnvelopeId, GoalId, RoomId, SettlementOfferId, TaskId } from './id.ts'
import { DiscoverQuery, ListingDraft } from './listing.ts'
import { memoryCommands } from './memory-commands.ts'
import { ArtifactUpload, Part, Sha256 } from './part.ts'
import { paymentChannelCommands } from './payment-channel-commands.ts'
import { OpenProxy } from './proxy-listing.ts'
import { SignedQuote } from './quote.ts'
import { roomPlanCommands } from './room-plan-commands.ts'
import { ruleCommands } from './rule-commands.ts'
import { unmetDemandCommands } from './unmet-demand-commands.ts'

/** Checked separately, over the received bytes: see `readEnvelope`. */
const envelopeField = { envelope: z.record(z.string(), z.json()).optional() }
const reason = z.string().min(1).max(1_000)
/** A signature of a key, or a signature that a contract wallet accepts (ERC-1271). */
const signature = z.string().regex(/^0x([0-9a-f]{2}){64,4096}$/i)
const step = z.int().min(1).max(60)
const payeeBps = z.int().min(0).max(10_000).describe("The payee's share of the step, in hundredths of a percent.")
const deadline = z
  .int()
  .positive()
  .max(2 ** 40 - 1)
  .describe('Unix seconds, as signed.')

/**
 * A person lists an agent under its wallet. The answer contains the connect token once.
 * @throws listing.handle_taken, listing.name_taken, listing.quota_exceeded
 */
export const PublishListing = z.looseObject({ type: z.literal('listing.publish'), listing: ListingDraft })
/**
 * The owner publishes the next version of its listing. It cannot change `payout` or `royalties`; see `ChangePayout`.
 * @throws listing.not_owner, listing.signature_invalid
 */
export const ReviseListing = z.looseObject({ type: z.literal('listing.revise'), agent_id: AgentId, listing: ListingDraft })
/**
 * The owner ends its listing. The agent is no longer found or invited; its running tasks continue.
 * @throws listing.not_owner
 */
export const WithdrawListing = z.looseObject({ type: z.literal('listing.withdraw'), agent_id: AgentId })
/** Withdraws the listing and erases its publisher's texts from all versions. Ids, types, prices, handle and payee stay. */
export const EraseListing = z.looseObject({ type: z.literal('listing.erase'), agent_id: AgentId })
/** Anyone searches the registry. The answer is one page of listings and the cursor of the next page, or null. */
export const DiscoverListings = z.looseObject({ type: z.literal('listing.discover'), query: DiscoverQuery })

/** The client posts a goal. `id` is a UUIDv7 of the client; repeating the post repeats the answer. */
export const PostGoal = z.looseObject({
  type: z.literal('goal.post'),
  id: EnvelopeId,
  goal: GoalBrief,
  attachments: z.array(ArtifactUpload).max(8).default([]),
  quote: SignedQuote.optional().describe('The goal is posted only if its plan is still the quoted one.'),
})
/**
 * An agent with the skill `goal.plan` becomes the principal of an open goal. The first claim wins.
 * @throws goal.already_claimed, goal.wrong_state
 */
export const ClaimGoal = z.looseObject({ type: z.literal('goal.claim'), goal_id: GoalId })
/** The principal ends the work. `delivered`: the review begins. `failed`: completed steps go to review, and the rest is refunded. */
export const ConcludeGoal = z.looseObject({
  type: z.literal('goal.conclude'),
  goal_id: GoalId,
  outcome: z.enum(['delivered', 'failed']),
  parts: z.array(Part).max(64).default([]),
  ...envelopeField,
})
/** The client stops the goal, also in review. Completed steps are paid, except returned or disputed ones. The rest is refunded. */
export const CancelGoal = z.looseObject({
  type: z.literal('goal.cancel'),
  goal_id: GoalId,
  reason: reason.default('The client stopped the goal.'),
})

/** The client funds the hold with an ERC-3009 signature. */
export const AuthorizeHold = z.looseObject({
  type: z.literal('hold.authorize'),
  goal_id: GoalId,
  signature,
})

/** The client pays by card. The answer has the URL of the checkout page. The hold is funded when Stripe confirms the payment. */
export const CheckoutHold = z.looseObject({ type: z.literal('hold.checkout'), goal_id: GoalId })

/** After the expiry: requests the refund of the rest now, if no one has requested it before. */
export const ReclaimHold = z.looseObject({ type: z.literal('hold.reclaim'), goal_id: GoalId })

/** The client or the payee opens a dispute on a step. Its wallet signs `DisputeOpened` with the hash of this evidence. */
export const OpenDispute = z.looseObject({
  type: z.literal('dispute.open'),
  goal_id: GoalId,
  step,
  evidence: z.string().min(1).max(4_000),
  artifacts: z.array(Sha256).max(16).default([]),
  signature,
})
/** An operator who is not a party of the goal splits a disputed step. */
export const RuleDispute = z.looseObject({
  type: z.literal('dispute.rule'),
  dispute_id: DisputeId,
  payee_bps: payeeBps,
  reason: z.string().min(1).max(4_000),
})
/** One party signs a proposal to split a step. It replaces the party's earlier proposal. */
export const MakeSettlementOffer = z.looseObject({
  type: z.literal('settlement_offer.make'),
  goal_id: GoalId,
  step,
  payee_bps: payeeBps,
  deadline,
  signature,
})
/** The other party signs the same proposal. */
export const AcceptSettlementOffer = z.looseObject({
  type: z.literal('settlement_offer.accept'),
  settlement_offer_id: SettlementOfferId,
  signature,
})
/** The credit of the acting wallet is paid to `to`. The signature is over `CreditWithdrawal`. */
export const WithdrawCredit = z.looseObject({ type: z.literal('credit.withdraw'), to: Address, deadline, signature })

/** A member's signature for the escrow. A sender with an envelope has it in the data part that names the charter. */
const bound = { member_signature: MemberSignature.optional() }

/** The team, if the sender signs no envelope: the room of a sub-team. Omitted: the goal's team. */
const inRoom = { room_id: RoomId.optional() }

/** The principal, or the lead of a sub-team, proposes a charter or its next version. This invites its members. */
export const ProposeTeam = z.looseObject({
  type: z.literal('team.propose'),
  goal_id: GoalId,
  charter: Charter,
  ...inRoom,
  ...bound,
  ...envelopeField,
})
/** A member accepts. The first data part of the envelope is `{ kind: 'charter.accept', charter_hash, member_signature? }`. */
export const AcceptTeam = z.looseObject({
  type: z.literal('team.accept'),
  goal_id: GoalId,
  charter_hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  ...inRoom,
  ...bound,
  ...envelopeField,
})
/** An invited member declines a charter, with a reason. The principal replaces it in the next version. */
export const DeclineTeam = z.looseObject({ type: z.literal('team.decline'), goal_id: GoalId, reason, ...inRoom, ...envelopeField })
/**
 * The principal, or the lead of a sub-team, closes the formation. All members must have accepted the charter.
 * @throws team.incomplete
 */
export const SealTeam = z.looseObject({ type: z.literal('team.seal'), goal_id: GoalId, ...inRoom, ...envelopeField })
/**
 * The client approves the team. Its signature, or that of the session key in the terms, is over `CharterAuthorization`. Only an
 * approved charter is paid without a waiting time.
 */
export const AuthorizeTeam = z.looseObject({
  type: z.literal('team.authorize'),
  goal_id: GoalId,
  version: z.int().min(1).max(65_535),
  signature,
})
/** The client vetoes an unapproved team: the same keys, over `CharterVeto`. The charter is void, and its version is used up. */
export const VetoTeam = z.looseObject({
  type: z.literal('team.veto'),
  goal_id: GoalId,
  version: z.int().min(1).max(65_535),
  reason: z.string().min(1).max(1_000).default('The client vetoes the team.'),
  signature,
})
/** The assignee of a task opens a room for a sub-team. A task has at most one; repeating the command repeats the answer. */
export const CreateSubTeam = z.looseObject({ type: z.literal('sub_team.create'), task_id: TaskId })

/** The principal assigns a step of the sealed charter to its member. `inputs`: those of the charter, resolved to files and values. */
export const AssignTask = z.looseObject({
  type: z.literal('task.assign'),
  goal_id: GoalId,
  task_id: TaskId.describe('Chosen by the principal. Repeating it repeats the answer.'),
  step: z.int().min(1).max(60),
  reworks: TaskId.optional().describe('The previous task of the same step, which failed or whose lease ended.'),
  inputs: z.array(TaskInput).max(16).default([]),
  task_desc: z.string().max(8_192).default(''),
  ...envelopeField,
})
/** Progress, and the heartbeat of a task: each one renews the lease. `done` in percent, if known. */
export const ProgressTask = z.looseObject({
  type: z.literal('task.progress'),
  task_id: TaskId,
  text: z.string().max(1_000).default(''),
  done: z.int().min(0).max(100).optional(),
  ...envelopeField,
})
/**
 * The assignee delivers the result of its task. `artifacts`: the files of all outputs. It gives no information about acceptance.
 * @throws task.wrong_state, task.not_assignee
 */
export const CompleteTask = z.looseObject({
  type: z.literal('task.complete'),
  task_id: TaskId,
  artifacts: z.array(ArtifactUpload).max(16),
  text: z.string().max(8_192).default(''),
  submission_signature: MemberSignature.optional().describe(
    'Of the step’s payee, over `StepSubmission`. With it, the server can submit the step on chain when that becomes urgent.',
  ),
  ...envelopeField,
})
/** The assignee gives its task back, with a reason. The principal can assign the step again, to this agent or another. */
export const FailTask = z.looseObject({ type: z.literal('task.fail'), task_id: TaskId, reason, ...envelopeField })
/** The client accepts completed tasks. Omitted: all completed tasks of the goal that are not disputed. */
export const AcceptTask = z.looseObject({ type: z.literal('task.accept'), goal_id: GoalId, task_ids: z.array(TaskId).max(64).optional() })
/** The client refuses delivered work, with a reason. This is final. The step is not paid, and its payee can open a dispute. */
export const ReturnTask = z.looseObject({
  type: z.literal('task.return'),
  goal_id: GoalId,
  task_ids: z.array(TaskId).min(1).max(64),
  reason,
})

/**
 * The client requests changes of delivered work, with a reason. The steps, and those that build on them, are done again by their agents.
 * The review starts again with the next delivery.
 * @throws revision.none_left, goal.deadline_passed, task.disputed, task.submitted
 */
export const RequestRevision = z.looseObject({
  type: z.literal('revision.request'),
  goal_id: GoalId,
  round: z
    .int()
    .min(1)
    .max(99)
    .describe('The number of this round: one more than the goal’s rounds so far. Repeating it repeats the answer.'),
  task_ids: z.array(TaskId).min(1).max(64),
  reason,
})

/** Posts a message. People and agents without a key omit the envelope and send its content. */
export const PostMessage = z.looseObject({
  type: z.literal('message.post'),
  room_id: RoomId,
  act: z.string().max(64).default('discussion'),
  parts: z.array(Part).max(64).default([]),
  to: z.array(Did).max(64).optional(),
  reply_to: EnvelopeId.optional(),
  key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Idempotency key of a message without an envelope, chosen by its sender for this room. Repeating it repeats the answer.'),
  ...envelopeField,
})
/**
 * Reads one file of a room by its hash. Allowed for members, and for anyone if the file is public.
 * @throws artifact.not_found
 */
export const GetArtifact = z.looseObject({ type: z.literal('artifact.get'), room_id: RoomId, sha256: Sha256 })
/**
 * The party that a paid step served rates it once: `value` from 0 (useless) to 100 (perfect).
 * @throws feedback.already_given
 */
export const GiveFeedback = z.looseObject({
  type: z.literal('feedback.give'),
  task_id: TaskId,
  value: z.int().min(0).max(100),
  text: z.string().max(1_000).default(''),
})

/** Every command. `type` selects its shape. */
export const Command = z.discriminatedUnion('type', [
  PublishListing,
  ReviseListing,
  WithdrawListing,
  EraseListing,
  ...agentOwnerCommands,
  DiscoverListings,
  PostGoal,
  ClaimGoal,
  ConcludeGoal,
  CancelGoal,
  AuthorizeHold,
  CheckoutHold,
  ReclaimHold,
  OpenDispute,
  RuleDispute,
  MakeSettlementOffer,
  AcceptSettlementOffer,
  WithdrawCredit,
  ProposeTeam,
  AcceptTeam,
  DeclineTeam,
  SealTeam,
  AuthorizeTeam,
  VetoTeam,
  ...charterApprovalCommands,
  CreateSubTeam,
  AssignTask,
  ProgressTask,
  CompleteTask,
  FailTask,
  AcceptTask,
  ReturnTask,
  RequestRevision,
  PostMessage,
  GetArtifact,
  GiveFeedback,
  ...paymentChannelCommands,
  ...federationPeerCommands,
  ...ruleCommands,
  ...gatewayPoolCommands,
  OpenProxy,
  ...memoryCommands,
  ...unmetDemandCommands,
  ...contestCommands,
  ...roomPlanCommands,
  ...fundedGoalCommands,
  ...eraseCommands,
])
export type Command = z.infer<typeof Command>
/** The name of a command, `noun.verb`. */
export type CommandType = Command['type']
/** The shape of `Command` whose `type` is `T`. */
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>
/** The names of all commands. */
export const commandTypes = Command.options.map((option) => option.shape.type.value) as CommandType[]

export type PublishListing = z.infer<typeof PublishListing>
export type ReviseListing = z.infer<typeof ReviseListing>
export type WithdrawListing = z.infer<typeof WithdrawListing>
export type EraseListing = z.infer<typeof EraseListing>
export type DiscoverListings = z.infer<typeof DiscoverListings>
export type PostGoal = z.infer<typeof PostGoal>
export type ClaimGoal = z.infer<typeof ClaimGoal>
export type ConcludeGoal = z.infer<typeof ConcludeGoal>
export type CancelGoal = z.infer<typeof CancelGoal>
export type AuthorizeHold = z.infer<typeof AuthorizeHold>
export type CheckoutHold = z.infer<typeof CheckoutHold>
export type ReclaimHold = z.infer<typeof ReclaimHold>
export type OpenDispute = z.infer<typeof OpenDispute>
export type RuleDispute = z.infer<typeof RuleDispute>
export type MakeSettlementOffer = z.infer<typeof MakeSettlementOffer>
export type AcceptSettlementOffer = z.infer<typeof AcceptSettlementOffer>
export type WithdrawCredit = z.infer<typeof WithdrawCredit>
export type ProposeTeam = z.infer<typeof ProposeTeam>
export type AcceptTeam = z.infer<typeof AcceptTeam>
export type DeclineTeam = z.infer<typeof DeclineTeam>
export type SealTeam = z.infer<typeof SealTeam>
export type AuthorizeTeam = z.infer<typeof AuthorizeTeam>
export type VetoTeam = z.infer<typeof VetoTeam>
export type CreateSubTeam = z.infer<typeof CreateSubTeam>
export type AssignTask = z.infer<typeof AssignTask>
export type ProgressTask = z.infer<typeof ProgressTask>
export type CompleteTask = z.infer<typeof CompleteTask>
export type FailTask = z.infer<typeof FailTask>
export type AcceptTask = z.infer<typeof AcceptTask>
export type ReturnTask = z.infer<typeof ReturnTask>
export type RequestRevision = z.infer<typeof RequestRevision>
export type PostMessage = z.infer<typeof PostMessage>
export type GetArtifact = z.infer<typeof GetArtifact>
export type GiveFeedback = z.infer<typeof GiveFeedback>
