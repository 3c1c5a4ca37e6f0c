import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endRefund } from '../../../../server/embedded/stripe-fake/transfers-and-refunds.ts'
import { getHold, retrySettlement, runStripeCycle, submitSettlement } from '../../../../server/settlement/index.ts'
import { listCardPayments } from '../../../../server/settlement/stripe/card-payment-store.ts'
import { processCardPayment } from '../../../../server/settlement/stripe/process-card-payment.ts'
import { type CardWorld, capture, createCardWorld, drive, ledgerBalance, movedFor, openAccount, sealedGoal } from '../card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const paymentsOf = (goalId: string, kind: 'transfer' | 'refund') => listCardPayments(world.system, { goalId, kind })
const stateOf = async (goalId: string) => (await getHold(world.system, goalId)).state
/** Number of requests to Stripe. */
const askedFor = (what: string) => world.double.asked.filter((one) => one === what).length

async function capturing(bits = 0b001n): Promise<`gol_${string}`> {
  const goalId = await sealedGoal(world)
  await capture(world, goalId, bits)
  return goalId
}
const paidOnce = (goalId: string) => expect(movedFor(world, goalId)).toMatchObject({ sentSum: 400, refunded: 615, takenBack: 0 })

describe('drivePayment', () => {
  it('repeats a call that was not begun, under the same key', async () => {
    const goalId = await capturing()
    world.double.fault('transfer', 'rate_limited', { times: 2 })
    await submitSettlement(world.system, goalId)
    const [waiting] = await paymentsOf(goalId, 'transfer')
    expect(waiting).toMatchObject({ state: 'submitted', attempt: 1, failure: expect.stringContaining('Too many') })
    await drive(world)
    expect((await paymentsOf(goalId, 'transfer'))[0]).toMatchObject({ state: 'posted', attempt: 1, idempotencyKey: waiting?.id })
    paidOnce(goalId)
  })

  it.each(['broken_after', 'reply_lost', 'silent'] as const)('pays once where the answer is %s', async (kind) => {
    const goalId = await capturing()
    world.double.fault('transfer', kind)
    await submitSettlement(world.system, goalId)
    // The SDK repeats a call once with its key after a connection error.
    if (kind !== 'reply_lost') expect((await paymentsOf(goalId, 'transfer'))[0]?.state).toBe('submitted')
    await drive(world)
    expect((await paymentsOf(goalId, 'transfer'))[0]).toMatchObject({ state: 'posted', attempt: 1 })
    expect(await stateOf(goalId)).toBe('captured')
    paidOnce(goalId)
  })

  it('asks a day later what became of a call that was never answered, and sends it under a new key only where Stripe knows nothing', async () => {
    const goalId = await capturing()
    // A failure that Stripe stores with the key, without any effect.
    world.double.fault('transfer', 'broken')
    await submitSettlement(world.system, goalId)
    world.clock.advance(60_000)
    await runStripeCycle(world.system)
    expect((await paymentsOf(goalId, 'transfer'))[0]).toMatchObject({ state: 'submitted', attempt: 1 })
    world.clock.advance(23 * 3_600_000)
    const before = askedFor('POST /v1/transfers')
    await runStripeCycle(world.system)
    expect(askedFor('POST /v1/transfers')).toBe(before)
    expect((await paymentsOf(goalId, 'transfer'))[0]).toMatchObject({ state: 'failed_retryable', attempt: 1 })
    expect(movedFor(world, goalId).sentSum).toBe(0)
    await drive(world)
    expect((await paymentsOf(goalId, 'transfer'))[0]).toMatchObject({ state: 'posted', attempt: 2 })
    expect(await stateOf(goalId)).toBe('captured')
    const client = { ...world.client, actor: { ...world.client.actor, isOperator: false } as never }
    await expect(retrySettlement(client, { goal_id: goalId })).rejects.toMatchObject({ code: 'permission.denied' })
    await expect(retrySettlement(world.system, { goal_id: goalId })).rejects.toMatchObject({ code: 'hold.wrong_state' })
    paidOnce(goalId)
  })

  it('finds a day later what was done and never answered', async () => {
    const goalId = await capturing()
    world.double.fault('transfer', 'broken_after')
    await submitSettlement(world.system, goalId)
    world.clock.advance(25 * 3_600_000)
    await drive(world)
    expect((await paymentsOf(goalId, 'transfer'))[0]?.state).toBe('posted')
    paidOnce(goalId)
  })

  it('pays once where two processes send at the same moment', async () => {
    const goalId = await capturing()
    world.double.fault('transfer', 'slow')
    const first = submitSettlement(world.system, goalId)
    const isHeld = async () => (await paymentsOf(goalId, 'transfer'))[0]?.state === 'submitted'
    while (!(await isHeld()) || askedFor('POST /v1/transfers') === 0) await new Promise(setImmediate)
    const [transfer] = await paymentsOf(goalId, 'transfer')
    await processCardPayment(world.system, transfer?.id ?? '')
    world.double.releaseHeldAnswers()
    await first
    await drive(world)
    paidOnce(goalId)
  })

  it('tries again under a further key what Stripe has refused; a refund that is refused permanently becomes the client’s credit', async () => {
    const goalId = await capturing()
    world.double.fault('transfer', 'refused', { code: 'balance_insufficient' })
    await submitSettlement(world.system, goalId)
    expect((await paymentsOf(goalId, 'transfer'))[0]).toMatchObject({ state: 'failed_retryable', attempt: 1 })
    await drive(world)
    const [transfer] = await paymentsOf(goalId, 'transfer')
    expect(transfer).toMatchObject({ state: 'posted', attempt: 2, idempotencyKey: `${transfer?.id}#2` })
    paidOnce(goalId)

    const other = await capturing()
    world.double.fault('refund', 'refused', { code: 'unheard_of' })
    await drive(world)
    expect((await paymentsOf(other, 'refund'))[0]).toMatchObject({ state: 'failed_final', failure: 'Refused on demand.' })
    expect(await stateOf(other)).toBe('captured')
    const [refund] = await paymentsOf(other, 'refund')
    const credit = (await listCardPayments(world.system, { goalId: other })).find(({ key }) => key === `refund-credit:${refund?.key}`)
    expect(credit).toMatchObject({ kind: 'transfer', state: 'intent', cents: refund?.cents })
    expect(await ledgerBalance(world, `card:${other}`)).toBe(0n)
    // It cannot be sent twice and does not expire.
    await expect(retrySettlement(world.system, { goal_id: other })).rejects.toMatchObject({ code: 'hold.wrong_state' })
    world.clock.advance(70 * 86_400_000)
    await drive(world)
    expect((await listCardPayments(world.system, { goalId: other, kind: 'refund' })).length).toBe(1)
  })

  it('a refund that the bank sends back becomes the client’s credit, and the client’s payout account takes it', async () => {
    await using slow = await createCardWorld({ slowRefunds: true })
    const goalId = await sealedGoal(slow)
    await capture(slow, goalId, 0b001n)
    await drive(slow)
    const [refund] = await listCardPayments(slow.system, { goalId, kind: 'refund' })
    endRefund(slow.double.context, refund?.objectId ?? '', false)
    await drive(slow)
    await drive(slow)
    expect((await getHold(slow.system, goalId)).state).toBe('captured')
    const { client: ctx, clientAccount: account } = slow
    if (ctx.actor.kind !== 'person') throw new Error('the client is a person')
    const { did, address } = ctx.actor
    expect(await ledgerBalance(slow, `credit:${address}`)).toBe((refund?.cents ?? 0n) * 10_000n)
    await openAccount(slow, { did, ctx, account, agentId: '', address })
    await drive(slow)
    expect(await ledgerBalance(slow, `credit:${address}`)).toBe(0n)
  })

  it('posts a refund only when it has arrived', async () => {
    await using slow = await createCardWorld({ slowRefunds: true })
    const goalId = await sealedGoal(slow)
    await capture(slow, goalId, 0b001n)
    await drive(slow)
    const refund = async () => (await listCardPayments(slow.system, { goalId, kind: 'refund' }))[0]
    expect(await refund()).toMatchObject({ state: 'seen' })
    expect((await getHold(slow.system, goalId)).state).toBe('capturing')
    endRefund(slow.double.context, (await refund())?.objectId ?? '', true)
    await drive(slow)
    expect(await refund()).toMatchObject({ state: 'posted' })
    expect((await getHold(slow.system, goalId)).state).toBe('captured')
  })

  it('keeps key and content of what may have been sent, for all writes', async () => {
    const goalId = await capturing()
    await drive(world)
    const [transfer] = await paymentsOf(goalId, 'transfer')
    const write = (data: object) => world.system.db.cardPayment.update({ where: { id: transfer?.id ?? '' }, data })
    await expect(write({ idempotencyKey: 'another' })).rejects.toThrow(/request of an idempotency key/)
    await expect(write({ cents: 1n })).rejects.toThrow(/keeps its kind, goal/)
    await expect(write({ state: 'intent' })).rejects.toThrow(/stays posted/)
  })
})
