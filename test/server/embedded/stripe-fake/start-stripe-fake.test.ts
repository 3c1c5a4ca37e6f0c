import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StripeFake, startStripeFake } from '../../../../server/embedded/stripe-fake/start-stripe-fake.ts'

const secret = 'whsec_double'
let double: StripeFake
let stripe: Stripe
let home: string
let deliveries: { body: string; signature: string }[]
let answerWith: number
let receiver: ReturnType<typeof createServer>

const clientOf = (url: string, key = 'sk_test_1') =>
  new Stripe(key, { host: '127.0.0.1', port: new URL(url).port, protocol: 'http', telemetry: false, maxNetworkRetries: 0, timeout: 10_000 })
async function start(): Promise<void> {
  const { port } = receiver.address() as AddressInfo
  const file = path.join(home, 'state.json')
  double = await startStripeFake({ file, port: 0, webhookSecret: secret, webhookUrl: `http://127.0.0.1:${port}` })
  stripe = clientOf(double.url)
}

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'parley-double-'))
  deliveries = []
  answerWith = 200
  receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    deliveries.push({ body, signature: String(request.headers['stripe-signature']) })
    response.writeHead(answerWith).end()
  })
  await new Promise<void>((ready) => {
    receiver.listen(0, '127.0.0.1', ready)
  })
  await start()
})
afterEach(async () => {
  await double.close()
  receiver.close()
  await rm(home, { recursive: true, force: true })
})

const item = (amount = 5_000) => [{ quantity: 1, price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'A goal' } } }]
const openPage = (options: Stripe.RequestOptions = {}, amount = 5_000) =>
  stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: item(amount),
      success_url: 'http://localhost/done',
      cancel_url: 'http://localhost/back',
      metadata: { goal_id: 'gol_1' },
      payment_intent_data: { transfer_group: 'gol_1' },
    },
    options,
  )
const press = (url: string, action: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' })
async function paid(): Promise<{ intent: string; charge: string }> {
  const page = await openPage()
  await press(page.url ?? '', 'pay')
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(page.id, { expand: ['payment_intent'] })
  if (!intent || typeof intent === 'string') throw new Error('the payment was not written out')
  return { intent: intent.id, charge: String(intent.latest_charge) }
}
async function account(): Promise<string> {
  const made = await stripe.v2.core.accounts.create({ display_name: 'Somebody', dashboard: 'express' })
  const link = await stripe.v2.core.accountLinks.create({
    account: made.id,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: { return_url: 'http://localhost/payouts', refresh_url: 'http://localhost/again' },
    },
  })
  const answer = await press(link.url, 'complete')
  expect(answer.headers.get('location')).toBe('http://localhost/payouts')
  return made.id
}

