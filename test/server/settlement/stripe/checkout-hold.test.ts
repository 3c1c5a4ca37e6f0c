import { personDid } from '@parley/protocol'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import { endSlowPayment, paySession } from '../../../../server/embedded/stripe-fake/checkout-session.ts'
import {
  authorizeHold,
  checkoutHold,
  getCardPaymentStatus,
  getFundingTerms,
  getGoalCashFlow,
  getHold,
  voidHold,
} from '../../../../server/settlement/index.ts'
import {
  type CardWorld,
  capture,
  conclusionHash,
  createCardWorld,
  drive,
  eventsOf,
  handOver,
  ledgerBalance,
  movedFor,
  open,
  pay,
  sessionOf,
  settle,
} from '../card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const checkout = (goalId: `gol_${string}`, ctx = world.client) => checkoutHold(ctx, { type: 'hold.checkout', goal_id: goalId })

describe('checkoutHold', () => {
  it('refuses everyone but the client, and a goal that is paid by wallet', async () => {
    const goalId = await open(world)
    const { address } = privateKeyToAccount(generatePrivateKey())
    const stranger = world.as({
      kind: 'person',
      did: personDid(31_337, address),
      address: address.toLowerCase() as `0x${string}`,
      isOperator: false,
    })
    await expect(checkout(goalId, world.as({ kind: 'anonymous' }))).rejects.toMatchObject({ code: 'auth.required' })
    await expect(checkout(goalId, stranger)).rejects.toMatchObject({ code: 'permission.denied' })
    await expect(getFundingTerms(world.client, goalId)).rejects.toMatchObject({ code: 'hold.wrong_rail' })
    const signature = `0x${'1'.repeat(130)}`
    await expect(authorizeHold(world.client, { type: 'hold.authorize', goal_id: goalId, signature })).rejects.toMatchObject({
      code: 'hold.wrong_rail',
    })
    const cardless = { ...world.client, ports: { ...world.client.ports, cards: null } }
    await expect(checkout(goalId, cardless)).rejects.toMatchObject({ code: 'hold.card_unavailable' })
    expect(await eventsOf(world, goalId)).toEqual([])
  })

  it('audits once and answers the same page, however often it comes', async () => {
    const goalId = await open(world)
    const [first, second, third] = await Promise.all([checkout(goalId), checkout(goalId), checkout(goalId)])
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    const audit = await world.system.db.auditEntry.findMany({ where: { chain: `hold:${goalId}` }, orderBy: { n: 'asc' } })
    expect(audit.map((row) => row.action)).toEqual(['hold.open', 'hold.checkout'])
    expect(world.double.context.state.sessions.filter((one) => one.client_reference_id === goalId)).toHaveLength(1)
    expect(await getCardPaymentStatus(world.system, goalId)).toMatchObject({ checkout: { state: 'open', url: first.url }, isDemo: true })
  })

  it('is funded by what Stripe says and by nothing else, once', async () => {
    const goalId = await open(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorizing')
    await pay(world, goalId)
    const hold = await getHold(world.system, goalId)
    expect(hold).toMatchObject({ rail: 'stripe', state: 'authorized', asset: 'iso4217:USD', escrow: null, isSigned: true })
    expect(hold.fundedTx).toMatch(/^pi_/)
    expect(await eventsOf(world, goalId)).toEqual(['hold.authorized'])
    expect(await ledgerBalance(world, `card:${goalId}`)).toBe(10_250_000n)
    await expect(checkout(goalId)).rejects.toMatchObject({ code: 'hold.wrong_state' })
    await settle(world)
    expect(await ledgerBalance(world, `card:${goalId}`)).toBe(10_250_000n)
  })

  it('waits for a payment that takes days, and stays open to another where it fails', async () => {
    const goalId = await open(world)
    const slow = await pay(world, goalId, 'slow')
    expect((await getHold(world.system, goalId)).state).toBe('authorizing')
    await expect(checkout(goalId)).rejects.toMatchObject({ code: 'hold.wrong_state' })
    endSlowPayment(world.double.context, slow, true)
    await settle(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')

    const other = await open(world)
    endSlowPayment(world.double.context, await pay(world, other, 'slow'), false)
    await settle(world)
    expect(await getCardPaymentStatus(world.system, other)).toMatchObject({
      checkout: { state: 'ended', failure: expect.stringContaining('failed') },
    })
    await pay(world, other)
    expect((await getHold(world.system, other)).state).toBe('authorized')
  })

  it('sends a second payment back, whole', async () => {
    const goalId = await open(world)
    const first = await checkout(goalId)
    // We had marked this checkout page as failed because its webhook was lost. The client still had it open.
    await world.system.db.cardPayment.updateMany({ where: { goalId, kind: 'checkout' }, data: { state: 'failed_final' } })
    await pay(world, goalId)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    paySession(world.double.context, sessionOf(first.url), 'paid')
    await settle(world)
    await drive(world)
    expect(movedFor(world, goalId)).toMatchObject({ charged: 2_050, refunded: 1_025 })
    expect(await ledgerBalance(world, `card:${goalId}`)).toBe(10_250_000n)
    await handOver(world, goalId)
    await capture(world, goalId, 0b111n)
    await drive(world)
    expect(movedFor(world, goalId)).toMatchObject({ charged: 2_050, refunded: 1_025, sentSum: 1_000 })
    expect(await ledgerBalance(world, `card:${goalId}`)).toBe(0n)
  })

  it('takes money for a goal that was stopped meanwhile, to send it back', async () => {
    const goalId = await open(world)
    const { url } = await checkout(goalId)
    await inTransaction(world.client, (tx) => voidHold(tx, { goalId, conclusionHash }))
    expect((await getHold(world.system, goalId)).state).toBe('failed')
    paySession(world.double.context, sessionOf(url), 'paid')
    await settle(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    await inTransaction(world.client, (tx) => voidHold(tx, { goalId, conclusionHash }))
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('voided')
    expect(movedFor(world, goalId)).toMatchObject({ charged: 1_025, refunded: 1_025 })
  })

  it('opens another page once the one before has expired', async () => {
    const goalId = await open(world, { workSeconds: 20 * 3_600 })
    const first = await checkout(goalId)
    world.clock.advance(3 * 3_600_000)
    const second = await checkout(goalId)
    expect(sessionOf(second.url)).not.toBe(sessionOf(first.url))
    await pay(world, goalId)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
  })

  it('pays publishers, keeps the fee and gives the rest back', async () => {
    const goalId = await open(world)
    await pay(world, goalId)
    await handOver(world, goalId)
    await capture(world, goalId, 0b011n)
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured' })
    expect(movedFor(world, goalId)).toMatchObject({ charged: 1_025, sentSum: 700, refunded: 308 })
    expect((await getGoalCashFlow(world.system, goalId)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['funded', 10_250_000n],
      ['fee', -170_000n],
      ['payee', -7_000_000n],
      ['refund', -3_080_000n],
    ])
  })
})
