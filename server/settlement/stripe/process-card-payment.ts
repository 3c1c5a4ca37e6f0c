import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { CardAnswer, CardObject } from '../../ports.ts'
import { buildStripePaymentRequest } from './build-stripe-payment-request.ts'
import { advancePayment, type CardPayment, type CardPaymentEvent, findMismatch, isIdempotencyKeyExpired } from './card-payment.ts'
import { getCardPayment, saveCardPayment } from './card-payment-store.ts'
import { waitForPayoutAccount } from './credit-share-without-payout-account.ts'
import { requireCardRail } from './lock-card-hold.ts'
import { postPaymentToLedger } from './post-payment-to-ledger.ts'

/** Advances one payment as far as possible. Safe with concurrent processes and after a crash at any point. */
export async function processCardPayment(ctx: Context, id: string, options: { readonly lookAgain?: boolean } = {}): Promise<CardPayment> {
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  let current = await getCardPayment(system, id)
  let isForced = options.lookAgain ?? false
  for (;;) {
    const next = await processStep(system, current, isForced)
    if (next === null || (next.state === current.state && next.attempt === current.attempt)) return next ?? current
    isForced = false
    current = next
  }
}

/** One transition, or null if the payment waits. Stripe is called between database transactions, never inside one. */
async function processStep(ctx: Context, payment: CardPayment, isForced: boolean): Promise<CardPayment | null> {
  const now = ctx.clock.now()
  const mayGo = isForced || payment.retryAt === null || payment.retryAt <= now
  switch (payment.state) {
    case 'intent':
      return prepare(ctx, payment)
    case 'failed_retryable':
      return mayGo ? prepare(ctx, payment) : null
    case 'prepared':
      return recordEvent(ctx, payment, { type: 'submit' })
    case 'submitted':
      return mayGo ? submit(ctx, payment) : null
    case 'seen':
      return mayGo
        ? recordObject(ctx, payment, await requireCardRail(ctx).get(payment.kind, payment.objectId ?? '', payment.subject))
        : null
    case 'final':
      return inTransaction(ctx, (tx) => postPaymentToLedger(tx, payment))
    case 'posted':
    case 'failed_final':
      return null
    default:
      return payment.state satisfies never
  }
}

/** Stores the idempotency key and the request under the hold's lock, so that an earlier dispute is visible here. */
async function prepare(ctx: Context, payment: CardPayment): Promise<CardPayment | null> {
  return inTransaction(ctx, async (tx) => {
    const call = await buildStripePaymentRequest(tx, payment)
    return call && recordEvent(tx, payment, { type: 'prepare', call, at: tx.clock.now() })
  })
}

/** Sends the request with its idempotency key. If the key may have expired, only looks for the object. */
async function submit(ctx: Context, payment: CardPayment): Promise<CardPayment | null> {
  const { call, idempotencyKey } = payment
  if (!call || !idempotencyKey) throw new Error(`card payment ${payment.key} was submitted without key and content`)
  const cards = requireCardRail(ctx)
  const isRepeated = payment.failure !== null
  if (isIdempotencyKeyExpired(payment, ctx.clock.now())) {
    const object = await cards.find(call)
    if (object) return recordObject(ctx, payment, object)
    ctx.log.warn(
      { event: 'stripe.call_expired', payment: payment.key },
      'Stripe did not answer a call within a day and has no object of it. The call is sent with a new idempotency key.',
    )
    const sentence = 'Stripe did not answer within a day and has no object of the call.'
    return recordEvent(ctx, payment, { type: 'refuse', sentence, remedy: 'time', at: ctx.clock.now() })
  }
  const answer = await cards.send(call, idempotencyKey)
  if (answer.answer === 'unknown' && isRepeated) {
    // Stripe repeats a stored failure for a day, also when the cause is gone. So look for the object.
    const object = await cards.find(call)
    if (object) return recordObject(ctx, payment, object)
  }
  return recordAnswer(ctx, payment, answer)
}

async function recordAnswer(ctx: Context, payment: CardPayment, answer: CardAnswer): Promise<CardPayment> {
  const at = ctx.clock.now()
  switch (answer.answer) {
    case 'object':
      return recordObject(ctx, payment, answer.object)
    case 'later':
    case 'unknown':
      return recordEvent(ctx, payment, { type: 'wait', sentence: answer.sentence, at })
    case 'refused':
      ctx.log.warn({ event: 'stripe.call_refused', payment: payment.key, refused: answer.sentence }, 'Stripe refused a call.')
      // Stripe cannot transfer to this account now. The share waits until its claim deadline.
      if (answer.remedy !== 'time' && payment.kind === 'transfer') return waitForPayoutAccount(ctx, payment, answer.sentence)
      return recordEvent(ctx, payment, {
        type: 'refuse',
        sentence: answer.sentence,
        remedy: answer.remedy === 'time' ? 'time' : 'none',
        at,
      })
    default:
      return answer satisfies never
  }
}

async function recordObject(ctx: Context, payment: CardPayment, object: CardObject): Promise<CardPayment> {
  const fault = findMismatch(payment, object)
  if (fault !== null) {
    ctx.log.error({ event: 'stripe.object_mismatched', payment: payment.key, fault }, 'The object from Stripe differs from the request.')
    return recordEvent(ctx, payment, { type: 'end', failure: fault })
  }
  return recordEvent(ctx, payment, { type: 'object', object, at: ctx.clock.now() })
}

async function recordEvent(ctx: Context, payment: CardPayment, event: CardPaymentEvent): Promise<CardPayment> {
  const next = advancePayment(payment, event)
  return next ? saveCardPayment(ctx, payment, next) : payment
}

/** Adopts a Stripe object for a payment in any state. Used by webhooks and sweeps. */
export async function adoptObject(ctx: Context, payment: CardPayment, object: CardObject): Promise<CardPayment> {
  if (payment.state === 'prepared') return adoptObject(ctx, await recordEvent(ctx, payment, { type: 'submit' }), object)
  if (payment.state === 'intent' || payment.state === 'failed_retryable') return payment
  await recordObject(ctx, payment, object)
  return processCardPayment(ctx, payment.id)
}
