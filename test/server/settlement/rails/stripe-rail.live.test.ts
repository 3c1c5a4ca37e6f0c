import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CardAnswer, CardCall, CardObject } from '../../../../server/ports.ts'
import { createStripeRail } from '../../../../server/settlement/index.ts'

// The adapter against Stripe's test mode. Runs only with a test key in STRIPE_TEST_KEY. It verifies the fake's assumptions about
// Stripe.
const key = process.env.STRIPE_TEST_KEY ?? ''
if (!/^(sk|rk)_test_/.test(key)) console.warn("STRIPE_TEST_KEY is not set: nothing was checked against Stripe's own test mode.")

const rail = createStripeRail({ secretKey: key || 'sk_test_none', webhookSecrets: [], fee: { bps: 290, fixedCents: 30 } })
const goalId = `gol_${randomUUID().replaceAll('-', '')}`
const base = { goalId, cents: 1_025n }
function made(answer: CardAnswer): CardObject {
  if (answer.answer !== 'object') throw new Error(`${answer.answer}: ${answer.sentence}`)
  return answer.object
}

describe.skipIf(!/^(sk|rk)_test_/.test(key))("Stripe's test mode", () => {
  const expiresAt = Math.floor(Date.now() / 1_000) + 3_600

  it('opens one page for one key, with our ids on it, and finds it again', async () => {
    const call: CardCall = {
      ...base,
      kind: 'checkout',
      paymentId: randomUUID(),
      title: 'A goal',
      feeCents: 62n,
      returnUrl: 'https://example.com/g',
      expiresAt,
    }
    const first = made(await rail.send(call, call.paymentId))
    expect(first).toMatchObject({ kind: 'checkout', goalId, paymentId: call.paymentId, cents: 1_025n, currency: 'usd', state: 'pending' })
    expect(made(await rail.send(call, call.paymentId)).id).toBe(first.id)
    expect(await rail.send({ ...call, cents: 2_000n }, call.paymentId)).toMatchObject({ answer: 'refused', remedy: 'none' })
    expect((await rail.find(call))?.id).toBe(first.id)
    expect(await rail.get('checkout', first.id, null)).toMatchObject({ id: first.id, state: 'pending' })
  })

  it('refuses what cannot be done, in an answer', async () => {
    const transfer: CardCall = { ...base, kind: 'transfer', paymentId: randomUUID(), destination: 'acct_none', charge: 'ch_none' }
    expect((await rail.send(transfer, transfer.paymentId)).answer).toBe('refused')
    const refund: CardCall = { ...base, kind: 'refund', paymentId: randomUUID(), paymentIntent: 'pi_none' }
    expect(await rail.send(refund, refund.paymentId)).toMatchObject({ answer: 'refused', remedy: 'none' })
  })

  it('opens an account that is to be completed, and a page for that', async () => {
    const account = await rail.openAccount({ ownerId: 'did:pkh:eip155:1:0x0', name: 'Parley test' }, randomUUID())
    expect(account.isReady).toBe(false)
    expect(await rail.accountLink(account.id, 'https://example.com/payouts')).toMatch(/^https:\/\/connect\.stripe\.com\//)
    expect((await rail.getAccount(account.id)).id).toBe(account.id)
  })

  it('lists what was made and what moved', async () => {
    const { objects } = await rail.listSince(Math.floor(Date.now() / 1_000) - 600)
    expect(objects.some((object) => object.goalId === goalId)).toBe(true)
    expect(Array.isArray(await rail.listEntries(Math.floor(Date.now() / 1_000) - 600))).toBe(true)
  })
})
