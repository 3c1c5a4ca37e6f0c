import { describe, expect, it } from 'vitest'
import { getGoalCashFlow, getHold, reconcile, ruleDispute, submitReclaim } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { as, dispute, payee, payoutsOf, stranger } from '../dispute-actions.ts'
import { capture, conclusionHash, createMoneyWorld, drive, eventsOf, lower, sealedGoal } from '../money-world.ts'

const agreeing = { onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] }
const ruling = (id: `dsp_${string}`, payeeBps: number) => ({
  type: 'dispute.rule' as const,
  dispute_id: id,
  payee_bps: payeeBps,
  reason: 'The file has part of what was asked for.',
})

describe('ruleDispute', () => {
  it('is refused to everyone but operators, to parties of the goal, for what is not open, and after the expiry', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const id = await dispute(world, world.client, goalId, 1)
    const operator = as(world, stranger(world), true)
    await expectProblem(ruleDispute(as(world, stranger(world)), ruling(id, 0)), 'permission.denied')
    await expectProblem(ruleDispute(world.as({ kind: 'anonymous' }), ruling(id, 0)), 'auth.required')
    for (const party of [world.client, payee(world), payee(world, 1)])
      await expectProblem(ruleDispute(as(world, party, true), ruling(id, 0)), 'permission.denied')
    await expectProblem(ruleDispute(operator, ruling(`dsp_${'0'.repeat(32)}`, 0)), 'dispute.not_found')
    await expectProblem(ruleDispute(operator, ruling(id, 0)), 'dispute.wrong_state')
    const elsewhere = { ...operator, market: { ...operator.market, arbitrator: world.payees[2] ?? '0x' } }
    await drive(world)
    await expectProblem(ruleDispute(elsewhere, ruling(id, 0)), 'dispute.wrong_state')
    await world.warp(4 * 3_600 + 86_400)
    await expectProblem(ruleDispute(operator, ruling(id, 0)), 'dispute.wrong_state')
    expect(await world.system.db.auditEntry.count({ where: { action: 'dispute.rule' } })).toBe(0)
  })

  it('splits the step, pays its payee that part, and closes the plan that waited for it', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const id = await dispute(world, world.client, goalId, 3)
    await capture(world, goalId, 0b111n)
    await drive(world)
    await drive(world)
    const operator = as(world, stranger(world), true)
    expect(await ruleDispute(operator, ruling(id, 4_000))).toEqual({ dispute_id: id, state: 'ruling' })
    expect(await ruleDispute(operator, ruling(id, 4_000))).toEqual({ dispute_id: id, state: 'ruling' })
    await expectProblem(ruleDispute(operator, ruling(id, 5_000)), 'dispute.wrong_state')
    await drive(world)

    expect(await payoutsOf(world, goalId)).toEqual([
      ['paid', 4_000_000n],
      ['paid', 3_000_000n],
      ['split', 1_200_000n],
    ])
    expect(await world.balance(world.payees[1] ?? '0x')).toBe(1_200_000n)
    // 10.25 held, 8.2 paid, with the fee on each part.
    expect(await world.balance(lower(world.client.address))).toBe(1_000_000_000n - 8_200_000n - 205_000n)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured', conclusionHash, failure: null })
    expect(await world.system.db.hold.findUnique({ where: { goalId } })).toMatchObject({ captureBits: 0b111n })
    expect(await world.system.db.dispute.findUnique({ where: { id } })).toMatchObject({ state: 'ruled', payeeBps: 4_000, failure: null })
    expect(await eventsOf(world, goalId)).toEqual(expect.arrayContaining(['dispute.ruling', 'dispute.ruled', 'hold.captured']))
    expect(await world.system.db.auditEntry.count({ where: { action: 'dispute.rule' } })).toBe(1)
    const lines = await getGoalCashFlow(world.system, goalId)
    expect(lines.reduce((sum, line) => sum + line.amount, 0n)).toBe(0n)
    expect(await reconcile(world.system)).toMatchObject({ ...agreeing, heldOnChain: 0n })
  })

  it('gives everything back with 0, and the plan ends void where nothing else was paid', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const id = await dispute(world, payee(world), goalId, 1)
    await drive(world)
    await capture(world, goalId, 0b001n)
    await drive(world)
    await ruleDispute(as(world, stranger(world), true), ruling(id, 0))
    await drive(world)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['refunded', 'refunded', 'refunded'])
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'voided' })
    expect(await world.balance(lower(world.client.address))).toBe(1_000_000_000n)
    expect(await reconcile(world.system)).toMatchObject({ ...agreeing, heldOnChain: 0n })
  })

  it('is not waited for beyond the expiry: then silence pays the step, and everything else goes back', async () => {
    await using world = await createMoneyWorld()
    const [concluded, forgotten] = [await sealedGoal(world), await sealedGoal(world)]
    const ids = [await dispute(world, world.client, concluded, 3), await dispute(world, world.client, forgotten, 1)]
    await drive(world)
    await capture(world, concluded, 0b001n)
    await drive(world)
    await submitReclaim(world.system, concluded)
    expect((await getHold(world.system, concluded)).state).toBe('capturing')
    await world.warp(4 * 3_600 + 86_400 + 120)
    await drive(world)
    await drive(world)

    expect((await payoutsOf(world, concluded)).map(([state]) => state)).toEqual(['paid', 'refunded', 'paid'])
    expect(await getHold(world.system, concluded)).toMatchObject({ state: 'captured', conclusionHash })
    expect((await payoutsOf(world, forgotten)).map(([state]) => state)).toEqual(['paid', 'refunded', 'refunded'])
    expect((await getHold(world.system, forgotten)).state).toBe('reclaimed')
    const disputes = await world.system.db.dispute.findMany({ where: { id: { in: ids } } })
    expect(disputes.map(({ state, payeeBps }) => [state, payeeBps])).toEqual([
      ['lapsed', 10_000],
      ['lapsed', 10_000],
    ])
    expect(await reconcile(world.system)).toMatchObject({ ...agreeing, heldOnChain: 0n })
  })
})
