import type { Context } from '../../context.ts'
import { listSteps, moveStep } from '../../teams/index.ts'
import { cancelTasks } from '../cancel-tasks.ts'
import { advanceTask } from '../task.ts'
import { listTasks, saveTask } from '../task-store.ts'

/**
 * No changed version arrived: running tasks end, and for each open step its last delivery awaits the client's decision again.
 * @returns the restored steps
 */
export async function restoreUnchangedDeliveries(tx: Context, goalId: string, reason: string): Promise<number[]> {
  const restored: number[] = []
  await cancelTasks(tx, goalId, reason)
  const tasks = await listTasks(tx, goalId)
  for (const step of await listSteps(tx, goalId)) {
    if (step.canceled || (step.state !== 'planned' && step.state !== 'assigned')) continue
    const delivered = tasks
      .filter((task) => task.step === step.step && task.state === 'completed' && task.acceptance === 'changes_requested')
      .reduce<(typeof tasks)[number] | null>((best, task) => (best && best.epoch > task.epoch ? best : task), null)
    if (!delivered) continue
    await saveTask(tx, advanceTask(delivered, { type: 'task.restore' }))
    await moveStep(tx, { goalId, step, state: 'done', taskId: delivered.id })
    restored.push(step.step)
  }
  return restored
}
