import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMembers } from '../../../server/conversations/index.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, createFundedGoal, type GoalFixture, publishTestAgent, sealTeamOf } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('proposeTeam', () => {
  it('refuses anyone who is not the principal', async () => {
    await expectProblem(
      fixture.first.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() }),
      'room.not_member',
    )
    await expectProblem(
      fixture.client.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() }),
      'permission.denied',
    )
  })
  it.each([
    ['steps beyond the hold', { steps: [] }],
    ['another total', { total: '11000000' }],
    ['a fee of its own', { fee_bps: 0 }],
    ['an evaluator of its own', { evaluator_id: `0x${'1'.repeat(40)}` }],
    ['a version out of turn', { version: 2 }],
  ])('refuses a charter with %s', async (_what, changes) => {
    const charter = fixture.charter()
    const steps = 'steps' in changes ? charter.steps.map((step) => ({ ...step, amount: '9999999' })) : charter.steps
    const bad = { ...charter, ...changes, steps }
    await expectProblem(fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: bad }), 'team.charter_invalid')
  })
  it('refuses a payee that is not the listing’s', async () => {
    const charter = fixture.charter()
    const steps = charter.steps.map((step) => ({ ...step, payee: fixture.client.account.address.toLowerCase() }))
    await expectProblem(
      fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: { ...charter, steps } }),
      'team.charter_invalid',
    )
    expect(await countAudit(fixture, fixture.goal.id, 'team.propose')).toBe(0)
  })
  it('invites the members into the room, once however often it is repeated', async () => {
    const first = await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() })
    const again = await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() })
    expect(again).toEqual(first)
    expect(await countAudit(fixture, fixture.goal.id, 'team.propose')).toBe(1)
    expect((await listMembers(world.system, fixture.goal.roomId)).map((member) => member.role).sort()).toEqual([
      'client',
      'member',
      'member',
      'principal',
    ])
    expect((await getTeam(world.system, fixture.goal.id)).members.map((member) => member.answer)).toEqual(['invited', 'invited'])
  })
  it('opens a new version of a sealed charter, and lets the replaced member go', async () => {
    const other = await createFundedGoal(world, 'other-')
    await sealTeamOf(other)
    const charter = other.charter({ version: 2 })
    const steps = charter.steps.map((step) => ({
      ...step,
      agent_id: other.first.agentId,
      sender_id: other.first.did,
      payee: other.first.payee,
      skill_id: 'text.first',
    }))
    await other.lead.send({ type: 'team.propose', goal_id: other.goal.id, charter: { ...charter, steps } })
    expect(await getTeam(world.system, other.goal.id)).toMatchObject({ state: 'forming', version: 2, recordedAt: null })
    const left = (await listMembers(world.system, other.goal.roomId)).find((member) => member.agentId === other.second.agentId)
    expect(left?.leftAt).not.toBeNull()
  })
  it('seats advisers, who are asked nothing and keep no one waiting, and lets them go with the next version', async () => {
    const other = await createFundedGoal(world, 'advised-')
    const adviser = await publishTestAgent(world, other.publisher, 'adviser', 'text.advice')
    const named = { agent_id: adviser.agentId as never, sender_id: adviser.did as never }
    const propose = (changes: object) =>
      other.lead.send({ type: 'team.propose', goal_id: other.goal.id, charter: { ...other.charter(), ...changes } })
    await expectProblem(propose({ advisers: [{ ...named, sender_id: other.client.did }] }), 'request.malformed')
    await expectProblem(
      propose({ advisers: [{ ...named, sender_id: 'did:web:elsewhere.example:agents:adviser' }] }),
      'team.charter_invalid',
    )
    const worker = { agent_id: other.first.agentId, sender_id: other.first.did }
    await expectProblem(propose({ advisers: [worker] }), 'team.charter_invalid')
    await propose({ advisers: [named] })
    const members = async () => (await listMembers(world.system, other.goal.roomId)).filter((one) => one.leftAt === null)
    expect((await members()).map((one) => one.memberId)).toContain(adviser.did)
    expect((await getTeam(world.system, other.goal.id)).members).toHaveLength(2)
    await adviser.send({ type: 'message.post', room_id: other.goal.roomId, parts: [{ text: 'I would begin with the second.' }] })
    await propose({ version: 2 })
    expect((await members()).map((one) => one.memberId)).not.toContain(adviser.did)
  })
})
