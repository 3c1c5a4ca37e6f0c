import { describe, expect, it } from 'vitest'
import type { EscrowRail } from '../../../../server/ports.ts'
import { getHold, listPayouts, reconcile, retrySettlement, runSettlementCycle } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { capture, createMoneyWorld, drive, eventsOf, type MoneyWorld, open, sealedGoal } from '../money-world.ts'

const operator = (world: MoneyWorld) => world.as({ ...world.person(world.client), isOperator: true } as never)
const refusing = (world: MoneyWorld, isFinal: boolean): EscrowRail => ({
  ...world.system.ports.rail,
  simulate: async () => ({ refused: 'The contract refuses for now.', isFinal }),
})
const attempts = async (world: MoneyWorld) =>
  (await world.system.db.chainTransaction.findMany({ where: { purpose: 'settle' }, orderBy: { attempt: 'asc' } })).map((row) => row.state)

describe('retrySettlement', () => {
  it('is refused to everyone but operators, and where nothing has failed', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await expectProblem(retrySettlement(world.as(world.person(world.client)), { goal_id: goalId }), 'permission.denied')
    await expectProblem(retrySettlement(world.as({ kind: 'anonymous' }), { goal_id: goalId }), 'permission.denied')
    await expectProblem(retrySettlement(operator(world), { goal_id: goalId }), 'hold.wrong_state')
  })

  it('tries five times with growing pauses, gives up, and pays after an operator asks again', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b011n)
    const broken = world.over(refusing(world, false))
    for (let attempt = 1; attempt <= 5; attempt++) {
      await runSettlementCycle(broken)
      await runSettlementCycle(broken)
      expect(await attempts(world)).toHaveLength(attempt)
      world.clock.advance(600_000)
    }
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', failure: 'The contract refuses for now.' })
    expect(await attempts(world)).toEqual([...Array.from({ length: 4 }, () => 'failed_retryable'), 'failed_final'])
    expect(await eventsOf(world, goalId)).toContain('hold.failed')
    await drive(world)
    expect(await attempts(world)).toHaveLength(5)

    expect(await retrySettlement(operator(world), { goal_id: goalId })).toEqual({ goal_id: goalId, state: 'capturing' })
    expect(await retrySettlement(operator(world), { goal_id: goalId })).toEqual({ goal_id: goalId, state: 'capturing' })
    await drive(world)
    const payouts = await listPayouts(world.system, { goalId })
    expect(payouts.map(({ state, taskId }) => [state, taskId])).toEqual([
      ['paid', 'tsk_1'],
      ['paid', 'tsk_2'],
      ['refunded', null],
    ])
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(7_000_000n)
    expect(await world.system.db.auditEntry.count({ where: { action: 'settlement.retry' } })).toBe(1)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })

  it('needs no operator: a settlement that was abandoned is tried again an hour later', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b011n)
    await runSettlementCycle(world.over(refusing(world, true)))
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized' })
    world.clock.advance(3_500_000)
    await drive(world)
    expect(await attempts(world)).toEqual(['failed_final'])
    world.clock.advance(200_000)
    await drive(world)
    expect(await attempts(world)).toEqual(['failed_final', 'posted'])
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(7_000_000n)
  })

  it('cuts the pause of a settlement that waits for its next attempt', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await runSettlementCycle(world.over(refusing(world, false)))
    await drive(world)
    expect(await attempts(world)).toEqual(['failed_retryable'])
    await retrySettlement(operator(world), { goal_id: goalId })
    await drive(world)
    expect(await attempts(world)).toEqual(['failed_retryable', 'posted'])
    expect((await getHold(world.system, goalId)).state).toBe('captured')
  })

  it('is not kept waiting by what no pause can heal', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await runSettlementCycle(world.over(refusing(world, true)))
    expect(await attempts(world)).toEqual(['failed_final'])
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    await retrySettlement(operator(world), { goal_id: goalId })
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
  })
})
