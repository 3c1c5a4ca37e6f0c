import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { sendSignal } from '../signals/signal.ts'
import { advanceGoal } from './goal.ts'
import { lockGoal, saveGoal } from './goal-store.ts'
import { scheduleEndOfWork } from './review/end-unconcluded-work.ts'

/** The team is sealed: the goal is underway. */
export async function startGoal(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    if (goal.state !== 'open') return
    const started = advanceGoal(goal, { type: 'goal.start' })
    await saveGoal(tx, started)
    await scheduleEndOfWork(tx, goalId)
    await appendAudit(tx, { stream: goalId, action: 'goal.start', before: { state: goal.state }, after: { state: started.state } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    await sendSignal(tx, { topic: 'market', id: 'goals' })
  })
}
