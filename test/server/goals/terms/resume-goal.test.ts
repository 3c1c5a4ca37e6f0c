import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../../../support/expect-problem.ts'
import { agreeTeam, countAudit, type Stage, setStage } from '../../../support/stage.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const stageWith = (prefix: string, more: { readonly [field: string]: unknown } = {}): Promise<Stage> =>
  setStage(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', more }))

describe('resumeGoal', () => {
  it('refuses strangers and agents, and changes a goal that is not paused in nothing', async () => {
    const stage = await stageWith('go-')
    const stranger = await world.person({ usdc: 0n })
    const command = { type: 'goal.resume', goal_id: stage.goal.id } as const
    await stage.client.send({ type: 'goal.pause', goal_id: stage.goal.id })
    await expectProblem(stranger.send(command), 'goal.not_client')
    await expectProblem(stage.lead.send(command), 'permission.denied')
    expect(await stage.client.send(command)).toEqual({ goal_id: stage.goal.id, paused: false })
    expect(await stage.client.send(command)).toEqual({ goal_id: stage.goal.id, paused: false })
    expect(await countAudit(stage, stage.goal.id, 'goal.resume')).toBe(1)
    await agreeTeam(stage)
  })
})
