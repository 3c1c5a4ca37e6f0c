import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import type { EscrowRail } from '../../../../server/ports.ts'
import { listAlarms, raiseAlarm } from '../../../../server/settlement/alarms/operator-alarms.ts'
import {
  cancelTransaction,
  checkSettlerBalance,
  getChainHealth,
  getHold,
  listPayouts,
  reconcile,
  retrySettlement,
  runSettlementCycle,
  submitSettlement,
} from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { capture, createMoneyWorld, drive, type MoneyWorld, sealedGoal } from '../money-world.ts'

/** A node that never accepts the call of `goalId`, at any fee. */
function refusing(world: MoneyWorld, goalId: string): Context {
  const { rail } = world.system.ports
  const isRefused = async (raw: string) => {
    const row = await world.system.db.signedTransaction.findFirst({ where: { raw }, include: { transaction: true } })
    return row?.transaction.goalId === goalId && !row.isCancel
  }
  const picky: EscrowRail = { ...rail, broadcast: async (raw) => ((await isRefused(raw)) ? 'refused' : rail.broadcast(raw)) }
  return world.over(picky)
}
const settlements = (world: MoneyWorld, goalId: string) =>
  world.system.db.chainTransaction.findMany({ where: { purpose: 'settle', goalId }, orderBy: { attempt: 'asc' } })
async function expectPaid(world: MoneyWorld, goalId: string): Promise<void> {
  expect((await getHold(world.system, goalId)).state).toBe('captured')
  expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
}
const rounds = async (world: MoneyWorld, ctx: Context, count: number, ms: number) => {
  for (let round = 0; round < count; round++) {
    world.clock.advance(ms)
    await runSettlementCycle(ctx)
    await world.mined()
  }
}

describe('a nonce that the node does not take', () => {
  it('is abandoned after a while: the transactions behind it continue, and its action is requested again', {
    timeout: 900_000,
  }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n, replaceAfterMs: 1_000 })
    const [bad, good] = [await sealedGoal(world), await sealedGoal(world)]
    const ctx = refusing(world, bad)
    await capture(world, bad, 0b111n)
    await runSettlementCycle(ctx)
    await capture(world, good, 0b111n)
    await rounds(world, ctx, 20, 2_000)
    await expectPaid(world, good)
    const [first, second] = await settlements(world, bad)
    expect(first).toMatchObject({ state: 'replaced', nonce: expect.any(Number) })
    expect(first?.failure).toContain('nonce was used up')
    expect(second?.nonce ?? 1_000_000).toBeGreaterThan(first?.nonce ?? 0)
    // The node recovers.
    for (let round = 0; round < 30 && (await getHold(world.system, bad)).state !== 'captured'; round++)
      await rounds(world, world.system, 1, 60_000)
    await expectPaid(world, bad)
    expect(await listAlarms(world.system)).toEqual([])
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })

  it('ends in a failure that an operator can mend, where it is never taken', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ replaceAfterMs: 1_000 })
    const goalId = await sealedGoal(world)
    const ctx = refusing(world, goalId)
    await capture(world, goalId, 0b111n)
    for (let round = 0; round < 200 && (await getHold(world.system, goalId)).state === 'capturing'; round++)
      await rounds(world, ctx, 1, 30_000)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', failure: expect.stringContaining('nonce') })
    expect(await settlements(world, goalId)).toHaveLength(5)
    await retrySettlement(world.system, { goal_id: goalId })
    await drive(world)
    await expectPaid(world, goalId)
  })

  it('pays once where the chain takes the call after all', async () => {
    await using world = await createMoneyWorld({ replaceAfterMs: 1_000 })
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await world.rpc('evm_setAutomine', [false])
    await submitSettlement(world.system, goalId)
    const [settlement] = await settlements(world, goalId)
    await cancelTransaction(world.system, { transaction_id: settlement?.id ?? '' })
    const { rail } = world.system.ports
    // The cancellation is stored, and its broadcast is lost.
    const known = new Set((await world.system.db.signedTransaction.findMany()).map((one) => one.raw))
    const lossy: EscrowRail = { ...rail, broadcast: async (raw) => (known.has(raw) ? rail.broadcast(raw) : 'sent') }
    await runSettlementCycle(world.over(lossy))
    expect(await world.system.db.signedTransaction.count({ where: { isCancel: true } })).toBe(1)
    await world.rpc('evm_mine')
    await drive(world)
    expect((await settlements(world, goalId)).map((one) => one.state)).toEqual(['posted'])
    await expectPaid(world, goalId)
  })
})

