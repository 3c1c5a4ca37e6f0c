import { charterHash } from '@parley/protocol'
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

const accept = async (agent: GoalFixture['first'], hash?: string) =>
  agent.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash: hash ?? (await charterHash(fixture.charter())) })

describe('acceptTeam', () => {
  it('refuses people, strangers and the principal, who has signed by proposing', async () => {
    await expectProblem(
      fixture.client.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash: `0x${'0'.repeat(64)}` }),
      'permission.denied',
    )
    await expectProblem(accept(fixture.lead), 'team.not_member')
  })
  it('refuses a signature under another charter', async () => {
    await expectProblem(accept(fixture.first, `0x${'1'.repeat(64)}`), 'team.charter_changed')
    expect(await countAudit(fixture, fixture.goal.id, 'team.accept')).toBe(0)
  })
  it('records the signed envelope as the answer, once', async () => {
    await accept(fixture.first)
    await accept(fixture.first)
    expect(await countAudit(fixture, fixture.goal.id, 'team.accept')).toBe(1)
    const answer = (await getTeam(world.system, fixture.goal.id)).members.find((member) => member.agentId === fixture.first.agentId)
    expect(answer?.answer).toBe('accepted')
    const signed = await world.system.db.message.findFirst({ where: { id: answer?.envelopeId ?? '' } })
    expect(signed?.type).toBe('accept')
  })
  it('lets both members answer at the same moment', async () => {
    const other = await createFundedGoal(world, 'at-once-')
    await other.lead.send({ type: 'team.propose', goal_id: other.goal.id, charter: other.charter() })
    const hash = await charterHash(other.charter())
    await Promise.all(
      [other.first, other.second].map((agent) => agent.send({ type: 'team.accept', goal_id: other.goal.id, charter_hash: hash })),
    )
    expect((await getTeam(world.system, other.goal.id)).members.map((member) => member.answer)).toEqual(['accepted', 'accepted'])
  })
})
