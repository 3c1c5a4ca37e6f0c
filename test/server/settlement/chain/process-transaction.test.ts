import { describe, expect, it } from 'vitest'
import type { EscrowRail } from '../../../../server/ports.ts'
import { chainTransactionFromRow } from '../../../../server/settlement/chain/transaction-store.ts'
import { getHold, listPayouts, reconcile, runSettlementCycle, submitSettlement } from '../../../../server/settlement/index.ts'
import { authorize, capture, createMoneyWorld, drive, handOver, ledgerBalance, type MoneyWorld, open, sealedGoal } from '../money-world.ts'

const settlements = async (world: MoneyWorld) =>
  (await world.system.db.chainTransaction.findMany({ where: { purpose: 'settle' }, orderBy: { attempt: 'asc' } })).map(
    chainTransactionFromRow,
  )
const candidates = (world: MoneyWorld) =>
  world.system.db.signedTransaction.findMany({ where: { transaction: { purpose: 'settle' } }, orderBy: { n: 'asc' } })

async function expectPaidOnce(world: MoneyWorld, goalId: string): Promise<void> {
  expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
  expect(await Promise.all(world.payees.slice(0, 2).map((payee) => world.balance(payee)))).toEqual([7_000_000n, 3_000_000n])
  expect(await ledgerBalance(world, `escrow:${goalId}`)).toBe(0n)
  expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
}

/** Broadcast to a node that does not mine automatically. */
async function submitted(world: MoneyWorld): Promise<string> {
  const goalId = await sealedGoal(world)
  await capture(world, goalId, 0b111n)
  await world.rpc('evm_setAutomine', [false])
  await submitSettlement(world.system, goalId)
  expect((await settlements(world)).map((one) => one.state)).toEqual(['submitted'])
  return goalId
}

async function mine(world: MoneyWorld, blocks = 1): Promise<void> {
  for (let block = 0; block < blocks; block++) await world.rpc('evm_mine')
}

/** Cycles with four blocks after each, until the transaction is posted. */
async function burySteps(world: MoneyWorld): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await runSettlementCycle(world.system)
    await world.mined()
    await mine(world, 4)
  }
}