describe('a nonce that a chain rewrite has freed', () => {
  it('is used up by a transaction that does nothing, and what waits behind it continues', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n, replaceAfterMs: 1_000 })
    const [given, waiting] = [await sealedGoal(world), await sealedGoal(world)]
    const before = await world.rpc('evm_snapshot')
    const ctx = refusing(world, given)
    await capture(world, given, 0b111n)
    const ended = async () => (await settlements(world, given))[0]
    for (let round = 0; round < 40 && (await ended())?.state !== 'replaced'; round++) await rounds(world, ctx, 1, 2_000)
    expect(await ended()).toMatchObject({ state: 'replaced', nonce: expect.any(Number) })

    await world.rpc('evm_revert', [before])
    await world.rpc('anvil_mine', ['0x2'])
    await world.rpc('evm_setAutomine', [false])
    await capture(world, waiting, 0b111n)
    await runSettlementCycle(world.system)
    await runSettlementCycle(world.system)
    expect(await listAlarms(world.system)).toMatchObject([{ kind: 'stuck_nonce', facts: { nonce: (await ended())?.nonce } }])
    await world.rpc('evm_setAutomine', [true])
    await world.rpc('evm_mine')
    await rounds(world, world.system, 10, 20_000)
    await expectPaid(world, waiting)
    await expectPaid(world, given)
    expect(await listAlarms(world.system)).toEqual([])
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })
})

describe('the alarm of a stuck nonce', () => {
  it('ends also where who noted that it is over died before it could end it', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await drive(world)
    await expectPaid(world, goalId)
    const [settlement] = await settlements(world, goalId)
    await raiseAlarm(world.system, { kind: 'stuck_nonce', subject: settlement?.key ?? '', facts: { nonce: 1 } })
    await runSettlementCycle(world.system)
    expect(await listAlarms(world.system)).toEqual([])
  })
})

describe('cancelTransaction', () => {
  it('is for operators, is written down once, and frees the nonce in the next round', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await world.rpc('evm_setAutomine', [false])
    await submitSettlement(world.system, goalId)
    const [settlement] = await settlements(world, goalId)
    const input = { transaction_id: settlement?.id ?? '' }
    const client = world.as(world.person(world.client))
    await expectProblem(cancelTransaction(client, input), 'permission.denied')
    await expectProblem(getChainHealth(client), 'permission.denied')
    await expectProblem(cancelTransaction(world.system, { transaction_id: 'nowhere' }), 'hold.not_found')
    const operator = world.as({ ...world.person(world.client), isOperator: true } as Context['actor'])
    await cancelTransaction(operator, input)
    await cancelTransaction(operator, input)
    expect(await world.system.db.auditEntry.count({ where: { action: 'settlement.cancel' } })).toBe(1)
    await runSettlementCycle(world.system)
    expect((await getChainHealth(operator)).waiting).toMatchObject([{ key: settlement?.key, isCancelling: true, offers: 2 }])
    await world.rpc('evm_mine')
    await runSettlementCycle(world.system)
    expect((await settlements(world, goalId))[0]?.state).toBe('replaced')
    await expectProblem(cancelTransaction(operator, input), 'hold.wrong_state')
    await world.rpc('evm_setAutomine', [true])
    world.clock.advance(10_000)
    await drive(world)
    await expectPaid(world, goalId)
  })
})

describe('the price of a transaction', () => {
  const caps = { maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n, maxTransactionFee: 10n ** 18n }

  it('never goes above its cap: nothing is signed, an operator is notified, and it continues when the chain is cheaper', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { rail } = world.system.ports
    let base = 25n * 10n ** 9n
    const dear: EscrowRail = {
      ...rail,
      feeCaps: caps,
      fees: async () => ({ baseFeePerGas: base, maxFeePerGas: base * 8n, maxPriorityFeePerGas: 10n ** 15n }),
    }
    const ctx = world.over(dear)
    await capture(world, goalId, 0b111n)
    await runSettlementCycle(ctx)
    await runSettlementCycle(ctx)
    expect((await settlements(world, goalId)).map((one) => [one.state, one.nonce])).toEqual([['rail_chosen', null]])
    expect(await listAlarms(ctx)).toMatchObject([{ kind: 'fee_cap', subject: `settle:${goalId}` }])
    base = 10n ** 9n
    await drive(world, ctx)
    await expectPaid(world, goalId)
    const offered = await world.system.db.signedTransaction.findMany({ where: { transaction: { goalId, purpose: 'settle' } } })
    expect(offered.map((one) => [one.maxFeePerGas, one.maxPriorityFeePerGas])).toEqual([[8n * 10n ** 9n, 10n ** 9n]])
    expect(await listAlarms(ctx)).toEqual([])
  })

  it('is not offered by a settler who cannot pay it, and no attempt is lost', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { sender } = world.system.ports.rail
    await world.rpc('anvil_setBalance', [sender, '0x1'])
    await capture(world, goalId, 0b111n)
    for (let round = 0; round < 3; round++) await runSettlementCycle(world.system)
    expect((await settlements(world, goalId)).map((one) => [one.state, one.attempt])).toEqual([['rail_chosen', 1]])
    await checkSettlerBalance(world.system)
    expect((await getChainHealth(world.system)).alarms).toMatchObject([{ kind: 'balance' }])
    await world.rpc('anvil_setBalance', [sender, '0x56bc75e2d63100000'])
    await checkSettlerBalance(world.system)
    expect(await listAlarms(world.system)).toEqual([])
    await drive(world)
    await expectPaid(world, goalId)
  })
})
