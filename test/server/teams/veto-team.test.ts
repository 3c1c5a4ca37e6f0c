import { charterVetoTypedData } from '@parley/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getApproval } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, approveTeam, countAudit, planOf, type Stage, setStage } from '../../support/stage.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
const open = (client: TestPerson) => world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours: 0 })
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world, '', open)
})
afterAll(() => world?.[Symbol.asyncDispose]())

async function veto(by: PrivateKeyAccount, { version = 1, as = stage.client, of = stage } = {}) {
  const plan = await planOf(world, of.goal.id)
  if (!plan) throw new Error('the goal lies in no escrow')
  const signature = await by.signTypedData(charterVetoTypedData(plan, version))
  return as.send({ type: 'team.veto', goal_id: of.goal.id, version, reason: 'Not these.', signature })
}

describe('vetoTeam', () => {
  it('refuses where there is no team, everybody but the client, and another key’s signature', async () => {
    await expectProblem(veto(stage.client.account), 'team.wrong_state')
    await agreeTeam(stage)
    await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
    await expectProblem(veto(stage.client.account, { as: stage.publisher }), 'permission.denied')
    await expectProblem(veto(privateKeyToAccount(generatePrivateKey())), 'team.signature_invalid')
    await expectProblem(veto(stage.client.account, { version: 2 }), 'team.wrong_state')
    expect(await countAudit(stage, stage.goal.id, 'team.veto')).toBe(0)
  })

  it('voids the charter once, so that it is neither brought on chain nor approved any more', async () => {
    await veto(stage.client.account)
    expect(await getApproval(world.system, stage.goal.id)).toMatchObject({ state: 'vetoed' })
    await expectProblem(approveTeam(world, stage.client, stage.goal.id), 'team.wrong_state')
    await veto(stage.client.account)
    expect(await countAudit(stage, stage.goal.id, 'team.veto')).toBe(1)
    expect(await world.system.db.charterSealing.count({ where: { goalId: stage.goal.id } })).toBe(0)
  })

  it('refuses what the client has approved', async () => {
    const other = await setStage(world, 'approved-', open)
    await agreeTeam(other)
    await other.lead.send({ type: 'team.seal', goal_id: other.goal.id })
    await approveTeam(world, other.client, other.goal.id)
    await expectProblem(veto(other.client.account, { as: other.client, of: other }), 'team.wrong_state')
  })
})
