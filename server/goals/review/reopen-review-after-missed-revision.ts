import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { enqueue, schedule } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { restoreUnchangedDeliveries } from '../../tasks/index.ts'
import { advanceGoal, revisionDueAt } from '../goal.ts'
import { lockGoal, saveGoal } from '../goal-store.ts'
import { endRevision, findOpenRevision } from './revision-store.ts'
import { scheduleReviewEnd } from './schedule-review-end.ts'

/** Run by a job at the deadline: if no changed version was delivered, the delivery before is in review again. */
export async function reopenReviewAfterMissedRevision(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    const open = await findOpenRevision(tx, goalId)
    const due = revisionDueAt(goal, open !== null, tx.clock.now())
    if (due === null || open === null) return
    // The clock of the job queue is ahead, or the deadline was extended.
    if (due !== 'now') return schedule(tx, 'expire-revision', { goalId }, { runAt: due, jobKey: `revision:${goalId}` })
    const steps = await restoreUnchangedDeliveries(tx, goalId, 'The deadline passed before the changes were delivered.')
    await endRevision(tx, goalId)
    // The review counts from the deadline, not from now: the escrow's own deadlines count from it, too.
    const event = { type: 'goal.review', outcome: 'delivered', seq: open.conclusionSeq, at: goal.deadline, answer: open.answer } as const
    const review = advanceGoal(goal, event)
    await saveGoal(tx, review)
    if (review.state === 'review') await scheduleReviewEnd(tx, review)
    await postSystemMessage(tx, {
      roomId: goal.roomId,
      state: 'conclusion',
      kind: 'revision.expired',
      text: 'The deadline passed before the changes were delivered. The delivery before them is in review again.',
      data: { goal_id: goalId, round: open.round, steps, review_by: (review.reviewBy ?? goal.deadline).toISOString() },
    })
    await appendAudit(tx, {
      stream: goalId,
      action: 'revision.expire',
      before: { state: goal.state },
      after: { state: review.state, round: open.round },
    })
    await enqueue(tx, { type: 'goal.concluded', goal_id: goalId as never, outcome: 'delivered' })
    await sendSignal(tx, { topic: 'goal', id: goalId })
  })
}
