import type { StepState, TaskState } from '@parley/protocol'

/** A step and a task as far as the pay depends on them. */
type PaidStep = { readonly step: number; readonly state: StepState; readonly taskId: string | null }
type PaidTask = { readonly id: string; readonly step: number; readonly state: TaskState; readonly acceptance?: string }

export type SettlementDecision<S extends PaidStep> = {
  /** Bit `step - 1` for each step to be paid. */
  readonly bits: bigint
  /** By step: the task that is paid for. */
  readonly taskIds: { readonly [step: number]: string }
  /** Steps whose work the client returned. */
  readonly returned: readonly S[]
}

/** Whether each completed task has the client's word, or a dispute of its own that decides. */
export function isDecided(tasks: readonly PaidTask[], isDisputed: (step: number) => boolean): boolean {
  return !tasks.some((task) => task.state === 'completed' && task.acceptance === 'pending' && !isDisputed(task.step))
}

/** What the goal's settlement pays: every done step whose task was accepted. */
export function settlementOf<S extends PaidStep>(steps: readonly S[], tasks: readonly PaidTask[]): SettlementDecision<S> {
  const returned: S[] = []
  const taskIds: { [step: number]: string } = {}
  let bits = 0n
  for (const step of steps) {
    const task = tasks.find((one) => one.id === step.taskId)
    if (task?.state !== 'completed') continue
    if (task.acceptance === 'returned') returned.push(step)
    if (step.state !== 'done' || task.acceptance !== 'accepted') continue
    bits |= 1n << BigInt(step.step - 1)
    taskIds[step.step] = task.id
  }
  return { bits, taskIds, returned }
}