describe('the stand-in for Stripe', () => {
  it('wants a test key', async () => {
    await expect(clientOf(double.url, 'sk_live_1').balance.retrieve()).rejects.toMatchObject({ statusCode: 401 })
    expect(await stripe.balance.retrieve()).toMatchObject({ object: 'balance', livemode: false })
  })

  it('shows pages that can be used without a mouse, and reports that nothing is charged', async () => {
    const page = await openPage()
    const html = await (await fetch(page.url ?? '')).text()
    expect(html).toContain('<html lang="en">')
    expect(html).toContain('nothing is charged')
    expect(html).toMatch(/<button name="action" value="pay">Pay \$50\.00<\/button>/)
    const declined = await press(page.url ?? '', 'decline')
    expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('role="alert"')])
    expect((await stripe.checkout.sessions.retrieve(page.id)).payment_status).toBe('unpaid')
    expect((await press(page.url ?? '', 'cancel')).headers.get('location')).toBe('http://localhost/back')
    expect((await press(page.url ?? '', 'pay')).headers.get('location')).toBe('http://localhost/done')
    expect(await (await fetch(page.url ?? '')).text()).toContain('paid already')
    expect((await press(`${double.url}/pay/cs_none`, 'pay')).status).toBe(404)
  })

  it('answers a repeated key with the same answer, also a failure, and refuses it for anything else', async () => {
    const first = await openPage({ idempotencyKey: 'k1' })
    expect((await openPage({ idempotencyKey: 'k1' })).id).toBe(first.id)
    await expect(openPage({ idempotencyKey: 'k1' }, 6_000)).rejects.toMatchObject({ statusCode: 400, rawType: 'idempotency_error' })
    double.fault('checkout', 'broken')
    await expect(openPage({ idempotencyKey: 'k2' })).rejects.toMatchObject({ statusCode: 500 })
    await expect(openPage({ idempotencyKey: 'k2' })).rejects.toMatchObject({ statusCode: 500 })
    double.fault('checkout', 'rate_limited')
    await expect(openPage({ idempotencyKey: 'k3' })).rejects.toMatchObject({ statusCode: 429 })
    expect((await openPage({ idempotencyKey: 'k3' })).object).toBe('checkout.session')
    double.fault('checkout', 'slow')
    const held = openPage({ idempotencyKey: 'k4' })
    while (!double.asked.some((_, index) => index > 6)) await new Promise(setImmediate)
    await expect(openPage({ idempotencyKey: 'k4' })).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    double.releaseHeldAnswers()
    expect((await openPage({ idempotencyKey: 'k4' })).id).toBe((await held).id)
  })

  it('sends and gives back no more than a charge has brought in', async () => {
    const { intent, charge } = await paid()
    const destination = await account()
    const send = (amount: number) =>
      stripe.transfers.create({ amount, currency: 'usd', destination, source_transaction: charge, transfer_group: 'gol_1' })
    const refund = (amount: number) => stripe.refunds.create({ payment_intent: intent, amount })
    const transfer = await send(3_000)
    await expect(send(2_001)).rejects.toMatchObject({ code: 'balance_insufficient' })
    expect((await refund(2_000)).status).toBe('succeeded')
    await expect(send(1)).rejects.toMatchObject({ code: 'balance_insufficient' })
    await expect(refund(3_001)).rejects.toMatchObject({ code: 'charge_already_refunded' })
    await stripe.transfers.createReversal(transfer.id, { amount: 1_000 })
    await expect(stripe.transfers.createReversal(transfer.id, { amount: 2_001 })).rejects.toMatchObject({ statusCode: 400 })
    expect(await stripe.transfers.retrieve(transfer.id)).toMatchObject({ amount_reversed: 1_000, reversed: false })
    const entries = (await stripe.balanceTransactions.list({ limit: 10 })).data.map(({ type, amount }) => [type, amount])
    expect(entries).toEqual([
      ['transfer_refund', 1_000],
      ['refund', -2_000],
      ['transfer', -3_000],
      ['charge', 5_000],
      ['topup', 100_000],
    ])
  })

  it('refuses a transfer to an account that Stripe does not know enough about', async () => {
    const { charge } = await paid()
    const { id } = await stripe.v2.core.accounts.create({ display_name: 'Nobody', dashboard: 'express' })
    const send = stripe.transfers.create({ amount: 1, currency: 'usd', destination: id, source_transaction: charge })
    await expect(send).rejects.toMatchObject({ code: 'insufficient_capabilities_for_transfer' })
  })

  it('pages through lists, newest first', async () => {
    for (let index = 0; index < 5; index++) await openPage()
    const all: string[] = []
    for await (const session of stripe.checkout.sessions.list({ limit: 2 })) all.push(session.id)
    expect(new Set(all).size).toBe(5)
    expect((await stripe.checkout.sessions.list({ limit: 2 })).has_more).toBe(true)
  })

  it('signs its events, and repeats them until they are accepted', async () => {
    answerWith = 500
    await paid()
    await double.webhookSender.flush()
    const refused = deliveries.length
    expect(refused).toBeGreaterThan(2)
    answerWith = 200
    await double.webhookSender.flush()
    const events = deliveries.slice(refused).map(({ body, signature }) => stripe.webhooks.constructEvent(body, signature, secret).type)
    expect(events).toContain('checkout.session.completed')
    const before = deliveries.length
    await double.webhookSender.flush()
    expect(deliveries.length).toBe(before)
  })

  it('keeps everything over a restart, also events that were not delivered yet', async () => {
    double.webhookSender.setDelivery({ mode: 'late' })
    const { intent } = await paid()
    const key = await openPage({ idempotencyKey: 'kept' })
    await double.close()
    await start()
    expect((await openPage({ idempotencyKey: 'kept' })).id).toBe(key.id)
    expect((await stripe.refunds.create({ payment_intent: intent, amount: 100 })).amount).toBe(100)
    await double.webhookSender.flush()
    expect(deliveries.map(({ body }) => JSON.parse(body).type)).toContain('checkout.session.completed')
  })

  it('lets a bank decide disputes on a page', async () => {
    const page = await openPage()
    await press(page.url ?? '', 'dispute')
    const [dispute] = (await stripe.disputes.list({})).data
    expect(dispute?.status).toBe('needs_response')
    await expect(stripe.refunds.create({ payment_intent: String(dispute?.payment_intent), amount: 1 })).rejects.toMatchObject({
      code: 'charge_disputed',
    })
    expect(await (await fetch(`${double.url}/disputes`)).text()).toContain(dispute?.id)
    await press(`${double.url}/disputes/${dispute?.id}`, 'lost')
    expect((await stripe.disputes.retrieve(dispute?.id ?? '')).status).toBe('lost')
    await double.webhookSender.flush()
    expect(deliveries.map(({ body }) => JSON.parse(body).type)).toEqual(
      expect.arrayContaining(['charge.dispute.created', 'charge.dispute.closed']),
    )
  })
})
