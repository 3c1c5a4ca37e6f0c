import { type Acceptance, canFollow, type TaskInput, type TaskState, taskTransitions } from '@parley/protocol'
import { taskNotAssignee, taskWrongState } from './errors.ts'

/** How long an agent may be silent before its step is free. Progress renews the lease. */
export const leaseMs = 60_000

type Common = {
  readonly id: string
  readonly goalId: string
  readonly roomId: string
  readonly step: number
  /** Counts the assignments of a step, from 1. */
  readonly epoch: number
  readonly agentId: string
  readonly senderId: string
  readonly mode: 'sync' | 'async'
  readonly description: string
  readonly inputs: readonly TaskInput[]
  readonly reworks: string | null
  readonly leaseUntil: Date
  readonly assignedAt: Date
  readonly done: number | null
  readonly version: number
}
export type LiveTask = Common & { readonly state: 'submitted' | 'working' | 'input_required' | 'auth_required' }
export type CompletedTask = Common & {
  readonly state: 'completed'
  readonly acceptance: Acceptance
  readonly resultText: string
  readonly endedAt: Date
  readonly returnReason: string | null
}
export type EndedTask = Common & { readonly state: 'failed' | 'canceled' | 'rejected'; readonly failure: string; readonly endedAt: Date }
export type Task = LiveTask | CompletedTask | EndedTask

export type TaskEvent =
  | { readonly type: 'task.progress'; readonly by: string; readonly at: Date; readonly done: number | null }
  | { readonly type: 'task.complete'; readonly by: string; readonly at: Date; readonly text: string }
  | { readonly type: 'task.fail'; readonly by: string; readonly at: Date; readonly reason: string }
  | { readonly type: 'task.expire'; readonly at: Date }
  | { readonly type: 'task.cancel'; readonly at: Date; readonly reason: string }
  | { readonly type: 'task.accept' }
  | { readonly type: 'task.split' }
  | { readonly type: 'task.return'; readonly reason: string }
  | { readonly type: 'task.request_changes'; readonly reason: string }
  | { readonly type: 'task.restore' }

export function isLiveTask(task: Task): task is LiveTask {
  return task.state !== 'completed' && task.state !== 'failed' && task.state !== 'canceled' && task.state !== 'rejected'
}

function live(task: Task, verb: string, next: TaskState): LiveTask {
  if (!isLiveTask(task) || !canFollow(taskTransitions, task.state, next)) throw taskWrongState(task.id, task.state, verb)
  return task
}

function assigned(task: Task, by: string): void {
  if (task.agentId !== by) throw taskNotAssignee(task.id, by)
}

/** The completed task, if its acceptance is one of these. */
function judgeable(task: Task, verb: string, from: readonly Acceptance[]): CompletedTask {
  if (task.state !== 'completed') throw taskWrongState(task.id, task.state, verb)
  if (!from.includes(task.acceptance)) throw taskWrongState(task.id, task.acceptance, verb)
  return task
}

/** The only state transition function of a task. */
export function advanceTask(task: Task, event: TaskEvent): Task {
  switch (event.type) {
    case 'task.progress':
      assigned(task, event.by)
      return {
        ...live(task, event.type, 'working'),
        state: 'working',
        done: event.done ?? task.done,
        leaseUntil: new Date(event.at.getTime() + leaseMs),
      }
    case 'task.complete':
      assigned(task, event.by)
      return {
        ...live(task, event.type, 'completed'),
        state: 'completed',
        acceptance: 'pending',
        resultText: event.text,
        endedAt: event.at,
        done: 100,
        returnReason: null,
      }
    case 'task.fail':
      assigned(task, event.by)
      return { ...live(task, event.type, 'failed'), state: 'failed', failure: event.reason, endedAt: event.at }
    case 'task.expire': {
      const expiring = live(task, event.type, 'failed')
      if (expiring.leaseUntil > event.at) return task
      return { ...expiring, state: 'failed', failure: 'The lease ended without a message from the agent.', endedAt: event.at }
    }
    case 'task.cancel':
      return { ...live(task, event.type, 'canceled'), state: 'canceled', failure: event.reason, endedAt: event.at }
    case 'task.accept':
      return { ...judgeable(task, event.type, ['pending', 'accepted']), acceptance: 'accepted' }
    case 'task.split':
      return { ...judgeable(task, event.type, ['pending', 'split']), acceptance: 'split' }
    case 'task.return':
      return { ...judgeable(task, event.type, ['pending', 'returned']), acceptance: 'returned', returnReason: event.reason }
    case 'task.request_changes':
      return { ...judgeable(task, event.type, ['pending']), acceptance: 'changes_requested', returnReason: event.reason }
    case 'task.restore':
      return { ...judgeable(task, event.type, ['changes_requested']), acceptance: 'pending', returnReason: null }
    default:
      return event satisfies never
  }
}
