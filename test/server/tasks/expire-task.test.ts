import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../server/conversations/index.ts'
import { expireTask, getTask } from '../../../server/tasks/index.ts'
import { leaseMs } from '../../../server/tasks/task.ts'
import { listSteps } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, newTaskId, type Stage, sealStage, setStage, textUpload } from '../../support/stage.ts'
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

describe('expireTask', () => {
  it('leaves a lease alone that has not ended, and one that was renewed', async () => {
    await expireTask(world.system, taskId)
    world.clock.advance(leaseMs - 5_000)
    await stage.first.send({ type: 'task.progress', task_id: taskId, text: '' })
    world.clock.advance(10_000)
    await expireTask(world.system, taskId)
    expect((await getTask(world.system, taskId)).state).toBe('working')
  })
  it('frees the step once, says so, marks the record, and takes no late result', async () => {
    world.clock.advance(leaseMs)
    await expireTask(world.system, taskId)
    await expireTask(world.system, taskId)
    expect(await countAudit(stage, stage.goal.id, 'task.expire')).toBe(1)
    expect((await listSteps(world.system, stage.goal.id))[0]).toMatchObject({ state: 'planned', taskId: null })
    expect(await world.system.db.stepOutcome.findUnique({ where: { taskId } })).toMatchObject({
      outcome: 'expired',
      agentId: stage.first.agentId,
    })
    const messages = await readMessages(world.system, { groupId: stage.goal.groupId, after: 0, limit: 100 })
    expect(messages.filter((message) => message.parts.some((part) => part.data?.kind === 'task.expired'))).toHaveLength(1)
    await expectProblem(stage.first.send({ type: 'task.complete', task_id: taskId, artifacts: [textUpload('late')] }), 'task.lease_ended')
  })
})
