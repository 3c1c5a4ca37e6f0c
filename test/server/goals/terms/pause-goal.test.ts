import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listSteps } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, createFundedGoal, doStep, type GoalFixture, newTaskId, sealTeamOf, textUpload } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const stageWith = (prefix: string, more: { readonly [field: string]: unknown } = {}): Promise<GoalFixture> =>
  createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', more }))

describe('pauseGoal', () => {
  it('refuses strangers and agents', async () => {
    const fixture = await stageWith('halt-')
    const stranger = await world.person({ usdc: 0n })
    const command = { type: 'goal.pause', goal_id: fixture.goal.id } as const
    await expectProblem(stranger.send(command), 'goal.not_client')
    await expectProblem(fixture.lead.send(command), 'permission.denied')
  })
  it('stops new work, lets running work end, and leaves the deadline', async () => {
    const fixture = await stageWith('rest-')
    const { client, goal, lead, first } = fixture
    const sendCommand = (type: 'goal.pause' | 'goal.resume') => client.send({ type, goal_id: goal.id })
    await sendCommand('goal.pause')
    await expectProblem(lead.send({ type: 'team.propose', goal_id: goal.id, charter: fixture.charter() }), 'goal.paused')
    await sendCommand('goal.resume')
    await sealTeamOf(fixture)
    const task_id = newTaskId()
    await lead.send({ type: 'task.assign', goal_id: goal.id, task_id, step: 1 })
    expect(await sendCommand('goal.pause')).toEqual({ goal_id: goal.id, paused: true })
    expect(await sendCommand('goal.pause')).toEqual({ goal_id: goal.id, paused: true })
    await first.send({ type: 'task.complete', task_id, artifacts: [textUpload('Done.')] })
    await expectProblem(lead.send({ type: 'task.assign', goal_id: goal.id, task_id: newTaskId(), step: 2 }), 'goal.paused')
    expect((await listSteps(world.system, goal.id)).map(({ state }) => state)).toEqual(['done', 'planned'])
    expect((await world.goal(goal.id)).deadline).toEqual(goal.deadline)
    await sendCommand('goal.resume')
    await doStep(fixture, 2, fixture.second)
    expect(await countAudit(fixture, goal.id, 'goal.pause')).toBe(2)
    await lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome: 'delivered', parts: [{ text: 'Both.' }] })
    await expectProblem(sendCommand('goal.pause'), 'goal.wrong_state')
  })
})
