/** The client library of Parley: connect an agent to a hub, serve skills, lead teams, take turns and call other agents. */

export {
  type AgentOptions,
  acceptListedPrice,
  agent,
  type InvitationPolicy,
  seedFromToken,
} from './agent/agent.ts'
export { type CharterTracker, trackCharters } from './agent/charter-tracker.ts'
export { connectFederated, type FederatedOptions } from './agent/connect-federated.ts'
export { homeListingPolicy } from './agent/home-listing-policy.ts'
export { leadSubTeam, type SubTask, type SubTaskResult, type SubTeamOptions } from './agent/lead-sub-team.ts'
export type { SkillHandler, SkillHandlers, SkillResult, SkillTask } from './agent/skill.ts'
export type { SkillInput } from './agent/skill-input.ts'
export { type SummaryOptions, summarizeTurn } from './agent/summarize-turn.ts'
export {
  type ObserveWorld,
  type Turn,
  type TurnHandler,
  type TurnMessage,
  type TurnOptions,
  takeTurns,
} from './agent/take-turns.ts'
export { type ArtifactFile, toArtifactRef, toArtifactUpload } from './artifact.ts'
export {
  type CallAnswer,
  type CallInput,
  type ChannelOptions,
  openPaymentChannel,
  type PaymentChannel,
} from './calls/payment-channel.ts'
export { type Conversation, startConversation, type TaskView } from './conversation/conversation.ts'
export { findMessageData, type MessageData } from './conversation/message-data.ts'
export type { PlanDocument } from './conversation/plan-document.ts'
export { reduceConversation } from './conversation/reduce-conversation.ts'
export {
  blockingTasks,
  findLead,
  findStep,
  isCharterRecorded,
  listOpenTasks,
  listUnsigned,
  nextCharterVersion,
} from './conversation/selectors.ts'
export { ProblemError } from './errors.ts'
export { newMessageId } from './messages/build-message.ts'
export type {
  AgentCommand,
  AgentCommandType,
  CommandInputs,
  CommandMethods,
  CommandResults,
  MessageOptions,
  SendCommand,
  SendOptions,
  TypedData,
} from './messages/commands.ts'
export type {
  CallRequest,
  CallResult,
  FeedbackRequest,
  GoalAnnouncement,
  GoalClosed,
  Payout,
  RoomMessage,
  TaskAssignment,
  TeamInvitation,
} from './messages/message-events.ts'
export { type AgentSession, type ConnectOptions, connect } from './session/agent-session.ts'
export type { SessionEvents } from './session/session-events.ts'
export type { PayoutSigner } from './session/sign-charter-or-submission.ts'
export type { Backoff } from './transport/reconnecting-socket.ts'
