import { charterVetoTypedData } from '@parley/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCharterApproval } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, approveTeam, countAudit, createFundedGoal, type GoalFixture, planOf } from '../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
const open = (client: TestPerson) => world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours: 0 })
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world, '', open)
})
afterAll(() => world?.[Symbol.asyncDispose]())

async function veto(by: PrivateKeyAccount, { version = 1, as = fixture.client, of = fixture } = {}) {
  const plan = await planOf(world, of.goal.id)
  if (!plan) throw new Error('the goal lies in no escrow')
  const signature = await by.signTypedData(charterVetoTypedData(plan, version))
  return as.send({ type: 'team.veto', goal_id: of.goal.id, version, reason: 'Not these.', signature })
}

describe('vetoTeam', () => {
  it('refuses where there is no team, everyone but the client, and another key’s signature', async () => {
    await expectProblem(veto(fixture.client.account), 'team.wrong_state')
    await agreeTeam(fixture)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await expectProblem(veto(fixture.client.account, { as: fixture.publisher }), 'permission.denied')
    await expectProblem(veto(privateKeyToAccount(generatePrivateKey())), 'team.signature_invalid')
    await expectProblem(veto(fixture.client.account, { version: 2 }), 'team.wrong_state')
    expect(await countAudit(fixture, fixture.goal.id, 'team.veto')).toBe(0)
  })

  it('voids the charter once, so that it is neither brought on chain nor approved any more', async () => {
    await veto(fixture.client.account)
    expect(await getCharterApproval(world.system, fixture.goal.id)).toMatchObject({ state: 'vetoed' })
    await expectProblem(approveTeam(world, fixture.client, fixture.goal.id), 'team.wrong_state')
    await veto(fixture.client.account)
    expect(await countAudit(fixture, fixture.goal.id, 'team.veto')).toBe(1)
    expect(await world.system.db.charterSealing.count({ where: { goalId: fixture.goal.id } })).toBe(0)
  })

  it('refuses what the client has approved', async () => {
    const other = await createFundedGoal(world, 'approved-', open)
    await agreeTeam(other)
    await other.lead.send({ type: 'team.seal', goal_id: other.goal.id })
    await approveTeam(world, other.client, other.goal.id)
    await expectProblem(veto(other.client.account, { as: other.client, of: other }), 'team.wrong_state')
  })
})
