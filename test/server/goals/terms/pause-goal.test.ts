import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listSteps } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, doStep, newTaskId, type Stage, sealStage, setStage, textUpload } from '../../../support/stage.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const stageWith = (prefix: string, more: { readonly [field: string]: unknown } = {}): Promise<Stage> =>
  setStage(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', more }))

describe('pauseGoal', () => {
  it('refuses strangers and agents', async () => {
    const stage = await stageWith('halt-')
    const stranger = await world.person({ usdc: 0n })
    const command = { type: 'goal.pause', goal_id: stage.goal.id } as const
    await expectProblem(stranger.send(command), 'goal.not_client')
    await expectProblem(stage.lead.send(command), 'permission.denied')
  })
  it('stops new work, lets running work end, and leaves the deadline', async () => {
    const stage = await stageWith('rest-')
    const { client, goal, lead, first } = stage
    const say = (type: 'goal.pause' | 'goal.resume') => client.send({ type, goal_id: goal.id })
    await say('goal.pause')
    await expectProblem(lead.send({ type: 'team.propose', goal_id: goal.id, charter: stage.charter() }), 'goal.paused')
    await say('goal.resume')
    await sealStage(stage)
    const task_id = newTaskId()
    await lead.send({ type: 'task.assign', goal_id: goal.id, task_id, step: 1 })
    expect(await say('goal.pause')).toEqual({ goal_id: goal.id, paused: true })
    expect(await say('goal.pause')).toEqual({ goal_id: goal.id, paused: true })
    await first.send({ type: 'task.complete', task_id, artifacts: [textUpload('Done.')] })
    await expectProblem(lead.send({ type: 'task.assign', goal_id: goal.id, task_id: newTaskId(), step: 2 }), 'goal.paused')
    expect((await listSteps(world.system, goal.id)).map(({ state }) => state)).toEqual(['done', 'planned'])
    expect((await world.goal(goal.id)).deadline).toEqual(goal.deadline)
    await say('goal.resume')
    await doStep(stage, 2, stage.second)
    expect(await countAudit(stage, goal.id, 'goal.pause')).toBe(2)
    await lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome: 'delivered', parts: [{ text: 'Both.' }] })
    await expectProblem(say('goal.pause'), 'goal.wrong_state')
  })
})
