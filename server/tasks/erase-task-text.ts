import type { Context } from '../context.ts'

/** Erases the text that a task has copied from an erased message. */
export async function eraseTaskText(tx: Context, { taskId, act }: { taskId: string; act: string }): Promise<void> {
  if (act === 'task_result') await tx.db.task.updateMany({ where: { id: taskId, state: 'completed' }, data: { resultText: '' } })
  if (/^a?sync_task_assignment$/.test(act)) await tx.db.task.updateMany({ where: { id: taskId }, data: { description: '', inputs: [] } })
  if (act === 'error') await tx.db.task.updateMany({ where: { id: taskId, state: 'failed' }, data: { failure: '' } })
}
