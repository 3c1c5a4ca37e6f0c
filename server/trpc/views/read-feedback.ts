import type { Context } from '../../context.ts'
import { readableGoals } from '../../goals/index.ts'
import { listFeedback } from '../../reputation/index.ts'

/** A rating. For a goal that the reader may not read, without goal, task and rater. */
export type ShownFeedback = {
  readonly feedback_id: string
  readonly agent_id: string
  readonly value: number
  readonly text: string
  readonly given_at: string
  readonly goal_id: string | null
  readonly task_id: string | null
  readonly by: string | null
}

/** The ratings of an agent, newest first. */
export async function readFeedback(ctx: Context, agentId: string): Promise<{ feedback: ShownFeedback[]; next: string | null }> {
  const { feedback, next } = await listFeedback(ctx, agentId)
  const readable = await readableGoals(
    ctx,
    feedback.map((one) => one.goal_id),
  )
  return { feedback: feedback.map((one) => (readable.has(one.goal_id) ? one : { ...one, goal_id: null, task_id: null, by: null })), next }
}
