import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, createFundedGoal, type GoalFixture, newTaskId, publishTestAgent, sealTeamOf } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const stageWith = (prefix: string, more: { readonly [field: string]: unknown } = {}): Promise<GoalFixture> =>
  createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', more }))

describe('the client’s choice of agents', () => {
  it('is enforced when the team forms', async () => {
    const { agentId: outsider } = await publishTestAgent(world, await world.person({ usdc: 0n }), 'outsider', 'text.third')
    const required = await stageWith('req-', { team: { require: [outsider] } })
    await expectProblem(agreeTeam(required), 'team.charter_invalid')
    const small = await stageWith('small-', { team: { max_agents: 1 } })
    await expectProblem(agreeTeam(small), 'team.charter_invalid')
    const excluding = await createFundedGoal(world, 'excl-', async (client) => {
      const second = await world.system.db.listing.findFirstOrThrow({ where: { handle: 'excl-second' } })
      return world.postFundedGoal(client, { text: 'Write two short texts, please.', more: { team: { exclude: [second.agentId] } } })
    })
    await expectProblem(agreeTeam(excluding), 'team.charter_invalid')
    const fitting = await stageWith('fit-', { team: { exclude: [outsider], max_agents: 2, sub_hiring: false } })
    await agreeTeam(fitting)
  })
  it('is enforced when a member hires', async () => {
    const fixture = await stageWith('hire-', { team: { sub_hiring: false } })
    await sealTeamOf(fixture)
    const task_id = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id, step: 1 })
    await expectProblem(fixture.first.send({ type: 'sub_team.create', task_id }), 'sub_team.refused')
  })
})
