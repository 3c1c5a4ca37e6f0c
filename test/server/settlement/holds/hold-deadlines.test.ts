import { describe, expect, it } from 'vitest'
import type { EscrowRail } from '../../../../server/ports.ts'
import { disputeSeconds } from '../../../../server/settlement/holds/hold-deadlines.ts'
import { loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import { getDisputeBy, getHold, getSettlementProof, reconcile, retrySettlement, ruleDispute } from '../../../../server/settlement/index.ts'
import { accept, as, dispute, offer, payee, payoutsOf, stranger } from '../dispute-actions.ts'
import { capture, conclusionHash, createMoneyWorld, drive, eventsOf, lower, type MoneyWorld, sealedGoal } from '../money-world.ts'

const hour = 3_600
const inAnHour = (world: MoneyWorld) => Math.floor(world.clock.now().getTime() / 1_000) + hour
const settlements = (world: MoneyWorld) => world.system.db.chainTransaction.count({ where: { purpose: 'settle' } })

async function expectBooksAgree(world: MoneyWorld): Promise<void> {
  expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
}

describe('disputeSeconds', () => {
  it('is as long as the review, and a day at most', () => {
    expect([hour, 86_400, 72 * hour].map(disputeSeconds)).toEqual([hour, 86_400, 86_400])
  })
})

describe('getDisputeBy', () => {
  it('leaves an hour to close the plan before silence would pay, and is a whole window for what is returned in the last minute', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { terms } = await loadHold(world.system, goalId)
    expect(terms.reviewBy - terms.workBy).toBe(3 * hour)
    const ask = () => getDisputeBy(world.system, { goalId, reviewSeconds: hour })
    const soon = (await ask()) ?? 0
    expect(Math.abs(soon - inAnHour(world))).toBeLessThanOrEqual(1)
    await world.warp(2.5 * hour)
    expect(await ask()).toBe(terms.reviewBy - hour)
    await world.warp(hour)
    expect(await ask()).toBeNull()
  })
})

describe('a settlement while returned steps can be disputed', () => {
  it('pays what was accepted at once, and sends the rest back when the time is over', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b011n, inAnHour(world))
    await drive(world)
    expect(await payoutsOf(world, goalId)).toEqual([
      ['paid', 4_000_000n],
      ['paid', 3_000_000n],
      ['sealed', null],
    ])
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'capturing', settledTx: null, disputeBy: expect.any(Number) })
    expect(await eventsOf(world, goalId)).not.toContain('hold.captured')
    await drive(world)
    await world.warp(hour - 60)
    await drive(world)
    expect(await settlements(world)).toBe(1)
    expect(await world.balance(lower(world.client.address))).toBe(1_000_000_000n - 10_250_000n)

    await world.warp(120)
    await drive(world)
    expect(await settlements(world)).toBe(2)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['paid', 'paid', 'refunded'])
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured', conclusionHash })
    expect(await getSettlementProof(world.system, goalId)).toMatchObject({ conclusionHash })
    // 7 USDC plus fee. The fee is the same in two parts as in one.
    expect(await world.balance(lower(world.client.address))).toBe(1_000_000_000n - 7_175_000n)
    await expectBooksAgree(world)
  })

  it('lets a payee dispute in time: the plan waits for the ruling and for nothing else', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    // All steps were returned.
    await capture(world, goalId, 0n, inAnHour(world))
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'voiding', settledTx: null })
    expect(await settlements(world)).toBe(0)

    const id = await dispute(world, payee(world, 1), goalId, 3)
    await drive(world)
    expect(await settlements(world)).toBe(0)
    await world.warp(hour + 60)
    await drive(world)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['sealed', 'sealed', 'disputed'])
    expect(await settlements(world)).toBe(1)
    await ruleDispute(as(world, stranger(world), true), {
      type: 'dispute.rule',
      dispute_id: id,
      payee_bps: 10_000,
      reason: 'It was there.',
    })
    await drive(world)
    expect(await payoutsOf(world, goalId)).toEqual([
      ['refunded', null],
      ['refunded', null],
      ['paid', 3_000_000n],
    ])
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured', conclusionHash })
    expect(await world.balance(lower(world.client.address))).toBe(1_000_000_000n - 3_075_000n)
    await expectBooksAgree(world)
  })

  it('does not wait where nothing is left to dispute', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b011n, inAnHour(world))
    await drive(world)
    const { settlement_offer_id } = await offer(world, payee(world, 1), goalId, 3, 5_000)
    await accept(world, world.client, settlement_offer_id)
    await drive(world)
    await drive(world)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['paid', 'paid', 'split'])
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured' })
    await expectBooksAgree(world)
  })

  it('keeps the time where the escrow refused the part, and an operator has it tried again', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const rail: EscrowRail = { ...world.system.ports.rail, simulate: async () => ({ refused: 'It refuses for good.', isFinal: true }) }
    const disputeBy = inAnHour(world)
    await capture(world, goalId, 0b011n, disputeBy)
    await drive(world, world.over(rail))
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', failure: expect.any(String), disputeBy })
    await retrySettlement(as(world, stranger(world), true), { goal_id: goalId })
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'capturing', disputeBy })
    await drive(world)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['paid', 'paid', 'sealed'])
    await world.warp(hour + 60)
    await drive(world)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['paid', 'paid', 'refunded'])
    await expectBooksAgree(world)
  })
})
