/**
 * Owns the outcomes of tasks and their ratings. The score is derived, never stored.
 * Never counts an unsettled or unpaid step, and never changes a rating.
 * Reads audit, policy, safety, delivery.
 */
export { type AgentRecord, getAgentRecord, type RecordDay } from './get-agent-record.ts'
export { giveFeedback } from './give-feedback.ts'
export { type FeedbackInvitation, inviteFeedback } from './invite-feedback.ts'
export { listFeedback, listFeedbackInvites } from './list-feedback.ts'
export { loadScores, marketPrior, priorWeight, type ScoreRow, scoreFromSums, scoresSql, toScore } from './load-scores.ts'
export { recordTaskOutcome, type StepOutcome } from './record-task-outcome.ts'
