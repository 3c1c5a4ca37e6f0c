import type { Context } from '../../context.ts'
import { deleteStepSubmissionSignature, isOutsideReview, listPayouts } from '../../settlement/index.ts'
import { listSteps, moveStep, type StepView } from '../../teams/index.ts'
import { taskDisputed, taskNotFound, taskSubmitted, taskWrongState } from '../errors.ts'
import { advanceTask, isLiveTask, type Task } from '../task.ts'
import { listTasks, saveTask } from '../task-store.ts'
import { dependentSteps } from './dependent-steps.ts'

export type ReopenedTasks = {
  /** The steps that are done again, in their order, and their former tasks. */
  readonly steps: readonly number[]
  readonly taskIds: readonly string[]
}

/**
 * Completed tasks need changes: their steps, and all steps that build on them, are planned again. Steps that are decided already stay.
 * @throws task.not_found, task.wrong_state, task.disputed, task.submitted
 */
export async function reopenTasksForChanges(
  tx: Context,
  { goalId, taskIds, reason }: { readonly goalId: string; readonly taskIds: readonly string[]; readonly reason: string },
): Promise<ReopenedTasks> {
  const tasks = await listTasks(tx, goalId)
  const steps = await listSteps(tx, goalId)
  const payouts = await listPayouts(tx, { goalId })
  const chosen = taskIds.map((id) => {
    const task = tasks.find((one) => one.id === id)
    if (!task) throw taskNotFound(id)
    const step = requireChangeable(task, steps)
    const payout = payouts.find((one) => one.step === step.step)
    if (payout && isOutsideReview(payout)) throw taskDisputed(id, step.step, payout.state)
    return step.step
  })
  const isOpen = (step: StepView): boolean => {
    const task = tasks.find((one) => one.id === step.taskId)
    const isPending = step.state === 'done' && task?.state === 'completed' && task.acceptance === 'pending'
    return isPending && step.roomId === null && !payouts.some((one) => one.step === step.step && isOutsideReview(one))
  }
  const affected = dependentSteps(steps, chosen).filter(isOpen)
  for (const step of affected) {
    const task = tasks.find((one) => one.id === step.taskId)
    if (!task) throw new Error(`step ${step.step} has no task`)
    if (!(await deleteStepSubmissionSignature(tx, { goalId, step: step.step }))) throw taskSubmitted(task.id, step.step)
    await saveTask(tx, advanceTask(task, { type: 'task.request_changes', reason }))
    // The step keeps its task: a step that was delivered once cannot change hands.
    await moveStep(tx, { goalId, step, state: 'planned' })
  }
  return { steps: affected.map(({ step }) => step), taskIds: affected.flatMap(({ taskId }) => taskId ?? []) }
}

/** @throws task.wrong_state */
function requireChangeable(task: Task, steps: readonly StepView[]): StepView {
  const step = steps.find((one) => one.taskId === task.id)
  if (!step || isLiveTask(task)) throw taskWrongState(task.id, task.state, 'revision.request')
  if (task.state !== 'completed' || task.acceptance !== 'pending')
    throw taskWrongState(task.id, task.state === 'completed' ? task.acceptance : task.state, 'revision.request')
  if (step.roomId !== null) throw taskWrongState(task.id, `part of step ${step.parent}, where you can request changes`, 'revision.request')
  return step
}
