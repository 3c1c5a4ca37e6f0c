import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getTask } from '../../../server/tasks/index.ts'
import { listSteps } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, createFundedGoal, type GoalFixture, newTaskId, sealTeamOf } from '../../support/goal-fixture.ts'
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

describe('failTask', () => {
  it('refuses another agent', async () => {
    await expectProblem(fixture.second.send({ type: 'task.fail', task_id: taskId, reason: 'No.' }), 'task.not_assignee')
  })
  it('frees the step with the reason, once', async () => {
    await fixture.first.send({ type: 'task.fail', task_id: taskId, reason: 'No ink.' })
    await fixture.first.send({ type: 'task.fail', task_id: taskId, reason: 'No ink.' })
    expect(await countAudit(fixture, fixture.goal.id, 'task.fail')).toBe(1)
    expect(await getTask(world.system, taskId)).toMatchObject({ state: 'failed', failure: 'No ink.' })
    expect((await listSteps(world.system, fixture.goal.id))[0]?.state).toBe('planned')
    expect(await world.system.db.stepOutcome.findUnique({ where: { taskId } })).toMatchObject({ outcome: 'failed' })
  })
})
