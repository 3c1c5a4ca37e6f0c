import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endDispute, openChargeback } from '../../../../server/embedded/stripe-fake/transfers-and-refunds.ts'
import {
  getCardPaymentStatus,
  getGoalCashFlow,
  getHold,
  listPayouts,
  runStripeCycle,
  submitSettlement,
} from '../../../../server/settlement/index.ts'
import { listCardPayments } from '../../../../server/settlement/stripe/card-payment-store.ts'
import { type CardWorld, capture, createCardWorld, drive, eventsOf, ledgerBalance, movedFor, sealedGoal, settle } from '../card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

async function dispute(goalId: string): Promise<string> {
  const { fundedTx } = await getHold(world.system, goalId)
  const { id } = openChargeback(world.double.context, fundedTx ?? '')
  await settle(world)
  return id
}
async function decide(id: string, how: 'won' | 'lost'): Promise<void> {
  endDispute(world.double.context, id, how)
  await drive(world)
}
const stateOf = async (goalId: string) => (await getHold(world.system, goalId)).state
const payoutsOf = async (goalId: string) => (await listPayouts(world.system, { goalId })).map((payout) => payout.state)

describe('recordChargeback', () => {
  it('stops everything that was not paid yet, and continues where the dispute is won', async () => {
    const goalId = await sealedGoal(world)
    const id = await dispute(goalId)
    expect(await getCardPaymentStatus(world.system, goalId)).toMatchObject({ dispute: { id, state: 'open' } })
    expect(await ledgerBalance(world, `dispute:${goalId}`)).toBe(10_250_000n)
    await capture(world, goalId, 0b011n)
    await submitSettlement(world.system, goalId)
    await drive(world)
    expect(await stateOf(goalId)).toBe('capturing')
    expect(movedFor(world, goalId)).toMatchObject({ sentSum: 0, refunded: 0 })
    await decide(id, 'won')
    expect(await stateOf(goalId)).toBe('captured')
    expect(movedFor(world, goalId)).toMatchObject({ sentSum: 700, refunded: 308 })
    expect(await ledgerBalance(world, `dispute:${goalId}`)).toBe(0n)
    expect(await ledgerBalance(world, `card:${goalId}`)).toBe(0n)
    expect(await ledgerBalance(world, `loss:${goalId}`)).toBe(0n)
  })

  it('ends a goal that no one was paid for yet where the dispute is lost', async () => {
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const id = await dispute(goalId)
    await decide(id, 'lost')
    expect(await stateOf(goalId)).toBe('reclaimed')
    expect(await payoutsOf(goalId)).toEqual(['refunded', 'refunded', 'refunded'])
    expect(movedFor(world, goalId)).toMatchObject({ sentSum: 0, refunded: 0 })
    expect(await eventsOf(world, goalId)).toContain('hold.reclaimed')
    expect(await ledgerBalance(world, `card:${goalId}`)).toBe(0n)
    await runStripeCycle(world.system)
    expect((await listCardPayments(world.system, { goalId, state: { notIn: ['posted', 'failed_final'] } })).length).toBe(0)
  })

  it('asks publishers back for what they were paid where a later dispute is lost, and bears it where none is', async () => {
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b011n)
    await drive(world)
    const id = await dispute(goalId)
    expect(await ledgerBalance(world, `loss:${goalId}`)).toBe(-7_170_000n)
    await decide(id, 'lost')
    expect(await stateOf(goalId)).toBe('captured')
    expect(movedFor(world, goalId)).toMatchObject({ sentSum: 700, takenBack: 700 })
    // Only the fee, which the ledger has already credited to the platform.
    expect(await ledgerBalance(world, `loss:${goalId}`)).toBe(-170_000n)
    expect((await getCardPaymentStatus(world.system, goalId))?.shares.map((share) => share.state)).toEqual(['reversed'])
    const lines = await getGoalCashFlow(world.system, goalId)
    expect(lines.reduce((sum, line) => sum + line.amount, 0n)).toBe(0n)
  })

  it('has the same result when an event repeats, or only the last one arrives', async () => {
    const goalId = await sealedGoal(world)
    world.double.webhookSender.setDelivery({ mode: 'never' })
    const id = await dispute(goalId)
    world.double.webhookSender.setDelivery({ mode: 'twice' })
    await decide(id, 'lost')
    world.double.webhookSender.setDelivery({ mode: 'once' })
    expect(await stateOf(goalId)).toBe('reclaimed')
    expect(await ledgerBalance(world, `dispute:${goalId}`)).toBe(0n)
    const keys = (await world.system.db.ledgerTransfer.findMany({ where: { goalId }, orderBy: { at: 'asc' } })).map((row) => row.key)
    expect(keys.slice(2).sort()).toEqual([`dispute:${id}:fee`, `dispute:${id}:lost`, `dispute:${id}:opened`])
  })
})
