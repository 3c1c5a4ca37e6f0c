/** The usual questions to a conversation. */
import { type CharterStep, leadOfRoom, stepsOfRoom } from '@parley/protocol'
import type { Conversation, TaskView } from './reduce.ts'

export const ended = new Set<TaskView['status']>(['completed', 'failed', 'expired', 'returned'])

export const openTasks = (c: Conversation): TaskView[] => [...c.tasks.values()].filter((task) => !ended.has(task.status))

/** The tasks that the room waits for: open `sync` ones, and those that a pause named. */
export const blockedBy = (c: Conversation): TaskView[] =>
  openTasks(c).filter((task) => task.mode === 'sync' || c.pausedFor.includes(task.task_id))

/** Whether the charter as it now stands is the one on chain: only then tasks may be assigned. */
export const charterRecorded = (c: Conversation): boolean =>
  c.charter !== null && c.recorded?.version === c.charter.version && c.recorded.charter_hash === c.charterHash

/** The version that the room's next charter gets. */
export const nextVersion = (c: Conversation): number => 1 + Math.max(c.charter?.version ?? 0, c.withdrawn?.version ?? 0)

/** Who leads the room by its charter: the principal, or whose task a sub-team's room is for. */
export const leadOf = (c: Conversation): string | undefined => c.charter?.principal_id && leadOfRoom(c.charter, c.group_id)

/** Members of the room's team who have not signed its charter. The lead signs by proposing. */
export const unsigned = (c: Conversation): string[] =>
  [...new Set((c.charter ? stepsOfRoom(c.charter, c.group_id) : []).map((step) => step.sender_id))].filter(
    (did) => did !== leadOf(c) && !c.accepted.includes(did),
  )

export const stepOf = (c: Conversation, step: number): CharterStep | undefined => c.charter?.steps.find((one) => one.step === step)
