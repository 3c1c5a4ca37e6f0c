import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { endSubTeam, findSubTeamOf, listSteps, moveStep, type SubTeamOutcome } from '../teams/index.ts'
import { taskBlocked } from './errors.ts'
import { advanceTask, isLiveTask, type Task } from './task.ts'
import { getTask, listTasks, saveTask } from './task-store.ts'

/** @throws task.blocked if a sub-team still works for this task */
export async function requireNoOpenSubtasks(tx: Context, task: Task): Promise<void> {
  const team = await findSubTeamOf(tx, task.id)
  if (!team) return
  const open = (await listTasks(tx, task.goalId)).filter((one) => one.roomId === team.roomId && isLiveTask(one)).map((one) => one.step)
  if (open.length > 0) throw taskBlocked(task.step, open)
}

/**
 * Ends the sub-team of an ended task and everything below, recursively. Completed subtasks stay completed. Part of the transaction that
 * ends the task.
 */
export async function endSubtasks(tx: Context, task: Pick<Task, 'id' | 'goalId'>, outcome: SubTeamOutcome): Promise<void> {
  const team = await findSubTeamOf(tx, task.id)
  if (!team || team.endedAt !== null) return
  for (const { id, roomId } of await listTasks(tx, task.goalId)) {
    if (roomId !== team.roomId) continue
    const below = await getTask(tx, id)
    if (!isLiveTask(below)) continue
    const reason = 'The task that this one was part of has ended.'
    await saveTask(tx, advanceTask(below, { type: 'task.cancel', at: tx.clock.now(), reason }))
    const step = (await listSteps(tx, task.goalId)).find((one) => one.step === below.step)
    if (step?.state === 'assigned') await moveStep(tx, { goalId: task.goalId, step, state: 'planned', taskId: null })
    await appendAudit(tx, { stream: task.goalId, action: 'task.cancel', after: { task_id: id, reason } })
    await endSubtasks(tx, below, 'canceled')
  }
  await endSubTeam(tx, team.roomId, outcome)
}
