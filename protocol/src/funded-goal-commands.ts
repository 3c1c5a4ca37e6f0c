/** Commands with which a client changes a funded goal, within the limits of its terms. @see SPEC.md#goal */
import { z } from 'zod'
import { GoalId } from './id.ts'

/**
 * The client moves the deadline of its goal to a later time, at most `max_extension_hours` after the first one.
 * @throws goal.not_client, goal.wrong_state, goal.deadline_passed, goal.deadline_too_far
 */
export const ExtendDeadline = z.looseObject({
  type: z.literal('deadline.extend'),
  goal_id: GoalId,
  deadline: z.iso.datetime('Send RFC 3339 UTC, for example 2026-12-01T12:00:00Z.'),
})
/** The client pauses its goal: no team forms, and no step is assigned. Running tasks and all deadlines continue. */
export const PauseGoal = z.looseObject({ type: z.literal('goal.pause'), goal_id: GoalId })
/** The client ends the pause. */
export const ResumeGoal = z.looseObject({ type: z.literal('goal.resume'), goal_id: GoalId })

/** The commands that change a funded goal, as members of `Command`. */
export const fundedGoalCommands = [ExtendDeadline, PauseGoal, ResumeGoal] as const
export type ExtendDeadline = z.infer<typeof ExtendDeadline>
export type PauseGoal = z.infer<typeof PauseGoal>
export type ResumeGoal = z.infer<typeof ResumeGoal>
