import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { recordTaskOutcome } from '../reputation/index.ts'
import { getHold } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { listSteps, moveStep } from '../teams/index.ts'
import { endSubtasks } from './end-subtasks.ts'
import type { EndedTask } from './task.ts'
import { saveTask } from './task-store.ts'

/** The common part of failure and expiry: frees the step and records the outcome of the agent. */
export async function endUnfinishedTask(tx: Context, task: EndedTask, outcome: 'failed' | 'expired'): Promise<void> {
  await saveTask(tx, task)
  const step = (await listSteps(tx, task.goalId)).find((one) => one.step === task.step)
  if (step && step.taskId === task.id && step.state === 'assigned')
    await moveStep(tx, { goalId: task.goalId, step, state: 'planned', taskId: await findDeliveredTask(tx, task) })
  await endSubtasks(tx, task, 'failed')
  const hold = await getHold(tx, task.goalId)
  await recordTaskOutcome(tx, {
    taskId: task.id,
    goalId: task.goalId,
    agentId: task.agentId,
    payerId: hold.client,
    outcome,
    amount: step?.amount ?? 0n,
    asset: hold.asset,
  })
  await appendAudit(tx, {
    stream: task.goalId,
    action: outcome === 'failed' ? 'task.fail' : 'task.expire',
    after: { task_id: task.id, step: task.step, failure: task.failure },
  })
  await sendSignal(tx, { topic: 'goal', id: task.goalId })
}

/** The step's last delivery, if its client requested changes of it; null if there is none. */
async function findDeliveredTask(tx: Context, { goalId, step }: EndedTask): Promise<string | null> {
  const where = { goalId, step, acceptance: 'changes_requested' as const }
  const delivered = await tx.db.task.findFirst({ where, orderBy: { epoch: 'desc' }, select: { id: true } })
  return delivered?.id ?? null
}
