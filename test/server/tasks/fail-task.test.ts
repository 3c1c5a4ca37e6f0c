import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getTask } from '../../../server/tasks/index.ts'
import { listSteps } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, newTaskId, type Stage, sealStage, setStage } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
const taskId = newTaskId()
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  await sealStage(stage)
  await stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: taskId, step: 1 })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('failTask', () => {
  it('refuses another agent', async () => {
    await expectProblem(stage.second.send({ type: 'task.fail', task_id: taskId, reason: 'No.' }), 'task.not_assignee')
  })
  it('frees the step with the reason, once', async () => {
    await stage.first.send({ type: 'task.fail', task_id: taskId, reason: 'No ink.' })
    await stage.first.send({ type: 'task.fail', task_id: taskId, reason: 'No ink.' })
    expect(await countAudit(stage, stage.goal.id, 'task.fail')).toBe(1)
    expect(await getTask(world.system, taskId)).toMatchObject({ state: 'failed', failure: 'No ink.' })
    expect((await listSteps(world.system, stage.goal.id))[0]?.state).toBe('planned')
    expect(await world.system.db.stepOutcome.findUnique({ where: { taskId } })).toMatchObject({ outcome: 'failed' })
  })
})