describe('driveTransaction', () => {
  it('offers more also where the clock that dated the first bytes was an hour early', async () => {
    await using world = await createMoneyWorld({ replaceAfterMs: 30_000 })
    await submitted(world)
    await runSettlementCycle(world.system)
    world.clock.advance(-29_000)
    await runSettlementCycle(world.system)
    expect(await candidates(world)).toHaveLength(1)
    world.clock.advance(-3_600_000)
    await runSettlementCycle(world.system)
    expect(await candidates(world)).toHaveLength(2)
  })

  it('offers more for the same nonce when it has waited too long, and the newest lands', async () => {
    await using world = await createMoneyWorld({ replaceAfterMs: 30_000 })
    const goalId = await submitted(world)
    await runSettlementCycle(world.system)
    expect(await candidates(world)).toHaveLength(1)
    for (const wanted of [2, 3]) {
      world.clock.advance(31_000)
      await runSettlementCycle(world.system)
      expect(await candidates(world)).toHaveLength(wanted)
    }
    await mine(world)
    await drive(world)
    const [settlement] = await settlements(world)
    const offered = await candidates(world)
    expect(new Set(offered.map((one) => one.nonce))).toEqual(new Set([settlement?.nonce]))
    expect(offered.every((one, index) => index === 0 || one.maxFeePerGas > (offered[index - 1]?.maxFeePerGas ?? 0n))).toBe(true)
    expect(settlement).toMatchObject({ state: 'posted', hash: offered[2]?.hash })
    await expectPaidOnce(world, goalId)
  })

  it('counts an older candidate that lands where the newer one is unknown', async () => {
    await using world = await createMoneyWorld({ replaceAfterMs: 30_000 })
    const goalId = await submitted(world)
    const { rail } = world.system.ports
    const known = new Set((await candidates(world)).map((one) => one.raw))
    // Every replacement is stored, but its broadcast is lost.
    const lossy: EscrowRail = { ...rail, broadcast: async (raw) => (known.has(raw) ? rail.broadcast(raw) : 'sent') }
    world.clock.advance(31_000)
    await runSettlementCycle(world.over(lossy))
    const [older, newer] = await candidates(world)
    expect((await settlements(world))[0]?.hash).toBe(newer?.hash)
    await mine(world)
    await drive(world)
    expect((await settlements(world))[0]).toMatchObject({ state: 'posted', hash: older?.hash })
    await expectPaidOnce(world, goalId)
  })

  it('offers more at once where the node asks for more', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const { rail } = world.system.ports
    const stingy: EscrowRail = { ...rail, fees: async () => ({ baseFeePerGas: 0n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }) }
    const moody: EscrowRail = { ...rail, fees: async () => stingy.fees() }
    await submitSettlement(world.over(moody), goalId)
    const [first] = await candidates(world)
    expect(first?.maxFeePerGas).toBe(1n)
    await drive(world)
    expect((await settlements(world)).map((one) => one.state)).toEqual(['posted'])
    await expectPaidOnce(world, goalId)
  })

  it('is sent again where the node has dropped it', async () => {
    await using world = await createMoneyWorld()
    const goalId = await submitted(world)
    await world.rpc('anvil_dropAllTransactions')
    await runSettlementCycle(world.system)
    await mine(world)
    await drive(world)
    expect(await candidates(world)).toHaveLength(1)
    await expectPaidOnce(world, goalId)
  })

  it.each([
    ['is mined at another height', 2],
    ['is mined at the same height', 0],
  ])('survives a reorganisation of three blocks: seen, gone, and %s', async (_what, empty) => {
    await using world = await createMoneyWorld({ confirmations: 4 })
    const goalId = await open(world)
    await authorize(world, goalId)
    await burySteps(world)
    await handOver(world, goalId)
    await burySteps(world)
    await capture(world, goalId, 0b111n)
    await world.rpc('evm_setAutomine', [false])
    await submitSettlement(world.system, goalId)
    await mine(world, 3)
    await runSettlementCycle(world.system)
    const [seen] = await settlements(world)
    expect(seen?.state).toBe('seen')
    await world.rpc('anvil_rollback', [3])
    if (empty > 0) await mine(world, empty)
    await runSettlementCycle(world.system)
    expect((await settlements(world))[0]).toMatchObject({ state: 'submitted', block: null })
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    await mine(world)
    await runSettlementCycle(world.system)
    const [again] = await settlements(world)
    expect([again?.state, (again?.block ?? 0) - (seen?.block ?? 0)]).toEqual(['seen', empty])
    await mine(world, 4)
    await drive(world)
    expect((await settlements(world))[0]?.state).toBe('posted')
    expect(await candidates(world)).toHaveLength(1)
    await expectPaidOnce(world, goalId)
  })

  it('waits for more blocks where more is at stake, and nothing is booked meanwhile', async () => {
    await using world = await createMoneyWorld({ depths: [{ from: 20_000_000n, confirmations: 3 }] })
    const [small, large] = [await open(world), await open(world, { total: 20_000_000n })]
    await authorize(world, small)
    await authorize(world, large)
    for (let round = 0; round < 3; round++) {
      await runSettlementCycle(world.system)
      await world.mined()
    }
    expect((await getHold(world.system, small)).state).toBe('authorized')
    expect((await getHold(world.system, large)).state).toBe('authorizing')
    expect(await ledgerBalance(world, `escrow:${large}`)).toBe(0n)
    await mine(world, 3)
    await drive(world)
    expect((await getHold(world.system, large)).state).toBe('authorized')
    expect(await ledgerBalance(world, `escrow:${large}`)).toBe(20_000_000n)
  })

  it('does not believe a receipt where the log shows nothing and the nonce is unused: the same bytes go out again', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const { rail } = world.system.ports
    // A node that accepts no transaction and claims that its newest block includes all of them.
    const falseRail: EscrowRail = {
      ...rail,
      broadcast: async () => 'sent',
      receipt: async (hash) => {
        const { number, hash: blockHash } = await rail.head()
        return { hash, block: number, blockHash, succeeded: true, hasEvents: false }
      },
    }
    await submitSettlement(world.over(falseRail), goalId)
    for (let round = 0; round < 3; round++) await runSettlementCycle(world.over(falseRail))
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(0n)
    await drive(world)
    expect((await settlements(world)).map((one) => one.state)).toEqual(['posted'])
    expect(await candidates(world)).toHaveLength(1)
    await expectPaidOnce(world, goalId)
  })

  it('does not take success for payment: what has no event has failed, and is tried again after a pause', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const { rail } = world.system.ports
    // A call to an address without code succeeds without effect.
    const astray: EscrowRail = { ...rail, encode: async (call) => ({ ...(await rail.encode(call)), to: world.payees[2] ?? '0x' }) }
    await submitSettlement(world.over(astray), goalId)
    await world.mined()
    for (let round = 0; round < 2; round++) await runSettlementCycle(world.system)
    expect(await settlements(world)).toMatchObject([{ state: 'failed_retryable', failure: expect.stringContaining('has no event of it') }])
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    world.clock.advance(3_000)
    await drive(world)
    expect((await settlements(world)).map((one) => one.state)).toEqual(['failed_retryable', 'posted'])
    await expectPaidOnce(world, goalId)
  })

  it('does not read past a block whose log the node does not have yet', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await submitSettlement(world.over({ ...world.system.ports.rail, readEvents: async () => [] }), goalId)
    await world.mined()
    await runSettlementCycle(world.over({ ...world.system.ports.rail, readEvents: async () => [] }))
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    await drive(world)
    await expectPaidOnce(world, goalId)
  })
})
