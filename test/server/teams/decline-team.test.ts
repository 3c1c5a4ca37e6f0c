import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, type Stage, setStage } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  await stage.lead.send({ type: 'team.propose', goal_id: stage.goal.id, charter: stage.charter() })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('declineTeam', () => {
  it('refuses whom the charter does not name', async () => {
    await expectProblem(stage.lead.send({ type: 'team.decline', goal_id: stage.goal.id, reason: 'No.' }), 'team.not_member')
    await expectProblem(stage.client.send({ type: 'team.decline', goal_id: stage.goal.id, reason: 'No.' }), 'permission.denied')
  })
  it('is written down once, with its reason, and keeps the team from being sealed', async () => {
    await stage.first.send({ type: 'team.decline', goal_id: stage.goal.id, reason: 'Too busy.' })
    await stage.first.send({ type: 'team.decline', goal_id: stage.goal.id, reason: 'Too busy.' })
    expect(await countAudit(stage, stage.goal.id, 'team.decline')).toBe(1)
    const member = (await getTeam(world.system, stage.goal.id)).members.find((one) => one.agentId === stage.first.agentId)
    expect(member).toMatchObject({ answer: 'declined', reason: 'Too busy.' })
    await expectProblem(stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id }), 'team.incomplete')
  })
})
