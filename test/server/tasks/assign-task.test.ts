import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listTasks } from '../../../server/tasks/index.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, countAudit, doStep, newTaskId, type Stage, setStage } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const assign = (agent: Stage['lead'], step: number, taskId = newTaskId(), more: object = {}) =>
  agent.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: taskId, step, ...more })

describe('assignTask', () => {
  it('refuses before the escrow has recorded the charter', async () => {
    await agreeTeam(stage)
    await expectProblem(assign(stage.lead, 1), 'task.blocked')
    await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
    await world.until('the charter on chain', async () => (await getTeam(world.system, stage.goal.id)).recordedAt)
  })
  it('refuses members, people, steps that wait for others and steps that are not there', async () => {
    await expectProblem(assign(stage.first, 1), 'goal.not_principal')
    await expectProblem(
      stage.client.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: newTaskId(), step: 1 }),
      'permission.denied',
    )
    await expectProblem(assign(stage.lead, 2), 'task.blocked')
    await expectProblem(assign(stage.lead, 9), 'task.wrong_state')
  })
  it('refuses files that are not in the goal', async () => {
    const artifact = { sha256: 'a'.repeat(64), name: 'x.txt', media_type: 'text/plain', size: 1, artifact_type: 'text.plain' }
    await expectProblem(
      assign(stage.lead, 1, newTaskId(), { inputs: [{ port: 'text', type: 'text.plain', artifact }] }),
      'artifact.not_found',
    )
    expect(await countAudit(stage, stage.goal.id, 'task.assign')).toBe(0)
  })
  it('hands a step out once: repeated by the same id, refused under another', async () => {
    const taskId = newTaskId()
    expect(await assign(stage.lead, 1, taskId)).toEqual(await assign(stage.lead, 1, taskId))
    expect(await countAudit(stage, stage.goal.id, 'task.assign')).toBe(1)
    await expectProblem(assign(stage.lead, 1), 'task.wrong_state')
    await expectProblem(assign(stage.lead, 2, taskId), 'task.wrong_state')
    expect(await listTasks(world.system, stage.goal.id)).toHaveLength(1)
  })
  it('hands the next one out when what it needs is done', async () => {
    const [task] = await listTasks(world.system, stage.goal.id)
    await stage.first.send({ type: 'task.fail', task_id: task?.id, reason: 'Not today.' })
    await doStep(stage, 1, stage.first)
    expect(await assign(stage.lead, 2)).toMatchObject({ epoch: 1 })
    expect((await listTasks(world.system, stage.goal.id)).map((one) => [one.step, one.epoch, one.state])).toEqual([
      [1, 1, 'failed'],
      [1, 2, 'completed'],
      [2, 1, 'submitted'],
    ])
  })
})
