import { describe, expect, it } from 'vitest'
import { acceptOffer, getHold, getOfferTerms, reconcile } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { accept, as, dispute, offer, payee, payoutsOf, signData, stranger } from '../dispute-world.ts'
import { capture, createMoneyWorld, drive, eventsOf, sealedGoal } from '../money-world.ts'

describe('acceptOffer', () => {
  it('is refused to who made it, to strangers, with another signature, after its deadline, and once it has lapsed', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { offer_id } = await offer(world, world.client, goalId, 1, 4_000)
    const signed = await signData(world.client, (await getOfferTerms(as(world, world.client), { offer_id })).typedData)
    const command = { type: 'offer.accept' as const, offer_id: offer_id as never, signature: signed }
    await expectProblem(acceptOffer(world.as({ kind: 'anonymous' }), command), 'auth.required')
    await expectProblem(acceptOffer(as(world, world.client), command), 'dispute.not_party')
    await expectProblem(acceptOffer(as(world, stranger(world)), command), 'dispute.not_party')
    await expectProblem(acceptOffer(as(world, payee(world, 1)), command), 'dispute.not_party')
    await expectProblem(acceptOffer(as(world, payee(world)), command), 'dispute.signature_invalid')
    await expectProblem(acceptOffer(as(world, payee(world)), { ...command, offer_id: `ofr_${'0'.repeat(32)}` }), 'offer.not_found')
    const newer = await offer(world, world.client, goalId, 1, 5_000)
    await expectProblem(accept(world, payee(world), offer_id), 'offer.wrong_state')
    await world.warp(3_700)
    await expectProblem(accept(world, payee(world), newer.offer_id), 'offer.wrong_state')
    expect(await world.system.db.auditRow.count({ where: { action: 'offer.accept' } })).toBe(0)
  })

  it('splits a disputed step as both have signed, and the dispute is over', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const id = await dispute(world, world.client, goalId, 3)
    await drive(world)
    await capture(world, goalId, 0b011n)
    await drive(world)
    const { offer_id } = await offer(world, payee(world, 1), goalId, 3, 5_000)
    expect(await accept(world, world.client, offer_id)).toEqual({ offer_id, state: 'accepting' })
    expect(await accept(world, world.client, offer_id)).toEqual({ offer_id, state: 'accepting' })
    await drive(world)
    expect(await payoutsOf(world, goalId)).toEqual([
      ['paid', 4_000_000n],
      ['paid', 3_000_000n],
      ['split', 1_500_000n],
    ])
    expect(await world.balance(world.payees[1] ?? '0x')).toBe(1_500_000n)
    expect(await world.system.db.dispute.findUnique({ where: { id } })).toMatchObject({ state: 'agreed', payeeBps: 5_000 })
    expect(await world.system.db.offer.findUnique({ where: { id: offer_id } })).toMatchObject({ state: 'accepted' })
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await world.system.db.auditRow.count({ where: { action: 'offer.accept' } })).toBe(1)
    expect(await eventsOf(world, goalId)).toEqual(
      expect.arrayContaining(['offer.made', 'offer.accepting', 'offer.accepted', 'hold.captured']),
    )
    expect(await reconcile(world.system)).toMatchObject({
      onlyLedger: [],
      onlyChain: [],
      differing: [],
      heldDiffering: [],
      heldOnChain: 0n,
    })
  })

  it('splits a step that nobody disputes, whatever a settlement that was asked for meanwhile names', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { offer_id } = await offer(world, world.client, goalId, 1, 2_500)
    await accept(world, payee(world), offer_id)
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
    const { offer_id } = await offer(world, world.client, goalId, 1, 2_500)
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect(await world.system.db.offer.findUnique({ where: { id: offer_id } })).toMatchObject({ state: 'lapsed' })
  })
})
