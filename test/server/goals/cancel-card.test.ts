import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setAccountReady } from '../../../server/embedded/stripe-fake/accounts.ts'
import { paySession } from '../../../server/embedded/stripe-fake/checkout-session.ts'
import { listPayouts } from '../../../server/settlement/index.ts'
import { openPayoutAccountOf, postCardGoal, startCards } from '../../support/cards.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createFundedGoal, deliverForReview } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let cards: Awaited<ReturnType<typeof startCards>>
beforeAll(async () => {
  cards = await startCards()
  world = await createWorld({ hub: false, env: cards.env })
  cards.serve(world)
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await cards?.[Symbol.asyncDispose]()
})

describe('a goal paid by card that is stopped in review', () => {
  it('pays by card what was finished, and gives back the rest, to the cent', async () => {
    const fixture = await createFundedGoal(world, 'carded-', async (client) => {
      const goal_id = await postCardGoal(world, client)
      const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
      paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
      await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
      return world.goal(goal_id)
    })
    await openPayoutAccountOf(fixture.publisher)
    const { accountId } = await world.system.db.payoutAccount.findUniqueOrThrow({ where: { ownerId: fixture.publisher.did } })
    setAccountReady(cards.double.context, accountId ?? '', true)
    await world.until('the payout account', async () => (await world.system.db.payoutAccount.count({ where: { state: 'ready' } })) === 1)
    const [, second] = await deliverForReview(fixture)
    await fixture.client.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: [second], reason: 'It is blank.' })
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(stranger.send({ type: 'goal.cancel', goal_id: fixture.goal.id }), 'goal.not_client')
    expect(cards.double.context.state.transfers).toEqual([])
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id })
    await world.until('the settlement', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state }) => state)).toEqual(['paid', 'refunded'])
    expect(cards.double.context.state.transfers.map(({ destination, amount }) => [destination, amount])).toEqual([[accountId, 100]])
    // Ten dollars were charged; a dollar is the share, and two whole cents of its 2.5 % the fee.
    const refunded = cards.double.context.state.refunds.reduce((sum, { amount }) => sum + amount, 0)
    expect(refunded).toBe(898)
  })
})
