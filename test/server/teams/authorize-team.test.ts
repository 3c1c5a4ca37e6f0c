import { charterAuthorizationTypedData } from '@parley/protocol'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../server/conversations/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { requireEscrowHold } from '../../../server/settlement/holds/hold.ts'
import { loadHold } from '../../../server/settlement/holds/hold-store.ts'
import { authorizeCharter, getCharterApproval, getHold } from '../../../server/settlement/index.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, countAudit, createFundedGoal, type GoalFixture, planOf } from '../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world, '', (client) =>
    world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours: 0 }),
  )
})
afterAll(() => world?.[Symbol.asyncDispose]())

async function approve(by: PrivateKeyAccount, { version = 1, as = fixture.client }: { version?: number; as?: TestPerson } = {}) {
  const plan = await planOf(world, fixture.goal.id)
  const charter = fixture.charter({ version })
  const { charterHash } = await getTeam(world.system, fixture.goal.id)
  if (!plan) throw new Error('the goal lies in no escrow')
  const signature = await by.signTypedData(charterAuthorizationTypedData(charter, charterHash as `0x${string}`, plan))
  return as.send({ type: 'team.authorize', goal_id: fixture.goal.id, version, signature })
}
const recorded = async () => (await getTeam(world.system, fixture.goal.id)).recordedAt

describe('authorizeTeam', () => {
  it('refuses before all members have signed, and everyone but the client', async () => {
    await agreeTeam(fixture)
    await expectProblem(approve(fixture.client.account), 'team.wrong_state')
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await expectProblem(approve(fixture.client.account, { as: fixture.publisher }), 'permission.denied')
    const signature = `0x${'11'.repeat(65)}`
    await expectProblem(fixture.lead.send({ type: 'team.authorize', goal_id: fixture.goal.id, version: 1, signature }), 'permission.denied')
    expect(await countAudit(fixture, fixture.goal.id, 'team.authorize')).toBe(0)
  })

  it('refuses another key’s signature, and one over another version', async () => {
    await expectProblem(approve(privateKeyToAccount(generatePrivateKey())), 'team.signature_invalid')
    await expectProblem(approve(fixture.client.account, { version: 2 }), 'team.wrong_state')
    expect(await getCharterApproval(world.system, fixture.goal.id)).toMatchObject({ state: 'open', version: 1 })
    expect(await recorded()).toBeNull()
  })

  it('refuses an approval from the deadline of the work on', async () => {
    const { client, goal } = fixture
    const { workBy } = requireEscrowHold(await loadHold(world.system, goal.id)).terms
    const signature = `0x${'11'.repeat(65)}` as const
    const approval = { goalId: goal.id, version: 1, signature }
    const given = { signer: client.account.address.toLowerCase() as `0x${string}`, signature }
    const late = { ...world.system, clock: { ...world.system.clock, now: () => new Date(workBy * 1_000) } }
    await expectProblem(
      inTransaction(late, (tx) => authorizeCharter(tx, approval, given)),
      'team.wrong_state',
    )
    expect(await getCharterApproval(world.system, goal.id)).toMatchObject({ state: 'open', version: 1 })
  })

  it('puts the charter in force at once, off chain, and gives every member what it takes to bring it there', async () => {
    await approve(fixture.client.account)
    await world.until('the record', recorded)
    expect(await getHold(world.system, fixture.goal.id)).toMatchObject({ charterVersion: 1, sealedTx: null })
    expect(await getCharterApproval(world.system, fixture.goal.id)).toMatchObject({ state: 'approved' })
    const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 200 })
    const data = messages.flatMap((one) => one.parts.flatMap((part) => (part.data?.kind === 'charter.recorded' ? [part.data] : [])))
    expect(data).toMatchObject([
      {
        version: 1,
        sealing: {
          terms: { client: fixture.client.account.address.toLowerCase() },
          member_signatures: [{ signer: fixture.first.payee }],
          authorization: { signer: fixture.client.account.address.toLowerCase() },
        },
      },
    ])
  })

  it('changes nothing when it is repeated', async () => {
    await approve(fixture.client.account)
    expect(await countAudit(fixture, fixture.goal.id, 'team.authorize')).toBe(1)
  })
})
