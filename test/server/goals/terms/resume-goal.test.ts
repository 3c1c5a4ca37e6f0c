import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../../../support/expect-problem.ts'
import { agreeTeam, countAudit, createFundedGoal, type GoalFixture } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const stageWith = (prefix: string, more: { readonly [field: string]: unknown } = {}): Promise<GoalFixture> =>
  createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', more }))

describe('resumeGoal', () => {
  it('refuses strangers and agents, and changes a goal that is not paused in nothing', async () => {
    const fixture = await stageWith('go-')
    const stranger = await world.person({ usdc: 0n })
    const command = { type: 'goal.resume', goal_id: fixture.goal.id } as const
    await fixture.client.send({ type: 'goal.pause', goal_id: fixture.goal.id })
    await expectProblem(stranger.send(command), 'goal.not_client')
    await expectProblem(fixture.lead.send(command), 'permission.denied')
    expect(await fixture.client.send(command)).toEqual({ goal_id: fixture.goal.id, paused: false })
    expect(await fixture.client.send(command)).toEqual({ goal_id: fixture.goal.id, paused: false })
    expect(await countAudit(fixture, fixture.goal.id, 'goal.resume')).toBe(1)
    await agreeTeam(fixture)
  })
})
