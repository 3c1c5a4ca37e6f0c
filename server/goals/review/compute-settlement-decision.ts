import type { StepState, TaskState } from '@parley/protocol'

/** The fields of a step and a task that determine the payment. */
type PaidStep = { readonly step: number; readonly state: StepState; readonly taskId: string | null }
type PaidTask = { readonly id: string; readonly step: number; readonly state: TaskState; readonly acceptance?: string }

export type SettlementDecision<S extends PaidStep> = {
  /** Bit `step - 1` for each paid step. */
  readonly bits: bigint
  /** Those of them of which half is paid. */
  readonly halves: bigint
  /** The paid task of each step. */
  readonly taskIds: { readonly [step: number]: string }
  /** Steps whose work the client returned. */
  readonly returned: readonly S[]
}

/** Whether the client or a dispute has decided each completed task. */
export function isDecided(tasks: readonly PaidTask[], isDisputed: (step: number) => boolean): boolean {
  return !tasks.some((task) => task.state === 'completed' && task.acceptance === 'pending' && !isDisputed(task.step))
}

/** The settlement pays every completed step whose task was accepted, and half of those that were split. */
export function computeSettlementDecision<S extends PaidStep>(steps: readonly S[], tasks: readonly PaidTask[]): SettlementDecision<S> {
  const returned: S[] = []
  const taskIds: { [step: number]: string } = {}
  let [bits, halves] = [0n, 0n]
  for (const step of steps) {
    const task = tasks.find((one) => one.id === step.taskId)
    if (task?.state !== 'completed') continue
    if (task.acceptance === 'returned') returned.push(step)
    const isSplit = task.acceptance === 'split'
    if (step.state !== 'done' || (task.acceptance !== 'accepted' && !isSplit)) continue
    const bit = 1n << BigInt(step.step - 1)
    bits |= bit
    if (isSplit) halves |= bit
    taskIds[step.step] = task.id
  }
  return { bits, halves, taskIds, returned }
}
