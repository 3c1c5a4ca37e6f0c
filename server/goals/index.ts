/**
 * Owns goals, from posting to settlement; the highest module.
 * Never plans: the principal does. A quote shows what the built-in one would do.
 * Reads every module below.
 */

export { cancelGoal } from './cancel-goal.ts'
export { claimGoal } from './claim-goal.ts'
export { closeSettledGoal } from './close-settled-goal.ts'
export { concludeGoal } from './conclude-goal.ts'
export { checkNextEntryOfEachClient } from './contest/check-next-entry-of-each-client.ts'
export { chooseEntry } from './contest/choose-entry.ts'
export { deliverChosenEntry } from './contest/deliver-chosen-entry.ts'
export { findPendingEntryChoice } from './contest/find-pending-entry-choice.ts'
export { type EntryView, listEntries, readEntryFile } from './contest/list-entries.ts'
export { performDueContestAction } from './contest/perform-due-contest-action.ts'
export { submitEntry } from './contest/submit-entry.ts'
export { type DemandView, listDemands, listOwnDemands } from './demand/list-demands.ts'
export { matchDemandsWithOnlineAgents } from './demand/match-demands-with-online-agents.ts'
export { postDemand } from './demand/post-demand.ts'
export { withdrawDemand } from './demand/withdraw-demand.ts'
export { announceDisputedAndSplitSteps } from './disputes/announce-disputed-and-split-steps.ts'
export { submitDueCardDisputeEvidence } from './disputes/submit-due-card-dispute-evidence.ts'
export { eraseArtifact } from './erasure/erase-artifact.ts'
export { eraseEntry } from './erasure/erase-entry.ts'
export { eraseMessage } from './erasure/erase-message.ts'
export { goalNotFound } from './errors.ts'
export { type CriterionCheck, type Goal, type GoalChecks, reminderAt, silenceOutcomeOf } from './goal.ts'
export { openFundedGoal } from './open-funded-goal.ts'
export { announceGoal, announceGoalToOthers, announceOpenGoals } from './planners/announce-goal.ts'
export { computeGoalQuote, type PricedQuote, type QuotedPlan, type QuoteInput } from './planners/compute-goal-quote.ts'
export { issueQuote, signPricedQuote } from './planners/issue-quote.ts'
export { getQuoteThreads } from './planners/quote-threads/quote-threads.ts'
export { suggestGoalsForSkill } from './planners/suggest-goals-for-skill.ts'
export { type PostedGoal, postGoal } from './posting/post-goal.ts'
export {
  canReadGoal,
  type GoalFilter,
  getGoal,
  getGoalByRoom,
  listFollowUps,
  listGoals,
  listUnfinishedGoals,
  readableGoals,
} from './read-goals.ts'
export { settleGoal } from './request-settlement.ts'
export { applyClientSilenceOutcome } from './review/apply-client-silence-outcome.ts'
export { checkCriteriaByRules } from './review/check-criteria-by-rules.ts'
export { endUnconcludedWork } from './review/end-unconcluded-work.ts'
export { listCriterionCheckers } from './review/list-criterion-checkers.ts'
export { remindClientOfReview } from './review/remind-client-of-review.ts'
export { reopenReviewAfterMissedRevision } from './review/reopen-review-after-missed-revision.ts'
export { requestRevision } from './review/request-revision.ts'
export { listGoalRevisions, type Revision } from './review/revision-store.ts'
export { startGoal } from './start-goal.ts'
export { extendDeadline } from './terms/extend-deadline.ts'
export { pauseGoal } from './terms/pause-goal.ts'
export { resumeGoal } from './terms/resume-goal.ts'
