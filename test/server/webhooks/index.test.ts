import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paySession } from '../../../server/embedded/stripe-fake/checkout-session.ts'
import { checkoutHold, getHold, sweepStripe } from '../../../server/settlement/index.ts'
import { handleStripeWebhookAs } from '../../../server/webhooks/index.ts'
import { type CardWorld, createCardWorld, open, pay, sessionOf, settle } from '../settlement/card-world.ts'

let world: CardWorld
beforeAll(async () => {
  world = await createCardWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})
beforeEach(() => {
  world.double.webhookSender.setDelivery({ mode: 'once' })
})

const stripe = new Stripe('sk_test_fake')
const secret = 'whsec_test_of_the_double'
const stateOf = async (goalId: string) => (await getHold(world.system, goalId)).state
const kept = () => world.system.db.stripeEvent.count()

/** What a client posts to the webhook. */
async function post(body: string, options: { secret?: string; timestamp?: number; sent?: string } = {}): Promise<number> {
  const timestamp = options.timestamp ?? Math.floor(world.clock.now().getTime() / 1_000)
  const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret: options.secret ?? secret, timestamp })
  const request = new Request('http://door', { method: 'POST', body: options.sent ?? body, headers: { 'stripe-signature': signature } })
  return (await handleStripeWebhookAs(world.system, request)).status
}
const notice = (change: object = {}) =>
  JSON.stringify({
    id: `evt_${Math.random()}`,
    object: 'event',
    type: 'customer.created',
    livemode: false,
    created: 1,
    data: { object: { object: 'customer', id: 'cus_1' } },
    ...change,
  })

async function paidPage(delivery: Parameters<typeof world.double.webhookSender.setDelivery>[0]): Promise<string> {
  const goalId = await open(world)
  const { url } = await checkoutHold(world.client, { type: 'hold.checkout', goal_id: goalId })
  world.double.webhookSender.setDelivery(delivery)
  paySession(world.double.context, sessionOf(url), 'paid')
  return goalId
}

describe("Stripe's webhooks", () => {
  it('are refused unless their signature is right and fresh, over the very bytes', async () => {
    const before = await kept()
    const body = notice()
    expect(await post(body, { sent: `${body} ` })).toBe(400)
    expect(await post(body, { secret: 'whsec_of_somebody' })).toBe(400)
    expect(await post(body, { timestamp: Math.floor(world.clock.now().getTime() / 1_000) - 301 })).toBe(400)
    expect(await post(body, { timestamp: Math.floor(world.clock.now().getTime() / 1_000) + 310 })).toBe(400)
    expect(await post(body, { timestamp: Math.floor(world.clock.now().getTime() / 1_000) + 4 * 86_400 })).toBe(400)
    expect(await post('not json')).toBe(400)
    expect(await post(`"${'x'.repeat(300_000)}"`)).toBe(413)
    const request = new Request('http://door', { method: 'POST', body })
    expect((await handleStripeWebhookAs(world.system, request)).status).toBe(400)
    expect(await kept()).toBe(before)
    expect(await post(body)).toBe(200)
    expect(await post(notice(), { secret: 'whsec_before' })).toBe(200)
    expect(await kept()).toBe(before + 2)
  })

  it.each([
    { id: 'evt_a\0' },
    { data: { object: { object: 'customer', id: '\0' } } },
    { data: { object: { object: 'customer', id: 'cus_1', metadata: { note: '\ud800' } } } },
    { created: 1e15 },
    { created: -1 },
    { id: `evt_${'a'.repeat(600)}` },
    { data: { object: { object: 'customer', id: 'c'.repeat(3_000) } } },
  ])('are refused where they hold what can not be kept: %j', async (change) => {
    const before = await kept()
    expect(await post(notice(change))).toBe(400)
    expect(await kept()).toBe(before)
  })

  it('of the other mode are refused', async () => {
    expect(await post(notice({ livemode: true }))).toBe(400)
  })

  it('of a type that no one knows are kept, and change nothing', async () => {
    const body = notice({ id: 'evt_unknown', type: 'moon.rose' })
    expect(await post(body)).toBe(200)
    await settle(world)
    const row = await world.system.db.stripeEvent.findUniqueOrThrow({ where: { id: 'evt_unknown' } })
    expect(row.handledAt).not.toBeNull()
    expect(row.body).toMatchObject({ type: 'moon.rose' })
    await expect(world.system.db.stripeEvent.update({ where: { id: row.id }, data: { type: 'x' } })).rejects.toThrow(/cannot change/)
  })

  it('are kept once, however often they come, and booked for a job each time', async () => {
    const body = notice({ id: 'evt_twice' })
    expect([await post(body), await post(body)]).toEqual([200, 200])
    expect(await world.system.db.stripeEvent.count({ where: { id: 'evt_twice' } })).toBe(1)
  })

  it.each([
    ['twice', { mode: 'twice' }],
    ['late and in the wrong order', { mode: 'late', reversed: true }],
  ] as const)('fund a goal once when they come %s', async (_, delivery) => {
    const goalId = await paidPage(delivery)
    await settle(world)
    expect(await stateOf(goalId)).toBe('authorized')
    const transfers = await world.system.db.ledgerTransfer.count({ where: { goalId, key: { startsWith: 'fund:' } } })
    expect(transfers).toBe(1)
  })

  it.each([
    ['with a wrong signature', { mode: 'once', signature: 'wrong' }],
    ['an hour old', { mode: 'once', signature: 'old' }],
    ['of live money', { mode: 'once', isLive: true }],
  ] as const)('fund nothing when they come %s; Stripe sends them again', async (_, delivery) => {
    const goalId = await paidPage(delivery)
    await settle(world)
    expect(await stateOf(goalId)).toBe('authorizing')
    world.double.webhookSender.setDelivery({ mode: 'once' })
    if (!('isLive' in delivery)) {
      await settle(world)
      expect(await stateOf(goalId)).toBe('authorized')
    } else world.double.context.state.notices.splice(0)
  })

  it('that never came are found by the sweep', async () => {
    const goalId = await paidPage({ mode: 'never' })
    await settle(world)
    expect(await stateOf(goalId)).toBe('authorizing')
    await sweepStripe(world.system)
    expect(await stateOf(goalId)).toBe('authorized')
    await sweepStripe(world.system)
    expect(await world.system.db.ledgerTransfer.count({ where: { goalId, key: { startsWith: 'fund:' } } })).toBe(1)
  })

  it('do not decide by what they say, but by what Stripe answers', async () => {
    const goalId = await open(world)
    const { url } = await checkoutHold(world.client, { type: 'hold.checkout', goal_id: goalId })
    const session = world.double.context.state.sessions.find((one) => one.id === sessionOf(url))
    const lie = { ...session, payment_status: 'paid', status: 'complete' }
    expect(await post(notice({ type: 'checkout.session.completed', data: { object: lie } }))).toBe(200)
    await settle(world)
    expect(await stateOf(goalId)).toBe('authorizing')
    await pay(world, goalId)
    expect(await stateOf(goalId)).toBe('authorized')
  })
})
