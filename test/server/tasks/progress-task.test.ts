import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getHead } from '../../../server/delivery/index.ts'
import { getTask } from '../../../server/tasks/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createFundedGoal, type GoalFixture, newTaskId, sealTeamOf } from '../../support/goal-fixture.ts'
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

describe('progressTask', () => {
  it('refuses another agent and people', async () => {
    await expectProblem(fixture.second.send({ type: 'task.progress', task_id: taskId }), 'task.not_assignee')
    await expectProblem(fixture.client.send({ type: 'task.progress', task_id: taskId }), 'permission.denied')
  })
  it('renews the lease in silence, and speaks where there is something to say', async () => {
    const before = await getTask(world.system, taskId)
    const { head } = await getHead(world.system, fixture.goal.roomId)
    world.clock.advance(1_000)
    await fixture.first.send({ type: 'task.progress', task_id: taskId })
    expect((await getTask(world.system, taskId)).leaseUntil.getTime()).toBeGreaterThan(before.leaseUntil.getTime())
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head)
    await fixture.first.send({ type: 'task.progress', task_id: taskId, text: 'Half way.', done: 50 })
    expect((await getHead(world.system, fixture.goal.roomId)).head).toBe(head + 1)
    expect(await getTask(world.system, taskId)).toMatchObject({ state: 'working', done: 50 })
  })
})
