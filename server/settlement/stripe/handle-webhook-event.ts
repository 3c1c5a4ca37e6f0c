import { actingAs, type Context } from '../../context.ts'
import { inTransaction, isUniqueViolation } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import type { CardKind, CardNotice, CardObject } from '../../ports.ts'
import { webhookEventUnreadable, webhookEventWrongMode } from '../errors.ts'
import { postProcessingFee } from '../ledger/stripe-transfers.ts'
import { creditRefund } from './credit-refund.ts'
import { requireCardRail } from './load-hold.ts'
import type { CardPayment } from './payment.ts'
import { listPayments } from './payment-store.ts'
import { recordPayoutFailure, refreshAccount } from './payout-accounts.ts'
import { adoptObject, processPayment } from './process-payment.ts'
import { recordDispute } from './record-dispute.ts'

/**
 * Takes a webhook in: verified over its raw bytes, kept, and left to a job, in that order; repeating it changes nothing.
 * @throws request.malformed where its signature is wrong or old, or it is of the other mode
 */
export async function receiveWebhookEvent(ctx: Context, input: { readonly body: string; readonly signature: string }): Promise<void> {
  const cards = requireCardRail(ctx)
  const now = ctx.clock.now()
  const notice = cards.readNotice(input.body, input.signature, Math.floor(now.getTime() / 1_000))
  if (!notice) throw webhookEventUnreadable()
  if (notice.isLive !== cards.isLive) throw webhookEventWrongMode(notice.isLive, cards.isLive)
  const { id, type, account, objectId } = notice
  try {
    const row = { id, type, account, objectId, body: notice.body as object, at: new Date(notice.at * 1_000), receivedAt: now }
    await ctx.db.stripeEvent.create({ data: row })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
  // Booked also for one that is there: a process may have died between the two.
  await schedule(ctx, 'handle-notice', { noticeId: id }, { jobKey: `notice:${id}` })
}

/** Looks at what a notice is about. Order and repetition don't matter: what counts is how the object stands now. */
export async function handleWebhookEvent(ctx: Context, noticeId: string): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const row = await system.db.stripeEvent.findUnique({ where: { id: noticeId } })
  if (!row || row.handledAt !== null) return
  const notice = requireCardRail(system).readStored(row.body)
  if (notice) await refreshObject(system, notice)
  await system.db.stripeEvent.update({ where: { id: noticeId }, data: { handledAt: system.clock.now() } })
}

const kinds: ReadonlyMap<string, CardKind> = new Map([
  ['checkout.session', 'checkout'],
  ['transfer', 'transfer'],
  ['refund', 'refund'],
])

async function refreshObject(ctx: Context, { type, object, objectId, account }: CardNotice): Promise<void> {
  const cards = requireCardRail(ctx)
  const kind = kinds.get(object)
  if (kind && account === '') return applyStripeObject(ctx, await cards.get(kind, objectId, null))
  if (object === 'dispute' && account === '') return recordDispute(ctx, await cards.getDispute(objectId))
  if (type === 'payout.failed' && account !== '') return recordPayoutFailure(ctx, account)
  if (type === 'payout.paid' && account !== '') return refreshAccount(ctx, account)
  if (type.startsWith('v2.core.account')) return refreshAccount(ctx, objectId)
  // Other types are kept, and mean nothing to us.
}

/** An object of Stripe's, however we came to know of it, and the payment of ours that it belongs to. */
export async function applyStripeObject(ctx: Context, object: CardObject): Promise<void> {
  if (object.paymentId === null) return
  const [payment] = await listPayments(ctx, { id: object.paymentId })
  if (!payment) return
  if (payment.state === 'posted') return applyLateChange(ctx, payment, object)
  const current = await adoptObject(ctx, payment, object)
  if (current.state === 'seen') await processPayment(ctx, current.id, { lookAgain: true })
}

/** What Stripe says of a payment after it was posted: a refund came back, or the fee of a charge is known now. */
async function applyLateChange(ctx: Context, payment: CardPayment, object: CardObject): Promise<void> {
  if (payment.kind === 'refund' && object.state === 'failed') return creditRefund(ctx, payment)
  const fee = object.payment?.feeCents ?? 0n
  if (payment.kind !== 'checkout' || fee === 0n || (payment.paidFeeCents ?? 0n) > 0n) return
  const tx = payment.paidIntent ?? ''
  await inTransaction(ctx, (own) => postProcessingFee(own, { key: `processing:${tx}`, goalId: payment.goalId, tx, cents: fee }))
}
