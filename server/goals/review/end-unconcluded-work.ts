import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { enqueue, schedule } from '../../delivery/index.ts'
import { getHold, listStepsPayableByDefault, voidHold } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { cancelTasks } from '../../tasks/index.ts'
import { disbandTeam, listSteps, requireUnchangeableStepPay } from '../../teams/index.ts'
import { advanceGoal, type Goal, workDueAt } from '../goal.ts'
import { lockGoal, saveGoal } from '../goal-store.ts'
import { findOpenRevision } from './revision-store.ts'
import { scheduleReviewEnd } from './schedule-review-end.ts'

/** Part of the transaction in which the work begins. */
export async function scheduleEndOfWork(tx: Context, goalId: string): Promise<void> {
  await schedule(tx, 'expire-work', { goalId }, { runAt: await getWorkBy(tx, goalId), jobKey: `work:${goalId}` })
}

/**
 * Run by a job at the latest time for the work: ends a goal that its principal has not concluded, as if it had failed. So completed steps
 * come to a review, and accepted ones are paid. Without completed steps everything is refunded.
 */
export async function endUnconcludedWork(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    const workBy = await getWorkBy(tx, goalId)
    const due = workDueAt(goal, { workBy, isRevision: (await findOpenRevision(tx, goalId)) !== null }, tx.clock.now())
    if (due === null) return
    // The clock of the job queue is ahead.
    if (due !== 'now') return schedule(tx, 'expire-work', { goalId }, { runAt: due, jobKey: `work:${goalId}` })
    const ended = await endWork(tx, goal, workBy)
    await appendAudit(tx, { stream: goalId, action: 'work.expire', before: { state: goal.state }, after: { state: ended.state } })
    await enqueue(tx, { type: 'goal.concluded', goal_id: goalId as never, outcome: 'failed' })
    await sendSignal(tx, { topic: 'goal', id: goalId })
  })
}

const getWorkBy = async (tx: Context, goalId: string) => new Date((await getHold(tx, goalId)).workBy * 1_000)

async function endWork(tx: Context, goal: Goal, at: Date): Promise<Goal> {
  const steps = await listSteps(tx, goal.id)
  const done = steps.filter((step) => step.state === 'done')
  await requireUnchangeableStepPay(tx, { goalId: goal.id, steps: done })
  const completed = done.map(({ step }) => step)
  const unfinished = steps.filter((step) => step.state !== 'done' && !step.canceled).map(({ step }) => step)
  const submitted = await listStepsPayableByDefault(tx, goal.id)
  const conclusion = await postSystemMessage(tx, {
    roomId: goal.roomId,
    state: 'conclusion',
    kind: 'work.expired',
    text: `The time for the work is over, and the principal has not concluded the goal. ${refundText(completed.length > 0, submitted !== null)}`,
    data: { goal_id: goal.id, completed, unfinished },
  })
  // The review counts from the end of the work, not from now: the escrow's own deadlines count from it, too.
  const event = { outcome: 'failed', seq: conclusion.seq, at, answer: null } as const
  const ended = advanceGoal(goal, { type: completed.length > 0 ? 'goal.review' : 'goal.end', ...event })
  await saveGoal(tx, ended)
  await cancelTasks(tx, goal.id, 'The time for the work is over.')
  await disbandTeam(tx, goal.id)
  if (ended.state === 'review') await scheduleReviewEnd(tx, ended)
  else await voidHold(tx, { goalId: goal.id, conclusionHash: `0x${conclusion.hash}` })
  return ended
}

/** `isSubmitted`: the escrow decides on steps that their payees submitted to it. */
function refundText(hasCompleted: boolean, isSubmitted: boolean): string {
  if (hasCompleted) return 'The completed steps are in review, and the rest is refunded with them.'
  return isSubmitted ? 'Everything is refunded, except steps that were submitted to the escrow.' : 'Everything is refunded.'
}
