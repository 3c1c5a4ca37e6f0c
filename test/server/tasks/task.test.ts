import { type TaskState, taskStates, taskTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../server/errors.ts'
import { advanceTask, isLiveTask, leaseMs, type Task } from '../../../server/tasks/task.ts'

const at = new Date('2026-01-01T00:00:00Z')
const task = (state: TaskState, changes: object = {}): Task =>
  ({
    id: 'tsk_1',
    agentId: 'agt_1',
    state,
    leaseUntil: at,
    done: null,
    acceptance: 'pending',
    resultText: '',
    endedAt: at,
    returnReason: null,
    failure: '',
    ...changes,
  }) as unknown as Task

const events = {
  working: { type: 'task.progress', by: 'agt_1', at, done: 10 },
  completed: { type: 'task.complete', by: 'agt_1', at, text: 'ok' },
  failed: { type: 'task.fail', by: 'agt_1', at, reason: 'no' },
  canceled: { type: 'task.cancel', at, reason: 'stop' },
} as const

describe('advanceTask', () => {
  it('refuses every other agent', () => {
    for (const event of [events.working, events.completed, events.failed]) {
      expect(() => advanceTask(task('working'), { ...event, by: 'agt_2' })).toThrow(/another agent/)
    }
  })
  const pairs = taskStates.flatMap((from) => (Object.keys(events) as (keyof typeof events)[]).map((to) => [from, to] as const))
  it.each(pairs)('%s → %s is as in the table', (from, to) => {
    const isAllowed = (taskTransitions[from] as readonly string[]).includes(to)
    if (isAllowed) expect(advanceTask(task(from), events[to]).state).toBe(to)
    else expect(() => advanceTask(task(from), events[to])).toThrow(DomainError)
  })
  it('renews the lease with each sign of life', () => {
    expect(advanceTask(task('submitted'), events.working).leaseUntil.getTime()).toBe(at.getTime() + leaseMs)
  })
  it('expires only a lease that has ended', () => {
    const leased = task('working', { leaseUntil: new Date(at.getTime() + 1) })
    expect(advanceTask(leased, { type: 'task.expire', at })).toBe(leased)
    expect(advanceTask(task('working'), { type: 'task.expire', at })).toMatchObject({ state: 'failed' })
  })
  it('takes back no word on completed work', () => {
    const accepted = advanceTask(task('completed'), { type: 'task.accept' })
    expect(() => advanceTask(accepted, { type: 'task.return', reason: 'no' })).toThrow(DomainError)
    const returned = advanceTask(task('completed'), { type: 'task.return', reason: 'no' })
    expect(() => advanceTask(returned, { type: 'task.accept' })).toThrow(DomainError)
    expect(() => advanceTask(task('working'), { type: 'task.accept' })).toThrow(DomainError)
  })
  it('counts as live until it has ended', () => {
    expect(taskStates.filter((state) => isLiveTask(task(state)))).toEqual(['submitted', 'working', 'input_required', 'auth_required'])
  })
})
