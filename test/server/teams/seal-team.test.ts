import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSealingPackage, getHold } from '../../../server/settlement/index.ts'
import { getTeam, listSteps } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, countAudit, createFundedGoal, type GoalFixture } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const seal = (agent: GoalFixture['lead']) => agent.send({ type: 'team.seal', goal_id: fixture.goal.id })

describe('sealTeam', () => {
  it('refuses without a team, from a member, and before everyone has signed', async () => {
    await expectProblem(seal(fixture.lead), 'team.not_found')
    await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() })
    await expectProblem(seal(fixture.lead), 'team.incomplete')
    await expectProblem(seal(fixture.first), 'goal.not_principal')
    expect(await countAudit(fixture, fixture.goal.id, 'team.seal')).toBe(0)
  })
  it('seals once, writes the steps, and the very charter that was signed is in force once the client approves it', async () => {
    const hash = await agreeTeam(fixture)
    await seal(fixture.lead)
    await seal(fixture.lead)
    expect(await countAudit(fixture, fixture.goal.id, 'team.seal')).toBe(1)
    expect((await listSteps(world.system, fixture.goal.id)).map((step) => [step.step, step.state])).toEqual([
      [1, 'planned'],
      [2, 'planned'],
    ])
    await world.until('the record', async () => (await getTeam(world.system, fixture.goal.id)).recordedAt)
    expect(await getHold(world.system, fixture.goal.id)).toMatchObject({ charterVersion: 1, charterHash: hash, sealedTx: null })
    expect(await buildSealingPackage(world.system, fixture.goal.id, 1)).toMatchObject({
      member_signatures: [{ signer: fixture.first.payee }],
    })
    expect((await world.goal(fixture.goal.id)).state).toBe('underway')
  })
})
