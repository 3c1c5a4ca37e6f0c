import { charterAuthorizationTypedData, charterVetoTypedData } from '@parley/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { getKeyTerms, getPayoutTerms } from '../../../server/registry/index.ts'
import { getDisputeTypedData, getFundingTerms, getPayoutAccountTerms } from '../../../server/settlement/index.ts'
import { getTeam } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, createFundedGoal, type GoalFixture, planOf, sealTeamOf } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

// The holder of a person's login acts as that person here, but signs nothing for its wallet. An agent's token signs nothing for its payee.

const attacker = privateKeyToAccount(generatePrivateKey())
let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world, '', (client) =>
    world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours: 0 }),
  )
  await agreeTeam(fixture)
  await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const signData = (data: object) => attacker.signTypedData(data as Parameters<typeof attacker.signTypedData>[0])

async function approval(): Promise<`0x${string}`> {
  const plan = await planOf(world, fixture.goal.id)
  const { charter, charterHash } = await getTeam(world.system, fixture.goal.id)
  if (!plan) throw new Error('the goal lies in no escrow')
  return signData(charterAuthorizationTypedData(charter, charterHash as `0x${string}`, plan))
}

describe('a stolen login', () => {
  it('approves and vetoes no team', async () => {
    const plan = await planOf(world, fixture.goal.id)
    if (!plan) throw new Error('the goal lies in no escrow')
    const about = { goal_id: fixture.goal.id, version: 1 }
    await expectProblem(fixture.client.send({ type: 'team.authorize', ...about, signature: await approval() }), 'team.signature_invalid')
    const signature = await signData(charterVetoTypedData(plan, 1))
    await expectProblem(fixture.client.send({ type: 'team.veto', ...about, signature }), 'team.signature_invalid')
  })

  it('sets no money aside', async () => {
    const brief = { text: 'Write a short text, please.', criteria: [{ text: 'It is short.' }], budget: '1000000' }
    const deadline = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
    const goal = { ...brief, deadline, review_hours: 1 }
    const { goal_id } = await fixture.client.send<{ goal_id: string }>({
      type: 'goal.post',
      id: world.system.ids.uuid(),
      goal,
      attachments: [],
    })
    const { typedData } = await getFundingTerms(fixture.client.ctx, goal_id)
    await expectProblem(
      fixture.client.send({ type: 'hold.authorize', goal_id, signature: await signData(typedData) }),
      'hold.signature_invalid',
    )
  })

  it('does not change where an agent is paid, and makes no token for it', async () => {
    const { agentId } = fixture.first
    const { body } = await world.system.db.listingRevision.findFirstOrThrow({ where: { agentId } })
    const payout = attacker.address.toLowerCase()
    const revised = { ...(body as object), payout }
    const send = (command: object) => fixture.publisher.send({ agent_id: agentId, ...command } as never)
    await expectProblem(send({ type: 'listing.revise', listing: revised }), 'listing.signature_invalid')
    const to = await getPayoutTerms(fixture.publisher.ctx, agentId, { payout })
    const change = { type: 'payout.change', payout, deadline: to.deadline, signature: await signData(to.typedData) }
    await expectProblem(send(change), 'listing.signature_invalid')
    await expectProblem(send({ type: 'listing_key.rotate', unbind: true }), 'listing.signature_invalid')
    const key = await getKeyTerms(fixture.publisher.ctx, agentId, true)
    const rekey = { type: 'listing_key.rotate', unbind: true, deadline: key.deadline, signature: await signData(key.typedData) }
    await expectProblem(send(rekey), 'listing.signature_invalid')
  })

  it('opens no payout account: who completes its page receives the card earnings', async () => {
    const { typedData, deadline } = getPayoutAccountTerms(fixture.publisher.ctx)
    const open = { type: 'payout_account.open' as const, deadline, signature: await signData(typedData) }
    await expectProblem(fixture.publisher.send(open), 'payout.signature_invalid')
  })

  it('opens no dispute over a step that is in progress', async () => {
    const sealed = await createFundedGoal(world, 'dispute-')
    await sealTeamOf(sealed)
    const about = { goal_id: sealed.goal.id, step: 1, evidence: 'It is late.', artifacts: [] }
    const { typedData } = await getDisputeTypedData(sealed.client.ctx, about)
    const dispute = { type: 'dispute.open' as const, ...about, signature: await signData(typedData) }
    await expectProblem(sealed.client.send(dispute), 'dispute.signature_invalid')
  })

  it('withdraws no credit', async () => {
    const signature = await signData(charterVetoTypedData((await planOf(world, fixture.goal.id)) as never, 1))
    const to = attacker.address.toLowerCase()
    const deadline = Math.floor(world.clock.now().getTime() / 1_000) + 600
    await expectProblem(fixture.client.send({ type: 'credit.withdraw', to, deadline, signature }), 'credit.not_found')
  })

  it('of another person approves nothing with any signature', async () => {
    const about = { goal_id: fixture.goal.id, version: 1, signature: await approval() }
    await expectProblem(fixture.publisher.send({ type: 'team.authorize', ...about }), 'permission.denied')
  })
})

describe('a stolen agent’s token', () => {
  it('approves no team, and does not change where the agent is paid', async () => {
    const about = { goal_id: fixture.goal.id, version: 1, signature: await approval() }
    await expectProblem(fixture.first.send({ type: 'team.authorize', ...about }), 'permission.denied')
    const { agentId } = fixture.first
    const listing = await world.system.db.listingRevision.findFirstOrThrow({ where: { agentId } })
    const revised = { ...(listing.body as object), payout: attacker.address.toLowerCase() }
    await expectProblem(fixture.first.send({ type: 'listing.revise', agent_id: agentId, listing: revised }), 'permission.denied')
  })

  it('signs no charter for the payee', async () => {
    const fresh = await createFundedGoal(world, 'token-')
    const charter = fresh.charter()
    await fresh.lead.send({ type: 'team.propose', goal_id: fresh.goal.id, charter })
    const { charterHash } = await getTeam(world.system, fresh.goal.id)
    const member_signature = {
      signer: fresh.first.payee,
      signature: await signData(charterVetoTypedData((await planOf(world, fresh.goal.id)) as never, 1)),
    }
    await expectProblem(
      fresh.first.send({ type: 'team.accept', goal_id: fresh.goal.id, charter_hash: charterHash, member_signature }),
      'team.signature_invalid',
    )
  })
})
