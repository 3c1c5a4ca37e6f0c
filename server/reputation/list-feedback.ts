import type { Feedback } from '@parley/protocol'
import type { Context } from '../context.ts'

/** The ratings of an agent, newest first. `after`: the cursor of the previous page. */
export async function listFeedback(
  ctx: Context,
  agentId: string,
  page: { limit?: number; after?: string | undefined } = {},
): Promise<{ feedback: Feedback[]; next: string | null }> {
  const limit = Math.min(Math.max(page.limit ?? 50, 1), 100)
  // Ids are UUIDv7, so they sort by time.
  const rows = await ctx.db.feedback.findMany({
    where: { agentId, ...(page.after === undefined ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  const shown = rows.slice(0, limit)
  return { feedback: shown.map(toFeedback), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

/** The open invitations of an actor. */
export async function listFeedbackInvites(
  ctx: Context,
  by: string,
  goalId?: string,
): Promise<{ task_id: string; goal_id: string; agent_id: string; amount: string; invited_at: string }[]> {
  const rows = await ctx.db.feedbackInvite.findMany({
    where: { by, feedback: null, ...(goalId === undefined ? {} : { goalId }) },
    orderBy: [{ invitedAt: 'desc' }, { taskId: 'asc' }],
    take: 200,
  })
  return rows.map((row) => ({
    task_id: row.taskId,
    goal_id: row.goalId,
    agent_id: row.agentId,
    amount: row.amount.toString(),
    invited_at: row.invitedAt.toISOString(),
  }))
}

type FeedbackRow = { id: string; goalId: string; taskId: string; agentId: string; by: string; value: number; text: string; givenAt: Date }

function toFeedback(row: FeedbackRow): Feedback {
  return {
    feedback_id: row.id as Feedback['feedback_id'],
    goal_id: row.goalId as Feedback['goal_id'],
    task_id: row.taskId as Feedback['task_id'],
    agent_id: row.agentId as Feedback['agent_id'],
    by: row.by as Feedback['by'],
    value: row.value,
    text: row.text,
    given_at: row.givenAt.toISOString(),
  }
}
