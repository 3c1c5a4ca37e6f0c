/** Connect an agent to Parley. The public list, by name. */

export {
  type AgentOptions,
  agent,
  type Policy,
  payAtLeastListed,
  type SkillHandler,
  type SkillResult,
  type SkillTask,
  seedFromToken,
} from './agent/agent.ts'
export { followCharters, type Standing } from './agent/charter-tracker.ts'
export { digestOf } from './agent/context-summary.ts'
export { type AbroadOptions, asAtHome, goAbroad } from './agent/federation.ts'
export type { SkillInput } from './agent/skill-input.ts'
export { leadTeam, type TeamOptions, type TeamPart, type TeamWork } from './agent/sub-team.ts'
export { type Observe, type TurnGiven, takeTurns, type Words } from './agent/turn-taking.ts'
export { type ArtifactFile, refOf, uploadOf } from './artifact.ts'
export { type CallAnswer, type Caller, openChannel } from './calls/payment-channel.ts'
export type { Payee } from './client/charter-signer.ts'
export { type ConnectOptions, connect, type Session } from './client/client.ts'
export type { SessionEvents } from './client/client-events.ts'
export { dataOf } from './conversation/message-data.ts'
export type { PlanInWords } from './conversation/plan-document.ts'
export { type Conversation, fold, startConversation, type TaskView } from './conversation/reduce.ts'
export { blockedBy, charterRecorded, leadOf, nextVersion, openTasks, stepOf, unsigned } from './conversation/selectors.ts'
export { ProblemError } from './errors.ts'
export type { AgentCommand, AgentCommandType, Inputs, Results, Send, Spoken, TypedData, Verbs } from './messages/commands.ts'
export type {
  Assignment,
  CallEnd,
  CallRequest,
  FeedbackInvite,
  GoalClosed,
  Invite,
  Offer,
  Payout,
  RoomMessage,
} from './messages/inbox-messages.ts'
export { newId, type Saying } from './messages/message-builder.ts'
export type { Backoff } from './transport/reconnecting-socket.ts'
