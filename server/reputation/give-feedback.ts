import type { FeedbackId, GiveFeedback, TaskId } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { actorName, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { requireAcceptableText } from '../safety/index.ts'
import { feedbackAlreadyGiven, feedbackNotEntitled } from './errors.ts'

/**
 * Records one rating of a paid step by a party that the step served. Repeating the same rating changes nothing; a different one is
 * refused.
 */
export async function giveFeedback(ctx: Context, input: GiveFeedback): Promise<{ feedback_id: FeedbackId }> {
  await permit(ctx, 'feedback.give')
  requireAcceptableText(ctx, input.text, 'text')
  const by = actorName(ctx.actor)
  return inTransaction(ctx, async (tx) => {
    // Locks the invitation, so that concurrent ratings of one rater take turns.
    const [invite] = await tx.db.$queryRaw<{ goalId: string; agentId: string; amount: bigint }[]>`
      select i."goalId", i."agentId", i."amount" from "feedback_invite" i
      join "step_outcome" o on o."taskId" = i."taskId" and o."outcome" = 'paid'
      where i."taskId" = ${input.task_id} and i."by" = ${by} for update of i`
    if (!invite) throw feedbackNotEntitled(input.task_id)
    const given = await tx.db.feedback.findUnique({ where: { taskId_by: { taskId: input.task_id, by } } })
    if (given) {
      if (given.value !== input.value || given.text !== input.text) throw feedbackAlreadyGiven(input.task_id)
      return { feedback_id: given.id as FeedbackId }
    }
    const id = tx.ids.next('fbk')
    const { goalId, agentId, amount } = invite
    await tx.db.feedback.create({
      data: { id, taskId: input.task_id, by, goalId, agentId, value: input.value, text: input.text, amount, givenAt: tx.clock.now() },
    })
    await appendAudit(tx, { stream: agentId, action: 'feedback.give', after: { feedback: id, task: input.task_id, value: input.value } })
    await enqueue(tx, {
      type: 'feedback.given',
      goal_id: goalId as `gol_${string}`,
      task_id: input.task_id as TaskId,
      feedback_id: id,
      agent_id: agentId as `agt_${string}`,
    })
    return { feedback_id: id }
  })
}
