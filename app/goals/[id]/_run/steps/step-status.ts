import type { StepState } from '@parley/protocol'
import { currentTask, type RunStep, type RunTask } from '../run-view.ts'

/** The status of a step as one word, for chips, graph and table. */
export const stepStatuses = [
  'waiting',
  'ready',
  'working',
  'asking',
  'revising',
  'done',
  'accepted',
  'returned',
  'failed',
  'submitted',
  'disputed',
  'paid',
  'split',
  'refunded',
] as const
export type StepStatus = (typeof stepStatuses)[number]

/** The shown state of a step. In a failed goal, unfinished steps are not paid. */
export function stateAfter(outcome: string | null, state: StepState): StepState {
  return outcome === 'failed' && (state === 'planned' || state === 'assigned') ? 'refunded' : state
}

/** The status of a step, from its payout, its state, its newest task and the steps on which it depends. */
export function stepStatus(step: RunStep, steps: readonly RunStep[], tasks: readonly RunTask[]): StepStatus {
  const task = currentTask(tasks, step.step)
  const money = step.payout?.state
  if (money === 'disputed' || money === 'split') return money
  switch (step.state) {
    case 'paid':
      return 'paid'
    case 'refunded':
      // The escrow decides it by the terms at the end of the review.
      return money === 'sealed' && step.payout?.submittedTx ? 'submitted' : 'refunded'
    case 'done':
      return task?.acceptance === 'accepted' ? 'accepted' : task?.acceptance === 'returned' ? 'returned' : 'done'
    case 'assigned':
      return task?.state === 'input_required' || task?.state === 'auth_required' ? 'asking' : 'working'
    case 'planned': {
      if (task?.acceptance === 'returned') return 'returned'
      if (task?.acceptance === 'changes_requested') return 'revising'
      if (task && ['failed', 'canceled', 'rejected'].includes(task.state)) return 'failed'
      const isBlocked = step.dependsOn.some(
        (needed) => !['done', 'paid'].includes(steps.find((other) => other.step === needed)?.state ?? ''),
      )
      return isBlocked || step.isOnHold ? 'waiting' : 'ready'
    }
    default:
      return step.state satisfies never
  }
}
