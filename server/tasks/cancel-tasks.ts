import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { endSubtasks } from './end-subtasks.ts'
import { advanceTask, isLiveTask } from './task.ts'
import { getTask, listTasks, saveTask } from './task-store.ts'

/** Cancels every live task of a goal. Part of the transaction that ends the goal. */
export async function cancelTasks(tx: Context, goalId: string, reason: string): Promise<void> {
  for (const { id } of await listTasks(tx, goalId)) {
    // Canceling a task has already ended its subtasks.
    const task = await getTask(tx, id)
    if (!isLiveTask(task)) continue
    await saveTask(tx, advanceTask(task, { type: 'task.cancel', at: tx.clock.now(), reason }))
    await appendAudit(tx, { stream: goalId, action: 'task.cancel', after: { task_id: task.id, reason } })
    await endSubtasks(tx, task, 'canceled')
  }
}
