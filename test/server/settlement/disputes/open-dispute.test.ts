import { describe, expect, it } from 'vitest'
import { escrowCharter, listCharters, loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import { getDisputesAndOffers, getDisputeTypedData, getHold, openDispute, reconcile } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { as, dispute, evidence, payee, payoutsOf, signData, stranger } from '../dispute-actions.ts'
import { capture, createMoneyWorld, drive, eventsOf, ledgerBalance, lower, open, sealedGoal } from '../money-world.ts'

describe('openDispute', () => {
  it('is refused to strangers, with another signature, for what is not sealed, twice, and after the review', async () => {
    await using world = await createMoneyWorld()
    const unfunded = await open(world)
    const goalId = await sealedGoal(world)
    const given = { goal_id: goalId, step: 1, evidence, artifacts: [] }
    const client = as(world, world.client)
    const { typedData } = await getDisputeTypedData(client, given)
    const signature = await signData(world.client, typedData)
    const command = { type: 'dispute.open' as const, ...given, signature }

    await expectProblem(openDispute(world.as({ kind: 'anonymous' }), command), 'auth.required')
    await expectProblem(openDispute(as(world, stranger(world)), command), 'dispute.not_party')
    // The payee of step 3 is no party of step 1.
    await expectProblem(openDispute(as(world, payee(world, 1)), command), 'dispute.not_party')
    await expectProblem(openDispute(as(world, payee(world)), command), 'dispute.signature_invalid')
    await expectProblem(openDispute(client, { ...command, evidence: 'Something else.' }), 'dispute.signature_invalid')
    await expectProblem(openDispute(client, { ...command, step: 2 }), 'dispute.signature_invalid')
    await expectProblem(getDisputeTypedData(client, { ...given, goal_id: unfunded }), 'dispute.wrong_state')
    await expectProblem(getDisputeTypedData(client, { ...given, step: 4 }), 'dispute.wrong_state')
    expect(await world.system.db.auditEntry.count({ where: { action: 'dispute.open' } })).toBe(0)

    await dispute(world, payee(world), goalId, 1)
    await expectProblem(openDispute(client, command), 'dispute.wrong_state')
    await world.warp(14_400)
    await expectProblem(getDisputeTypedData(client, { ...given, step: 2 }), 'dispute.wrong_state')
  })

  it('puts the step before the arbitrator, once, and a settlement leaves its money in the plan', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const id = await dispute(world, world.client, goalId, 3)
    expect(await dispute(world, world.client, goalId, 3)).toBe(id)
    expect(await world.system.db.auditEntry.count({ where: { action: 'dispute.open' } })).toBe(1)
    // Requested while the dispute is pending, so it waits.
    await capture(world, goalId, 0b111n)
    await drive(world)
    await drive(world)

    expect(await payoutsOf(world, goalId)).toEqual([
      ['paid', 4_000_000n],
      ['paid', 3_000_000n],
      ['disputed', null],
    ])
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'capturing', settledTx: null })
    expect(await ledgerBalance(world, `escrow:${goalId}`)).toBe(3_075_000n)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
    expect(await eventsOf(world, goalId)).toEqual(expect.arrayContaining(['dispute.opening', 'dispute.opened']))
    expect(await eventsOf(world, goalId)).not.toContain('hold.captured')

    const forParty = await getDisputesAndOffers(as(world, payee(world, 1)), goalId)
    expect(forParty).toMatchObject({
      onSilence: 'pay',
      canDispute: true,
      disputes: [{ id, state: 'open', step: 3, evidence: { text: evidence } }],
    })
    expect((await getDisputesAndOffers(as(world, payee(world)), goalId)).disputes).toMatchObject([{ id, evidence: null }])
    expect((await getDisputesAndOffers(world.as({ kind: 'anonymous' }), goalId)).disputes).toMatchObject([{ id, evidence: null }])
    // The chain is not queried repeatedly.
    expect(await world.system.db.chainTransaction.count({ where: { purpose: { in: ['dispute', 'settle'] } } })).toBe(2)
  })

  it('reports that it came too late where the step was paid meanwhile, and can be opened at the contract by a party itself', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const hold = await loadHold(world.system, goalId)
    if (hold.rail !== 'escrow') throw new Error('not on the escrow')
    const { rail } = world.system.ports
    const charter = escrowCharter((await listCharters(world.system, goalId))[0] ?? null)
    const about = { terms: hold.terms, charter, conclusionHash: `0x${'c0'.repeat(32)}` as const, close: false, version: 1 }

    const id = await dispute(world, world.client, goalId, 1)
    // Another account sends the evaluator's attestation first.
    await world.send(world.chain.keys[7] ?? '0x', await rail.encode({ kind: 'settle', ...about, bits: 0b001n }))
    await drive(world)
    expect(await world.system.db.dispute.findUnique({ where: { id } })).toMatchObject({
      state: 'refused',
      failure: expect.stringMatching(/paid or ended/),
    })

    const own = { kind: 'dispute' as const, ...about, step: 1, evidenceHash: about.conclusionHash, signature: '0x' as const }
    await world.send(world.chain.keys[2] ?? '0x', await rail.encode({ ...own, by: lower(world.client.address) }))
    await drive(world)
    expect(await payoutsOf(world, goalId)).toEqual([
      ['paid', 4_000_000n],
      ['disputed', null],
      ['sealed', null],
    ])
    const [, second] = (await getDisputesAndOffers(world.system, goalId)).disputes
    expect(second).toMatchObject({ step: 2, state: 'open', by: lower(world.client.address), evidence: { text: '' } })
  })
})
