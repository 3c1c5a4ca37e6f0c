import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { createCompletedTask } from '../../tasks/index.ts'
import { listSteps, requireUnchangeableStepPay } from '../../teams/index.ts'
import { advanceGoal } from '../goal.ts'
import { lockGoal, saveGoal } from '../goal-store.ts'
import { scheduleReviewEnd } from '../review/schedule-review-end.ts'
import { findChosenEntry } from './entry-store.ts'

/**
 * The charter of a chosen entry is in force: its work is delivered and accepted, and the goal is settled. The agent need not be online.
 * Does nothing for other goals, and when it runs again.
 */
export async function deliverChosenEntry(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    if (goal.contest === null || goal.state !== 'underway') return
    const entry = await findChosenEntry(tx, goalId)
    const [step] = await listSteps(tx, goalId)
    if (!entry || step?.state !== 'planned' || !step.recorded) return
    await requireUnchangeableStepPay(tx, { goalId, steps: [step] })
    const { id, text, files, did } = entry
    await createCompletedTask(tx, { goalId, roomId: goal.roomId, step, text, files, by: did })
    const conclusion = await postSystemMessage(tx, {
      roomId: goal.roomId,
      state: 'conclusion',
      kind: 'entry.delivered',
      text: 'The chosen entry is delivered. With the choice, its work is accepted.',
      data: { goal_id: goalId, entry_id: id, files: files.map(({ sha256 }) => sha256) },
    })
    const answer = [...(text === '' ? [] : [{ text }]), ...files.map((artifact) => ({ artifact }))]
    const review = advanceGoal(goal, { type: 'goal.review', outcome: 'delivered', seq: conclusion.seq, at: tx.clock.now(), answer })
    await saveGoal(tx, review)
    if (review.state === 'review') await scheduleReviewEnd(tx, review)
    await appendAudit(tx, {
      stream: goalId,
      action: 'entry.deliver',
      before: { state: goal.state },
      after: { state: review.state, entry_id: id },
    })
    await enqueue(tx, { type: 'goal.concluded', goal_id: goalId as never, outcome: 'delivered' })
    await sendSignal(tx, { topic: 'goal', id: goalId })
  })
}
