/**
 * Owns tasks: assigned steps, their leases, artifacts and acceptance.
 * Never moves money, and never decides when a goal ends.
 * Reads teams, settlement, registry, reputation, conversations, delivery, policy, audit.
 */
export { acceptTask } from './acceptance/accept-task.ts'
export { reopenTasksForChanges } from './acceptance/reopen-tasks-for-changes.ts'
export { restoreUnchangedDeliveries } from './acceptance/restore-unchanged-deliveries.ts'
export { returnTask } from './acceptance/return-task.ts'
export { splitUndecidedTasks } from './acceptance/split-undecided-tasks.ts'
export {
  type ArtifactView,
  attachArtifact,
  copyArtifacts,
  eraseFile,
  eraseUnusedFile,
  type FileErasure,
  listArtifactsUnchecked,
  listNewestArtifactsUnchecked,
  readArtifact,
  readFileUnchecked,
  storeFile,
} from './artifacts.ts'
export { assignTask } from './assign-task.ts'
export { cancelTasks } from './cancel-tasks.ts'
export { completeTask } from './complete-task.ts'
export { createCompletedTask } from './create-completed-task.ts'
export { createSubTeam } from './create-sub-team.ts'
export { eraseTaskText } from './erase-task-text.ts'
export { taskNotFound } from './errors.ts'
export { expireTaskLease } from './expire-task-lease.ts'
export { failTask } from './fail-task.ts'
export { getArtifact } from './get-artifact.ts'
export { issueCompletionReceipts } from './issue-completion-receipts.ts'
export { progressTask } from './progress-task.ts'
export type { Task } from './task.ts'
export { listTaskDurations, type TaskDuration } from './task-durations.ts'
export { getTask, listShownTasks, listTasks } from './task-store.ts'
