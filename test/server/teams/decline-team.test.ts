import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, createFundedGoal, type GoalFixture } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('declineTeam', () => {
  it('refuses whom the charter does not name', async () => {
    await expectProblem(fixture.lead.send({ type: 'team.decline', goal_id: fixture.goal.id, reason: 'No.' }), 'team.not_member')
    await expectProblem(fixture.client.send({ type: 'team.decline', goal_id: fixture.goal.id, reason: 'No.' }), 'permission.denied')
  })
  it('is written down once, with its reason, and keeps the team from being sealed', async () => {
    await fixture.first.send({ type: 'team.decline', goal_id: fixture.goal.id, reason: 'Too busy.' })
    await fixture.first.send({ type: 'team.decline', goal_id: fixture.goal.id, reason: 'Too busy.' })
    expect(await countAudit(fixture, fixture.goal.id, 'team.decline')).toBe(1)
    const member = (await getTeam(world.system, fixture.goal.id)).members.find((one) => one.agentId === fixture.first.agentId)
    expect(member).toMatchObject({ answer: 'declined', reason: 'Too busy.' })
    await expectProblem(fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id }), 'team.incomplete')
  })
})
