import { actingAs, type Context } from '../../../context.ts'
import { inTransaction } from '../../../db.ts'
import type { CardKind, CardObject, CardWebhookEvent } from '../../../ports.ts'
import { postProcessingFee } from '../../ledger/post-card-transfer.ts'
import type { CardPayment } from '../card-payment.ts'
import { listCardPayments } from '../card-payment-store.ts'
import { creditFailedRefund } from '../credit-failed-refund.ts'
import { requireCardRail } from '../lock-card-hold.ts'
import { adoptObject, processCardPayment } from '../process-card-payment.ts'
import { recordChargeback } from '../record-chargeback.ts'
import { recordPayoutFailure, refreshPayoutAccount } from '../refresh-payout-account.ts'

/** Applies a stored webhook event. It reads the object's current state from Stripe, so order and duplicates do not matter. */
export async function applyWebhookEvent(ctx: Context, eventId: string): Promise<void> {
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
  if (type === 'payout.paid' && account !== '') return refreshPayoutAccount(ctx, account)
  if (type.startsWith('v2.core.account')) return refreshPayoutAccount(ctx, objectId)
  // Other types are stored and ignored.
}

/** Applies the state of a Stripe object to the payment that it belongs to. */
export async function applyStripeObject(ctx: Context, object: CardObject): Promise<void> {
  if (object.paymentId === null) return
  const [payment] = await listCardPayments(ctx, { id: object.paymentId })
  if (!payment) return
  if (payment.state === 'posted') return applyLateChange(ctx, payment, object)
  const current = await adoptObject(ctx, payment, object)
  if (current.state === 'seen') await processCardPayment(ctx, current.id, { lookAgain: true })
}

/** Applies a change after posting: a refund failed, or a charge's fee became known. */
async function applyLateChange(ctx: Context, payment: CardPayment, object: CardObject): Promise<void> {
  if (payment.kind === 'refund' && object.state === 'failed') return creditFailedRefund(ctx, payment)
  const fee = object.payment?.feeCents ?? 0n
  if (payment.kind !== 'checkout' || fee === 0n || (payment.paidFeeCents ?? 0n) > 0n) return
  const tx = payment.paidIntent ?? ''
  await inTransaction(ctx, (own) => postProcessingFee(own, { key: `processing:${tx}`, goalId: payment.goalId, tx, cents: fee }))
}
