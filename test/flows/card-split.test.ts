import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import { applyClientSilenceOutcome } from '../../server/goals/index.ts'
import { getHold, listPayouts, reconcile } from '../../server/settlement/index.ts'
import { postCardGoal, startCards } from '../support/cards.ts'
import { createFundedGoal, doStep, sealTeamOf } from '../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

// A goal paid by card whose terms split what a silent client leaves open.

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

describe('a card goal whose terms split on silence', () => {
  it('pays half of what the client left open, and refunds the rest', async () => {
    const split = await createFundedGoal(world, 'split-', async (client) => {
      const goal_id = await postCardGoal(world, client, { more: { on_silence: 'split' } })
      const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
      paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
      await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
      return world.goal(goal_id)
    })
    await sealTeamOf({ ...split, charter: (changes) => split.charter({ on_review_timeout: 'split_unless_checked', ...changes }) })
    const goalId = split.goal.id
    const [first] = [await doStep(split, 1, split.first), await doStep(split, 2, split.second)]
    await split.lead.send({ type: 'goal.conclude', goal_id: goalId, outcome: 'delivered', parts: [{ text: 'Both are done.' }] })
    await split.client.send({ type: 'task.accept', goal_id: goalId, task_ids: [first] })
    const { reviewBy } = await world.goal(goalId)
    world.clock.advance((reviewBy?.getTime() ?? 0) - world.clock.now().getTime())
    await applyClientSilenceOutcome(world.system, goalId)
    await world.until('the settlement', async () => (await getHold(world.system, goalId)).state === 'captured')
    const payouts = await listPayouts(world.system, { goalId })
    expect(payouts.map(({ paidAmount }) => paidAmount)).toEqual([null, (payouts[1]?.amount ?? 0n) / 2n])
    const { total, feeBps } = await getHold(world.system, goalId)
    const sent = (payouts[0]?.amount ?? 0n) + (payouts[1]?.amount ?? 0n) / 2n
    const refunds = await world.system.db.cardPayment.findMany({ where: { goalId, kind: 'refund' } })
    // The fee is kept in whole cents, rounded down.
    const feeCents = (sent * BigInt(feeBps)) / 100_000_000n
    expect(refunds.map(({ cents }) => BigInt(cents) * 10_000n)).toEqual([total - sent - feeCents * 10_000n])
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
  })
})
