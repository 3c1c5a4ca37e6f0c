import { describe, expect, it } from 'vitest'
import { acceptSettlementOffer, getHold, getSettlementOfferTypedData, reconcile } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { accept, as, dispute, offer, payee, payoutsOf, signData, stranger } from '../dispute-actions.ts'
import { capture, createMoneyWorld, drive, eventsOf, sealedGoal } from '../money-world.ts'

describe('acceptSettlementOffer', () => {
  it('is refused to who made it, to strangers, with another signature, after its deadline, and once it has lapsed', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { settlement_offer_id } = await offer(world, world.client, goalId, 1, 4_000)
    const signed = await signData(
      world.client,
      (await getSettlementOfferTypedData(as(world, world.client), { settlement_offer_id })).typedData,
    )
    const command = { type: 'settlement_offer.accept' as const, settlement_offer_id: settlement_offer_id as never, signature: signed }
    await expectProblem(acceptSettlementOffer(world.as({ kind: 'anonymous' }), command), 'auth.required')
    await expectProblem(acceptSettlementOffer(as(world, world.client), command), 'dispute.not_party')
    await expectProblem(acceptSettlementOffer(as(world, stranger(world)), command), 'dispute.not_party')
    await expectProblem(acceptSettlementOffer(as(world, payee(world, 1)), command), 'dispute.not_party')
    await expectProblem(acceptSettlementOffer(as(world, payee(world)), command), 'dispute.signature_invalid')
    await expectProblem(
      acceptSettlementOffer(as(world, payee(world)), { ...command, settlement_offer_id: `ofr_${'0'.repeat(32)}` }),
      'settlement_offer.not_found',
    )
    const newer = await offer(world, world.client, goalId, 1, 5_000)
    await expectProblem(accept(world, payee(world), settlement_offer_id), 'settlement_offer.wrong_state')
    await world.warp(3_700)
    await expectProblem(accept(world, payee(world), newer.settlement_offer_id), 'settlement_offer.wrong_state')
    expect(await world.system.db.auditEntry.count({ where: { action: 'settlement_offer.accept' } })).toBe(0)
  })

  it('splits a disputed step as both have signed, and the dispute is over', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const id = await dispute(world, world.client, goalId, 3)
    await drive(world)
    await capture(world, goalId, 0b011n)
    await drive(world)
    const { settlement_offer_id } = await offer(world, payee(world, 1), goalId, 3, 5_000)
    expect(await accept(world, world.client, settlement_offer_id)).toEqual({ settlement_offer_id, state: 'accepting' })
    expect(await accept(world, world.client, settlement_offer_id)).toEqual({ settlement_offer_id, state: 'accepting' })
    await drive(world)
    expect(await payoutsOf(world, goalId)).toEqual([
      ['paid', 4_000_000n],
      ['paid', 3_000_000n],
      ['split', 1_500_000n],
    ])
    expect(await world.balance(world.payees[1] ?? '0x')).toBe(1_500_000n)
    expect(await world.system.db.dispute.findUnique({ where: { id } })).toMatchObject({ state: 'agreed', payeeBps: 5_000 })
    expect(await world.system.db.settlementOffer.findUnique({ where: { id: settlement_offer_id } })).toMatchObject({ state: 'accepted' })
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await world.system.db.auditEntry.count({ where: { action: 'settlement_offer.accept' } })).toBe(1)
    expect(await eventsOf(world, goalId)).toEqual(
      expect.arrayContaining(['settlement_offer.made', 'settlement_offer.accepting', 'settlement_offer.accepted', 'hold.captured']),
    )
    expect(await reconcile(world.system)).toMatchObject({
      onlyLedger: [],
      onlyChain: [],
      differing: [],
      heldDiffering: [],
      heldOnChain: 0n,
    })
  })

  it('splits a step that no one disputes, regardless of a concurrent settlement', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { settlement_offer_id } = await offer(world, world.client, goalId, 1, 2_500)
    await accept(world, payee(world), settlement_offer_id)
    await capture(world, goalId, 0b111n)
    await drive(world)
    await drive(world)
    expect(await payoutsOf(world, goalId)).toEqual([
      ['split', 1_000_000n],
      ['paid', 3_000_000n],
      ['paid', 3_000_000n],
    ])
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await world.system.db.chainTransaction.count({ where: { state: { in: ['failed_final', 'failed_retryable'] } } })).toBe(0)
  })

  it('lapses where the step was paid whole before', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { settlement_offer_id } = await offer(world, world.client, goalId, 1, 2_500)
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect(await world.system.db.settlementOffer.findUnique({ where: { id: settlement_offer_id } })).toMatchObject({ state: 'lapsed' })
  })
})
