/** Selectors over the state of a room. */
import { type CharterStep, leadOfRoom, stepsOfRoom } from '@parley/protocol'
import type { Conversation, TaskView } from './conversation.ts'

/** The statuses of a task that never change again. */
export const endedStatuses = new Set<TaskView['status']>(['completed', 'failed', 'expired', 'returned'])

/** Tasks that have not ended. */
export const listOpenTasks = (c: Conversation): TaskView[] => [...c.tasks.values()].filter((task) => !endedStatuses.has(task.status))

/** The open tasks that block the room: `sync` tasks, and those that a pause named. */
export const blockingTasks = (c: Conversation): TaskView[] =>
  listOpenTasks(c).filter((task) => task.mode === 'sync' || c.pausedFor.includes(task.task_id))

/** Whether the current charter is the one recorded on chain. Only then may tasks be assigned. */
export const isCharterRecorded = (c: Conversation): boolean =>
  c.charter !== null && c.recorded?.version === c.charter.version && c.recorded.charter_hash === c.charterHash

/** The version number of the room's next charter. */
export const nextCharterVersion = (c: Conversation): number => 1 + Math.max(c.charter?.version ?? 0, c.withdrawn?.version ?? 0)

/** DID of the room's lead by its charter: the planner, or the assignee of the task that a sub-team's room is for. */
export const findLead = (c: Conversation): string | undefined => c.charter?.principal_id && leadOfRoom(c.charter, c.room_id)

/** DIDs of the room's members who have not accepted its charter. The lead accepts by proposing. */
export const listUnsigned = (c: Conversation): string[] =>
  [...new Set((c.charter ? stepsOfRoom(c.charter, c.room_id) : []).map((step) => step.sender_id))].filter(
    (did) => did !== findLead(c) && !c.accepted.includes(did),
  )

/** The charter's step with this number. */
export const findStep = (c: Conversation, step: number): CharterStep | undefined => c.charter?.steps.find((one) => one.step === step)
