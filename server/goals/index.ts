/**
 * Owns goals, from posted to settled: the only room that sees all the others.
 * Never plans: what is to be done is the principal's business.
 * Reads every room below.
 */
export { answerCardDisputes } from './answer-card-disputes.ts'
export { cancelGoal } from './cancel-goal.ts'
export { claimGoal } from './claim-goal.ts'
export { closeGoal } from './close-goal.ts'
export { concludeGoal } from './conclude-goal.ts'
export { eraseArtifact } from './erase-artifact.ts'
export { eraseMessage } from './erase-message.ts'
export { goalNotFound } from './errors.ts'
export type { Goal } from './goal.ts'
export { lapseReview } from './lapse-review.ts'
export { offerGoal, offerOpenGoals, spreadOffer } from './offer-goal.ts'
export { openGoal } from './open-goal.ts'
export { type PostedGoal, postGoal } from './post-goal.ts'
export {
  canReadGoal,
  type GoalFilter,
  getGoal,
  getGoalByRoom,
  listFollowUps,
  listGoals,
  readableGoals,
} from './read-goals.ts'
export { settleGoal } from './settle-goal.ts'
export { startGoal } from './start-goal.ts'
export { tellDisputes } from './tell-disputes.ts'
