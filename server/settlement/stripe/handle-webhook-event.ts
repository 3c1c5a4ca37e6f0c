import { actingAs, type Context } from '../../context.ts'
import { inTransaction, isUniqueViolation } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import type { CardKind, CardObject, CardWebhookEvent } from '../../ports.ts'
import { webhookEventUnreadable, webhookEventWrongMode } from '../errors.ts'
import { postProcessingFee } from '../ledger/stripe-transfers.ts'
import { creditRefund } from './credit-refund.ts'
import { requireCardRail } from './load-card-hold.ts'
import type { CardPayment } from './payment.ts'
import { listPayments } from './payment-store.ts'
import { recordPayoutFailure, refreshAccount } from './payout-accounts.ts'
import { adoptObject, processPayment } from './process-payment.ts'
import { recordChargeback } from './record-chargeback.ts'

/**
 * Receives a webhook: verifies the signature over the raw body, stores the event and schedules a job, in this order. Idempotent by
 * event id.
 * @throws request.malformed if the signature is wrong or old, or the event is of the other mode
 */
export async function receiveWebhookEvent(ctx: Context, input: { readonly body: string; readonly signature: string }): Promise<void> {
  const cards = requireCardRail(ctx)
  const now = ctx.clock.now()
  const event = cards.parseWebhookEvent(input.body, input.signature, Math.floor(now.getTime() / 1_000))
  if (!event) throw webhookEventUnreadable()
  if (event.isLive !== cards.isLive) throw webhookEventWrongMode(event.isLive, cards.isLive)
  const { id, type, account, objectId } = event
  try {
    const row = { id, type, account, objectId, body: event.body as object, at: new Date(event.at * 1_000), receivedAt: now }
    await ctx.db.stripeEvent.create({ data: row })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
  // Schedules a stored event again, because a process may have crashed between the two writes.
  await schedule(ctx, 'handle-webhook-event', { stripeEventId: id }, { jobKey: `stripe-event:${id}` })
}

/** Handles a stored webhook event. It reads the object's current state from Stripe, so order and duplicates do not matter. */
export async function handleWebhookEvent(ctx: Context, eventId: string): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const row = await system.db.stripeEvent.findUnique({ where: { id: eventId } })
  if (!row || row.handledAt !== null) return
  const event = requireCardRail(system).parseStoredEvent(row.body)
  if (event) await refreshObject(system, event)
  await system.db.stripeEvent.update({ where: { id: eventId }, data: { handledAt: system.clock.now() } })
}

const kinds: ReadonlyMap<string, CardKind> = new Map([
  ['checkout.session', 'checkout'],
  ['transfer', 'transfer'],
  ['refund', 'refund'],
])

async function refreshObject(ctx: Context, { type, object, objectId, account }: CardWebhookEvent): Promise<void> {
  const cards = requireCardRail(ctx)
  const kind = kinds.get(object)
  if (kind && account === '') return applyStripeObject(ctx, await cards.get(kind, objectId, null))
  if (object === 'dispute' && account === '') return recordChargeback(ctx, await cards.getDispute(objectId))
  if (type === 'payout.failed' && account !== '') return recordPayoutFailure(ctx, account)
  if (type === 'payout.paid' && account !== '') return refreshAccount(ctx, account)
  if (type.startsWith('v2.core.account')) return refreshAccount(ctx, objectId)
  // Other types are stored and ignored.
}

/** Applies the state of a Stripe object to the payment that it belongs to. */
export async function applyStripeObject(ctx: Context, object: CardObject): Promise<void> {
  if (object.paymentId === null) return
  const [payment] = await listPayments(ctx, { id: object.paymentId })
  if (!payment) return
  if (payment.state === 'posted') return applyLateChange(ctx, payment, object)
  const current = await adoptObject(ctx, payment, object)
  if (current.state === 'seen') await processPayment(ctx, current.id, { lookAgain: true })
}

/** Applies a change after posting: a refund failed, or a charge's fee became known. */
async function applyLateChange(ctx: Context, payment: CardPayment, object: CardObject): Promise<void> {
  if (payment.kind === 'refund' && object.state === 'failed') return creditRefund(ctx, payment)
  const fee = object.payment?.feeCents ?? 0n
  if (payment.kind !== 'checkout' || fee === 0n || (payment.paidFeeCents ?? 0n) > 0n) return
  const tx = payment.paidIntent ?? ''
  await inTransaction(ctx, (own) => postProcessingFee(own, { key: `processing:${tx}`, goalId: payment.goalId, tx, cents: fee }))
}
