import { describe, expect, it } from 'vitest'
import { setAccountReady } from '../../server/embedded/stripe-fake/accounts.ts'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import type { StripeFake } from '../../server/embedded/stripe-fake/start-stripe-fake.ts'
import { openChargeback } from '../../server/embedded/stripe-fake/transfers-and-refunds.ts'
import { type Goal, submitDueCardDisputeEvidence } from '../../server/goals/index.ts'
import { getGoalCashFlow, listPayouts } from '../../server/settlement/index.ts'
import { openPayoutAccountOf, postCardGoal, startCards } from '../support/cards.ts'
import { createFundedGoal, deliverForReview } from '../support/goal-fixture.ts'
import { startHubProcess } from '../support/start-hub-process.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// A goal paid by card, from its post to its publishers' shares, with the hub killed at every stage.

async function postByCard(world: TestWorld, double: StripeFake, client: TestPerson): Promise<Goal> {
  const goal_id = await postCardGoal(world, client)
  const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
  paySession(double.context, url.split('/').at(-1) ?? '', 'paid')
  await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
  return world.goal(goal_id)
}

describe('a goal paid by card', () => {
  it('is paid once, though the hub is killed at every stage, also while Stripe is at work', async () => {
    await using cards = await startCards()
    await using world = await createWorld({ hub: false, jobs: false, env: cards.env })
    cards.serve(world)
    await using hub = await startHubProcess(world)
    const again = async () => {
      await hub.kill()
      await hub.start()
    }
    const fixture = await createFundedGoal({ ...world, hubUrl: hub.url } as TestWorld, '', (client) =>
      postByCard(world, cards.double, client),
    )
    await again()
    await deliverForReview(fixture)
    await openPayoutAccountOf(fixture.publisher)
    const { accountId } = await world.system.db.payoutAccount.findUniqueOrThrow({ where: { ownerId: fixture.publisher.did } })
    setAccountReady(cards.double.context, accountId ?? '', true)
    const isReady = () => world.system.db.payoutAccount.findFirst({ where: { ownerId: fixture.publisher.did, state: 'ready' } })
    await world.until('the payout account', isReady)
    await again()

    // Both calls reach Stripe, which keeps them; the process that has made them dies without an answer.
    cards.double.fault('transfer', 'slow')
    cards.double.fault('refund', 'slow')
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    const sent = (what: string) => async () => cards.double.asked.includes(what)
    await world.until('the transfer to be sent', sent('POST /v1/transfers'))
    await world.until('the refund to be sent', sent('POST /v1/refunds'))
    await hub.kill()
    cards.double.releaseHeldAnswers()
    await hub.start()
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    await again()

    const { charges, transfers, refunds } = cards.double.context.state
    expect(charges.map((charge) => charge.amount)).toEqual([1_061])
    expect(transfers.map((transfer) => [transfer.destination, transfer.amount])).toEqual([[accountId, 200]])
    expect(refunds.map((refund) => refund.amount)).toEqual([795])
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map((payout) => payout.state)).toEqual(['paid', 'paid'])
    const lines = await getGoalCashFlow(world.system, fixture.goal.id)
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['funded', 10_610_000n],
      ['processing', -610_000n],
      ['fee', -50_000n],
      ['payee', -2_000_000n],
      ['refund', -7_950_000n],
    ])
    // The client goes to its bank nevertheless: the transcript and the receipts answer.
    const { id } = openChargeback(cards.double.context, cards.double.context.state.charges[0]?.payment_intent ?? '')
    const evidence = () => cards.double.context.state.disputes.find((one) => one.id === id)?.evidence.uncategorized_text
    await world.until('the dispute to be recorded', () => world.system.db.cardHold.findFirst({ where: { dispute: 'open' } }))
    await submitDueCardDisputeEvidence(world.system)
    await submitDueCardDisputeEvidence(world.system)
    expect(evidence()).toContain(`Goal ${fixture.goal.id}`)
    expect(evidence()).toMatch(/step 1, agent .*: 1\.00 USD, paid/)
    expect(evidence()).toContain('Both texts are there.')
    expect(cards.double.context.state.disputes[0]?.evidence_details.submission_count).toBe(1)
    const log = await world.system.db.message.findMany({ where: { roomId: fixture.goal.roomId }, select: { body: true } })
    expect(JSON.stringify(log).toLowerCase()).not.toContain('escrow')
  })
})
