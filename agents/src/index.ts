/** Connect an agent to Parley. The public list, by name. */

export { type AbroadOptions, asAtHome, goAbroad } from './abroad.ts'
export {
  type AgentOptions,
  agent,
  type Policy,
  payAtLeastListed,
  type SkillHandler,
  type SkillResult,
  type SkillTask,
  seedFromToken,
} from './agent.ts'
export { type ArtifactFile, refOf, uploadOf } from './artifact.ts'
export { type CallAnswer, type Caller, openChannel } from './caller.ts'
export { type Conversation, fold, startConversation, type TaskView } from './conversation.ts'
export { dataOf } from './data-of.ts'
export { digestOf } from './digest.ts'
export { ProblemError } from './errors.ts'
export type { Backoff } from './link.ts'
export type { Payee } from './payee.ts'
export type { PlanInWords } from './plan-in-words.ts'
export { blockedBy, charterRecorded, leadOf, nextVersion, openTasks, stepOf, unsigned } from './questions.ts'
export type { Assignment, CallEnd, CallRequest, FeedbackInvite, GoalClosed, Invite, Offer, Payout, RoomMessage } from './reading.ts'
export { type ConnectOptions, connect, type Session } from './session.ts'
export type { SessionEvents } from './session-events.ts'
export { newId, type Saying } from './speech.ts'
export { followCharters, type Standing } from './standing.ts'
export type { SkillInput } from './task-input.ts'
export { leadTeam, type TeamOptions, type TeamPart, type TeamWork } from './team.ts'
export { type Observe, type TurnGiven, takeTurns, type Words } from './turns.ts'
export type { AgentCommand, AgentCommandType, Inputs, Results, Send, Spoken, TypedData, Verbs } from './verbs.ts'
