import { encodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../../contracts/abi/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { requireEscrowHold } from '../../../../server/settlement/holds/hold.ts'
import { loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import {
  getGoalCashFlow,
  getHold,
  getSettlementProof,
  listPayouts,
  reconcile,
  submitCharterSeal,
  submitFunding,
  submitReclaim,
  submitSettlement,
  voidHold,
} from '../../../../server/settlement/index.ts'
import {
  authorize,
  capture,
  conclusionHash,
  createMoneyWorld,
  drive,
  eventsOf,
  handOver,
  ledgerBalance,
  lower,
  type MoneyWorld,
  open,
  sealedGoal,
} from '../money-world.ts'

/** Ledger and token log agree for every address. */
async function expectLedgerIsChain(world: MoneyWorld): Promise<void> {
  const moved = new Map<string, bigint>()
  for (const { from, to, value } of await world.transfers()) {
    moved.set(from, (moved.get(from) ?? 0n) - value)
    moved.set(to, (moved.get(to) ?? 0n) + value)
  }
  for (const address of [lower(world.client.address), ...world.payees]) {
    const booked = (await ledgerBalance(world, `client:${address}`)) + (await ledgerBalance(world, `payee:${address}`))
    expect({ address, booked }).toEqual({ address, booked: moved.get(address) ?? 0n })
  }
  const report = await reconcile(world.system)
  expect({ ...report, matched: 0 }).toEqual({
    matched: 0,
    onlyLedger: [],
    onlyChain: [],
    onlyStripe: [],
    differing: [],
    stripeDiffering: [],
    heldInLedger: report.heldOnChain,
    heldOnChain: report.heldOnChain,
    heldDiffering: [],
  })
}

describe('submitSettlement', () => {
  it('funds, seals, settles once, pays what was concluded and gives the rest back', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await authorize(world, goalId)
    expect((await getHold(world.system, goalId)).state).toBe('authorizing')
    await submitFunding(world.system, goalId)
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', failure: null, charterVersion: 0 })

    const hash = await handOver(world, goalId)
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['sealed', 'sealed', 'sealed'])
    await submitCharterSeal(world.system, goalId)
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ charterVersion: 1, charterHash: hash })
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['sealed', 'sealed', 'sealed'])

    await capture(world, goalId, 0b011n)
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paying', 'paying', 'sealed'])
    await submitSettlement(world.system, goalId)
    await drive(world)

    const hold = await getHold(world.system, goalId)
    expect(hold).toMatchObject({ state: 'captured', conclusionHash })
    const payouts = await listPayouts(world.system, { goalId })
    expect(payouts.map(({ state, tx, taskId }) => ({ state, tx, taskId }))).toEqual([
      { state: 'paid', tx: hold.settledTx, taskId: 'tsk_1' },
      { state: 'paid', tx: hold.settledTx, taskId: 'tsk_2' },
      { state: 'refunded', tx: null, taskId: null },
    ])
    // 7 USDC to the payee of both steps, 2.5 % fee, the rest refunded.
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(7_000_000n)
    expect(await ledgerBalance(world, `fees:${world.feeTo}`)).toBe(175_000n)
    expect(await ledgerBalance(world, `client:${lower(world.client.address)}`)).toBe(-7_175_000n)
    await expectLedgerIsChain(world)

    const waterfall = await getGoalCashFlow(world.system, goalId)
    expect(waterfall.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['funded', 10_250_000n],
      ['fee', -175_000n],
      ['payee', -7_000_000n],
      ['refund', -3_075_000n],
    ])
    expect(await getSettlementProof(world.system, goalId)).toMatchObject({ charterHash: hash, conclusionHash, settledTx: hold.settledTx })
    expect(await eventsOf(world, goalId)).toEqual([
      'hold.authorizing',
      'hold.authorized',
      'team.recorded',
      'team.authorized',
      'hold.capturing',
      'hold.captured',
    ])
  })

  it('settles a goal with everything paid, and keeps nothing', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
    expect((await getGoalCashFlow(world.system, goalId)).reduce((sum, line) => sum + line.amount, 0n)).toBe(0n)
    expect(await ledgerBalance(world, `escrow:${goalId}`)).toBe(0n)
    await expectLedgerIsChain(world)
  })

  it('voids a hold, sealed or not: the client has all of it back', async () => {
    await using world = await createMoneyWorld()
    const unsealed = await open(world)
    await authorize(world, unsealed)
    await drive(world)
    const sealed = await sealedGoal(world)
    for (const goalId of [unsealed, sealed]) {
      await inTransaction(world.system, (tx) => voidHold(tx, { goalId, conclusionHash }))
      await drive(world)
      expect(await getHold(world.system, goalId)).toMatchObject({ state: 'voided', conclusionHash })
    }
    expect((await listPayouts(world.system, { goalId: sealed })).map((payout) => payout.state)).toEqual([
      'refunded',
      'refunded',
      'refunded',
    ])
    expect(await world.balance(lower(world.client.address))).toBe(1_000_000_000n)
    expect(await eventsOf(world, sealed)).toContain('hold.voided')
    await expectLedgerIsChain(world)
  })

  it('gives back after the expiry what no one settled, and not a second before', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await submitReclaim(world.system, goalId)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    await world.warp(4 * 3_600 + 86_400 + 120)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('reclaimed')
    expect(await world.balance(lower(world.client.address))).toBe(1_000_000_000n)
    expect(await eventsOf(world, goalId)).toContain('hold.reclaimed')
    await expectLedgerIsChain(world)
  })

  it('books a settlement as reclaimed where the client was faster after the expiry', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const { terms } = requireEscrowHold(await loadHold(world.system, goalId))
    await world.warp(4 * 3_600 + 86_400 + 120)
    await world.send(world.chain.keys[2] ?? '0x', {
      to: lower(world.chain.escrow),
      data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'refund', args: [terms] }),
    })
    await submitSettlement(world.system, goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('reclaimed')
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['refunded', 'refunded', 'refunded'])
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(0n)
    await expectLedgerIsChain(world)
  })

  it('settles after the expiry too, as long as no one has refunded', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    await world.warp(4 * 3_600 + 86_400 + 120)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    await expectLedgerIsChain(world)
  })

  it('recognises money that the client has set aside from its own wallet', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    const { terms } = requireEscrowHold(await loadHold(world.system, goalId))
    const key = world.chain.keys[2] ?? '0x'
    const approve = `0x095ea7b3${lower(world.chain.escrow).slice(2).padStart(64, '0')}${terms.total.toString(16).padStart(64, '0')}`
    await world.send(key, { to: lower(world.chain.token), data: approve as `0x${string}` })
    const tx = await world.send(key, {
      to: lower(world.chain.escrow),
      data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'fund', args: [terms] }),
    })
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', fundedTx: tx })
    await expectLedgerIsChain(world)
  })

  it('leaves out of the settlement what the client has released itself, and pays it once', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const { terms } = requireEscrowHold(await loadHold(world.system, goalId))
    const [charter] = await world.system.db.holdCharter.findMany({ where: { goalId } })
    const [first = '0x', second = '0x'] = world.payees
    const steps = [
      { payee: first, amount: 4_000_000n },
      { payee: first, amount: 3_000_000n },
      { payee: second, amount: 3_000_000n },
    ]
    const settled = { steps, royalties: [], charterHash: charter?.charterHash as `0x${string}` }
    const args = [{ terms, charter: settled, bits: 0b001n, close: false, conclusionHash, signature: '0x' as const }] as const
    await world.send(world.chain.keys[2] ?? '0x', {
      to: lower(world.chain.escrow),
      data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'release', args }),
    })
    await drive(world)
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'sealed', 'sealed'])
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['paid', 'paid', 'paid'])
    expect(await world.balance(first)).toBe(7_000_000n)
    await expectLedgerIsChain(world)
  })

  it('books a payment that the token refused as a credit, and its withdrawal', async () => {
    await using world = await createMoneyWorld({ wayward: true })
    const goalId = await sealedGoal(world)
    const [first = '0x'] = world.payees
    const setAnswer = async (answer: number) =>
      world.send(world.chain.keys[8] ?? '0x', {
        to: world.system.market.token,
        // setAnswer(address,uint8)
        data: encodeFunctionData({
          abi: [
            {
              type: 'function',
              name: 'setAnswer',
              stateMutability: 'nonpayable',
              inputs: [
                { type: 'address', name: 'account' },
                { type: 'uint8', name: 'answer' },
              ],
              outputs: [],
            },
          ],
          functionName: 'setAnswer',
          args: [first, answer],
        }),
      })
    await setAnswer(1)
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['credited', 'credited', 'paid'])
    expect(await ledgerBalance(world, `credit:${first}`)).toBe(7_000_000n)
    await setAnswer(0)
    await world.send(world.chain.keys[4] ?? '0x', {
      to: world.system.market.escrow,
      data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'withdrawCredit', args: [world.system.market.token, first] }),
    })
    await drive(world)
    expect(await ledgerBalance(world, `credit:${first}`)).toBe(0n)
    expect(await ledgerBalance(world, `wallet:${first}`)).toBe(7_000_000n)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })
})
