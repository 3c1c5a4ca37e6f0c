import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../server/conversations/index.ts'
import { expireTaskLease, getTask } from '../../../server/tasks/index.ts'
import { leaseMs } from '../../../server/tasks/task.ts'
import { listSteps } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, createFundedGoal, type GoalFixture, newTaskId, sealTeamOf, textUpload } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
const taskId = newTaskId()
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await sealTeamOf(fixture)
  await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: taskId, step: 1 })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('expireTaskLease', () => {
  it('leaves a lease alone that has not ended, and one that was renewed', async () => {
    await expireTaskLease(world.system, taskId)
    world.clock.advance(leaseMs - 5_000)
    await fixture.first.send({ type: 'task.progress', task_id: taskId, text: '' })
    world.clock.advance(10_000)
    await expireTaskLease(world.system, taskId)
    expect((await getTask(world.system, taskId)).state).toBe('working')
  })
  it('frees the step once, reports it, marks the record, and takes no late result', async () => {
    world.clock.advance(leaseMs)
    await expireTaskLease(world.system, taskId)
    await expireTaskLease(world.system, taskId)
    expect(await countAudit(fixture, fixture.goal.id, 'task.expire')).toBe(1)
    expect((await listSteps(world.system, fixture.goal.id))[0]).toMatchObject({ state: 'planned', taskId: null })
    expect(await world.system.db.stepOutcome.findUnique({ where: { taskId } })).toMatchObject({
      outcome: 'expired',
      agentId: fixture.first.agentId,
    })
    const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 100 })
    expect(messages.filter((message) => message.parts.some((part) => part.data?.kind === 'task.expired'))).toHaveLength(1)
    await expectProblem(
      fixture.first.send({ type: 'task.complete', task_id: taskId, artifacts: [textUpload('late')] }),
      'task.lease_expired',
    )
  })

  it('leaves the step to its next lease alone: nothing that is late changes anything, before that one has ended or after', async () => {
    const second = newTaskId()
    const assigned = await fixture.lead.send<{ epoch: number }>({ type: 'task.assign', goal_id: fixture.goal.id, task_id: second, step: 1 })
    expect(assigned.epoch).toBe(2)
    const late = { type: 'task.complete' as const, task_id: taskId, artifacts: [textUpload('late')] }
    const refused = await expectProblem(fixture.first.send(late), 'task.lease_expired')
    expect(refused.facts).toMatchObject({ epoch: 1, current: 2 })
    await expectProblem(fixture.first.send({ type: 'task.progress', task_id: taskId, text: 'Still here.' }), 'task.wrong_state')
    // It has failed already, so that reporting it is a repetition.
    await fixture.first.send({ type: 'task.fail', task_id: taskId, reason: 'It can not be done.' })
    // The lease of before runs out once more, in a job that comes late.
    await expireTaskLease(world.system, taskId)
    expect((await listSteps(world.system, fixture.goal.id))[0]).toMatchObject({ taskId: second })
    await fixture.first.send({ type: 'task.complete', task_id: second, artifacts: [textUpload('in time')] })
    await expectProblem(fixture.first.send(late), 'task.lease_expired')
    expect((await listSteps(world.system, fixture.goal.id))[0]).toMatchObject({ state: 'done', taskId: second })
    expect(await world.system.db.artifact.count({ where: { taskId } })).toBe(0)
  })
})
