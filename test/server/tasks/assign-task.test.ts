import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listTasks } from '../../../server/tasks/index.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, countAudit, createFundedGoal, doStep, type GoalFixture, newTaskId } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const assign = (agent: GoalFixture['lead'], step: number, taskId = newTaskId(), more: object = {}) =>
  agent.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: taskId, step, ...more })

describe('assignTask', () => {
  it('refuses before the escrow has recorded the charter', async () => {
    await agreeTeam(fixture)
    await expectProblem(assign(fixture.lead, 1), 'task.blocked')
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await world.until('the charter on chain', async () => (await getTeam(world.system, fixture.goal.id)).recordedAt)
  })
  it('refuses members, people, steps that wait for others and steps that are not there', async () => {
    await expectProblem(assign(fixture.first, 1), 'goal.not_principal')
    await expectProblem(
      fixture.client.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: newTaskId(), step: 1 }),
      'permission.denied',
    )
    await expectProblem(assign(fixture.lead, 2), 'task.blocked')
    await expectProblem(assign(fixture.lead, 9), 'task.wrong_state')
  })
  it('refuses files that are not in the goal', async () => {
    const artifact = { sha256: 'a'.repeat(64), name: 'x.txt', media_type: 'text/plain', size: 1, artifact_type: 'text.plain' }
    await expectProblem(
      assign(fixture.lead, 1, newTaskId(), { inputs: [{ port: 'text', type: 'text.plain', artifact }] }),
      'artifact.not_found',
    )
    expect(await countAudit(fixture, fixture.goal.id, 'task.assign')).toBe(0)
  })
  it('hands a step out once: repeated by the same id, refused under another', async () => {
    const taskId = newTaskId()
    expect(await assign(fixture.lead, 1, taskId)).toEqual(await assign(fixture.lead, 1, taskId))
    expect(await countAudit(fixture, fixture.goal.id, 'task.assign')).toBe(1)
    await expectProblem(assign(fixture.lead, 1), 'task.wrong_state')
    await expectProblem(assign(fixture.lead, 2, taskId), 'task.wrong_state')
    expect(await listTasks(world.system, fixture.goal.id)).toHaveLength(1)
  })
  it('hands the next one out when what it needs is done', async () => {
    const [task] = await listTasks(world.system, fixture.goal.id)
    await fixture.first.send({ type: 'task.fail', task_id: task?.id, reason: 'Not today.' })
    await doStep(fixture, 1, fixture.first)
    expect(await assign(fixture.lead, 2)).toMatchObject({ epoch: 1 })
    expect((await listTasks(world.system, fixture.goal.id)).map((one) => [one.step, one.epoch, one.state])).toEqual([
      [1, 1, 'failed'],
      [1, 2, 'completed'],
      [2, 1, 'submitted'],
    ])
  })
})
