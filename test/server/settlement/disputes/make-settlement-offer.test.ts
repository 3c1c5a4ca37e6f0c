import { describe, expect, it } from 'vitest'
import {
  getDisputesAndOffers,
  getHold,
  getSettlementOfferTypedData,
  makeSettlementOffer,
  reconcile,
} from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { as, offer, payee, payoutsOf, signData, stranger } from '../dispute-actions.ts'
import { capture, createMoneyWorld, drive, eventsOf, sealedGoal } from '../money-world.ts'

describe('makeSettlementOffer', () => {
  it('is refused to strangers, with another signature, for another time than it can be carried out in, and for ended steps', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const now = Math.floor(world.clock.now().getTime() / 1_000)
    const given = { goal_id: goalId, step: 1, payee_bps: 5_000, deadline: now + 60 }
    const client = as(world, world.client)
    const signature = await signData(world.client, (await getSettlementOfferTypedData(client, given)).typedData)
    const command = { type: 'settlement_offer.make' as const, ...given, signature }
    await expectProblem(makeSettlementOffer(world.as({ kind: 'anonymous' }), command), 'auth.required')
    await expectProblem(makeSettlementOffer(as(world, stranger(world)), command), 'dispute.not_party')
    await expectProblem(makeSettlementOffer(as(world, payee(world, 1)), command), 'dispute.not_party')
    await expectProblem(makeSettlementOffer(as(world, payee(world)), command), 'dispute.signature_invalid')
    await expectProblem(makeSettlementOffer(client, { ...command, payee_bps: 4_000 }), 'dispute.signature_invalid')
    await expectProblem(makeSettlementOffer(client, { ...command, deadline: now - 1 }), 'settlement_offer.wrong_state')
    for (const deadline of [now + 90 * 86_400, 2 ** 31, 2 ** 40 - 1])
      await expectProblem(makeSettlementOffer(client, { ...command, deadline }), 'settlement_offer.wrong_state')
    expect(await world.system.db.auditEntry.count({ where: { action: 'settlement_offer.make' } })).toBe(0)
    await capture(world, goalId, 0b111n)
    await drive(world)
    await expectProblem(makeSettlementOffer(client, command), 'dispute.wrong_state')
  })

  it('stands once for each party, the newest, for both of them to see', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const first = await offer(world, world.client, goalId, 1, 3_000)
    const second = await offer(world, world.client, goalId, 1, 4_000)
    const other = await offer(world, payee(world), goalId, 1, 9_000)
    expect([first.state, second.state, other.state]).toEqual(['made', 'made', 'made'])
    const { offers } = await getDisputesAndOffers(as(world, payee(world)), goalId)
    expect(new Map(offers.map((one) => [one.payeeBps, one.state]))).toEqual(
      new Map([
        [3_000, 'lapsed'],
        [4_000, 'made'],
        [9_000, 'made'],
      ]),
    )
    for (const reader of [stranger(world), payee(world, 1)])
      expect((await getDisputesAndOffers(as(world, reader), goalId)).offers).toEqual([])
    expect(await world.system.db.auditEntry.count({ where: { action: 'settlement_offer.make' } })).toBe(3)
    await drive(world)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['sealed', 'sealed', 'sealed'])
  })

  it('stands once, however often it is sent at the same moment', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const deadline = Math.floor(world.clock.now().getTime() / 1_000) + 60
    const given = { goal_id: goalId, step: 1, payee_bps: 5_000, deadline }
    const client = as(world, world.client)
    const signature = await signData(world.client, (await getSettlementOfferTypedData(client, given)).typedData)
    const command = { type: 'settlement_offer.make' as const, ...given, signature }
    const made = await Promise.all(Array.from({ length: 6 }, () => makeSettlementOffer(client, command)))
    expect(new Set(made.map((one) => one.settlement_offer_id)).size).toBe(1)
    expect(await world.system.db.settlementOffer.count({ where: { goalId } })).toBe(1)
  })

  it('needs no one else where a party gives the other everything', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    expect((await offer(world, payee(world), goalId, 1, 0)).state).toBe('accepting')
    expect((await offer(world, world.client, goalId, 3, 10_000)).state).toBe('accepting')
    await drive(world)
    await drive(world)
    expect(await payoutsOf(world, goalId)).toEqual([
      ['refunded', 0n],
      ['sealed', null],
      ['paid', 3_000_000n],
    ])
    await capture(world, goalId, 0b010n)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await eventsOf(world, goalId)).toContain('settlement_offer.accepted')
    expect(await reconcile(world.system)).toMatchObject({
      onlyLedger: [],
      onlyChain: [],
      differing: [],
      heldDiffering: [],
      heldOnChain: 0n,
    })
  })
})
