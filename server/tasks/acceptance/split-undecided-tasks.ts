import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { isOutsideReview, listPayouts } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { getTeam } from '../../teams/index.ts'
import { advanceTask } from '../task.ts'
import { listTasks, saveTask } from '../task-store.ts'

/**
 * The end of a review splits what the client left open, as the terms state: half of each step is paid. Disputed steps and steps that have
 * ended are left to themselves.
 */
export async function splitUndecidedTasks(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const apart = new Set((await listPayouts(tx, { goalId })).filter(isOutsideReview).map(({ step }) => step))
    const open = (await listTasks(tx, goalId)).filter(
      (task) => task.state === 'completed' && task.acceptance === 'pending' && !apart.has(task.step),
    )
    for (const task of open) await saveTask(tx, advanceTask(task, { type: 'task.split' }))
    if (open.length > 0) {
      const task_ids = open.map(({ id }) => id)
      const what = open.length === 1 ? 'a step' : `each of ${open.length} steps`
      await postSystemMessage(tx, {
        roomId: (await getTeam(tx, goalId)).roomId,
        kind: 'task.split',
        text: `The client did not answer in time. As the terms state, half of the price of ${what} is paid, and the rest is refunded.`,
        data: { task_ids },
      })
      await appendAudit(tx, { stream: goalId, action: 'task.split', after: { task_ids } })
    }
    await enqueue(tx, { type: 'task.accepted', goal_id: goalId as never })
    await sendSignal(tx, { topic: 'goal', id: goalId })
  })
}
